import SafelightAdjustments
import SafelightFormats
import SafelightRendering

extension RenderOutput: ReadParameters {
  /// The ways to say how large a picture is.
  private static let sizes = [
    "longestSide", "shortestSide", "fit", "fill", "megapixels", "percent",
  ]

  package static let rules: [ParameterRule] = [
    .atMostOne(sizes), .goesWith("enlarge", sizes),
  ]

  package func check() throws(OperationError) {
    func refuse(_ sentence: String) -> OperationError { .contradiction(sentence, of: Self.id) }
    if mostBytes != nil, !format.hasQuality {
      throw refuse(
        "A file of at most so many bytes needs a format whose quality can be lower, such as jpeg; \(format.rawValue) has none."
      )
    }
    if chroma != .full, format != .jpeg {
      throw refuse("Only a JPEG has another resolution of color; \(format.rawValue) has not.")
    }
    if let depth {
      guard depth == 8 || depth == 16 else {
        throw refuse("A channel has 8 or 16 bits, not \(depth).")
      }
      if depth == 16, !format.holdsSixteenBits {
        throw refuse("A \(format.rawValue) has 8 bits a channel; png and tiff can have 16.")
      }
    }
    if let percent, percent > 100, !enlarges {
      throw refuse("More than 100 percent needs “enlarge”, too.")
    }
  }

  /// Reads a description, such as `{"format": "webp", "longestSide": 640}`.
  ///
  /// - Throws: ``OperationError`` for what is unknown, out of range or contradicts itself.
  public init(json: JSONValue) throws(OperationError) {
    guard let members = json.members else { throw .notAnOutput }
    try self.init(reading: members)
  }

  /// The description's parameters, described.
  public static let parametersDescribed: [ParameterDescription] = parameterDescriptions
}
