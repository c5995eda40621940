import SafelightRendering

/// What a record says of the renderer: its version with what else decides the render's bytes.
struct RendererDescription: Sendable, Hashable {
  /// Which renderer in which version.
  let version: String
  /// 1 to 100, of the JPEG; `nil` when the record does not say.
  let quality: Int?

  private static let separator = " jpeg quality "

  init(version: String, quality: Int?) {
    self.version = version
    self.quality = quality
  }

  /// The present renderer with an output's settings.
  init(_ output: RenderOutput) {
    self.init(version: Renderer.version, quality: output.quality)
  }

  /// Reads what a record says.
  init(_ text: String) {
    guard let range = text.firstRange(of: Self.separator),
      let quality = Int(text[range.upperBound...]),
      (1...100).contains(quality)
    else {
      self.init(version: text, quality: nil)
      return
    }
    self.init(version: String(text[..<range.lowerBound]), quality: quality)
  }

  /// What a record says of a render with these settings.
  var text: String { version + Self.separator + String(output.quality) }

  /// The settings, with those of a new edit where nothing is known.
  var output: RenderOutput {
    RenderOutput(format: .jpeg, quality: quality ?? RenderOutput.standard.quality)
  }
}
