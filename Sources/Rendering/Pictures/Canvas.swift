import FoundationEssentials
import SafelightMetadata
import SafelightVips

/// A rectangle of whole pixels on a canvas.
struct PictureFrame: Sendable, Hashable {
  /// The first column and the first row.
  var left, top: Int
  /// The number of columns and rows.
  var width, height: Int

  /// The column after the last.
  var right: Int { left + width }
  /// The row after the last.
  var bottom: Int { top + height }
  /// Width and height.
  var size: PixelSize { PixelSize(width: width, height: height) }

  /// A frame of a size in the middle of this one.
  func middle(width: Int, height: Int) -> PictureFrame {
    PictureFrame(
      left: left + (self.width - width) / 2, top: top + (self.height - height) / 2, width: width,
      height: height)
  }
}

/// A picture in memory on which other pictures and text are drawn: 8-bit red, green and blue.
struct Canvas {
  /// A dark gray that does not distract from pictures and text.
  static let background: UInt8 = 28
  /// The gray of text.
  static let ink: [UInt8] = [232, 232, 232]

  let width: Int
  let height: Int
  private(set) var pixels: [UInt8]

  /// A canvas of one gray.
  init(width: Int, height: Int, gray: UInt8 = Canvas.background) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: gray, count: width * height * 3)
  }

  /// Draws columns of a proof whose first pixel lies at (`left`, `top`).
  ///
  /// - Parameter columns: The columns of the proof that are drawn; `nil` means all.
  mutating func draw(_ proof: Proof, left: Int, top: Int, columns: Range<Int>? = nil) {
    let columns = (columns ?? 0..<proof.width)
      .clamped(to: max(-left, 0)..<max(min(proof.width, width - left), max(-left, 0)))
    guard !columns.isEmpty else { return }
    for y in max(-top, 0)..<max(min(proof.height, height - top), max(-top, 0)) {
      let source = (y * proof.width + columns.lowerBound) * 3
      let target = ((top + y) * width + left + columns.lowerBound) * 3
      let row = proof.pixels[source..<(source + columns.count * 3)]
      pixels.replaceSubrange(target..<(target + columns.count * 3), with: row)
    }
  }

  /// Fills the part of a frame that lies on the canvas.
  mutating func fill(_ frame: PictureFrame, with color: [UInt8]) {
    for y in max(frame.top, 0)..<max(min(frame.bottom, height), max(frame.top, 0)) {
      for x in max(frame.left, 0)..<max(min(frame.right, width), max(frame.left, 0)) {
        for channel in 0..<3 { pixels[(y * width + x) * 3 + channel] = color[channel] }
      }
    }
  }

  /// Mixes the pixel (x, y) with a color: a share of 0 keeps the pixel, 255 replaces it.
  mutating func blend(x: Int, y: Int, with color: [UInt8], share: UInt8) {
    guard share > 0, (0..<width).contains(x), (0..<height).contains(y) else { return }
    for channel in 0..<3 {
      let index = (y * width + x) * 3 + channel
      let (old, new, part) = (Int(pixels[index]), Int(color[channel]), Int(share))
      pixels[index] = UInt8((old * (255 - part) + new * part + 127) / 255)
    }
  }

  /// Writes a line of text whose top left corner lies at (`left`, `top`).
  mutating func write(
    _ line: Lettering.Line, left: Int, top: Int, in color: [UInt8] = Canvas.ink
  ) {
    for y in 0..<line.height {
      for x in 0..<line.width {
        blend(
          x: left + x, y: top + line.top + y, with: color, share: line.mask[y * line.width + x])
      }
    }
  }

  /// Where a label lies within its frame.
  enum Alignment {
    case left, middle, right
  }

  /// Writes a label into its frame. A label that is too long is shortened; a frame without height
  /// gets no label.
  mutating func write(
    _ text: String, in frame: PictureFrame, size: Int, alignment: Alignment = .middle,
    color: [UInt8] = Canvas.ink
  ) throws(VipsError) {
    let lettering = Lettering(size: size)
    guard frame.height > 0, let line = try lettering.line(text, fitting: frame.width) else {
      return
    }
    let free = frame.width - line.width
    let left =
      switch alignment {
      case .left: frame.left
      case .middle: frame.left + free / 2
      case .right: frame.left + free
      }
    write(
      line, left: left, top: frame.top + (frame.height - lettering.lineHeight) / 2,
      in: color)
  }

  /// Draws a proof in the middle of its frame.
  mutating func draw(_ proof: Proof, in frame: PictureFrame) {
    let place = frame.middle(width: proof.width, height: proof.height)
    draw(proof, left: place.left, top: place.top)
  }

  /// The canvas as an image.
  func image() throws(VipsError) -> Image {
    try Image.fromMemory(pixels, width: width, height: height, bands: 3, format: .uint8)
  }
}

/// Draws lines of text in a sans font of one size.
struct Lettering: Sendable {
  /// The font's size in pixels.
  let size: Int

  /// A line of text, drawn.
  struct Line: Sendable, Hashable {
    /// 255 where there is ink, row after row.
    let mask: [UInt8]
    let width: Int
    let height: Int
    /// The distance from the top of the line to the ink, so that lines share a baseline.
    let top: Int
  }

  /// The height of a line with ascenders and descenders.
  var lineHeight: Int { size * 5 / 4 }

  /// Whether the system has a font.
  ///
  /// Without a font, Pango does not fail: it draws the same box for every letter.
  static let hasFont: Bool = {
    let size = Lettering(size: 20)
    guard let thin = try? size.line("i"), let wide = try? size.line("m") else { return false }
    return thin != wide
  }()

  /// The widest line, in pixels, that is drawn for certain; Pango's drawing ends at 32,767.
  static let widestLine = 32_000

  /// A line of text; `nil` when it has no ink, or would be too wide to be drawn.
  func line(_ text: String) throws(VipsError) -> Line? {
    guard !text.allSatisfy(\.isWhitespace) else { return nil }
    let image: Image
    do {
      image = try Image.text(Self.markup(text), font: "sans \(size)px")
    } catch .operation {
      // Some letters have no ink, and a line can be wider than Pango draws.
      return nil
    }
    return Line(
      mask: try image.pixelBytes(), width: image.width, height: image.height, top: image.offset.y)
  }

  /// A line of text that is at most `width` wide. The end of a longer text is replaced by “…”;
  /// `nil` when not even one letter fits.
  func line(_ text: String, fitting width: Int) throws(VipsError) -> Line? {
    guard let whole = try line(text) else { return nil }
    if whole.width <= width { return whole }
    // Letters differ in width, so lengths are tried from a good estimate down.
    var count = min(text.count - 1, (text.count * width + whole.width - 1) / whole.width)
    while count > 0 {
      if let short = try line(text.prefix(count) + "…"), short.width <= width { return short }
      count -= 1
    }
    return nil
  }

  /// The text as Pango's markup. A character that markup cannot contain, or that would break the
  /// line, becomes the replacement character.
  static func markup(_ text: String) -> String {
    var markup = ""
    for scalar in text.unicodeScalars {
      switch (scalar, scalar.properties.generalCategory) {
      case ("&", _): markup += "&amp;"
      case ("<", _): markup += "&lt;"
      case (">", _): markup += "&gt;"
      case (_, .control), (_, .lineSeparator), (_, .paragraphSeparator): markup += "\u{FFFD}"
      default: markup.unicodeScalars.append(scalar)
      }
    }
    return markup
  }
}

extension Renderer {
  /// Throws when a canvas would be too large for a format or for the memory.
  func checkRoom(for size: PixelSize, in format: RenderOutput.Format) throws(RenderError) {
    let limit = format.largestSide
    guard size.longestSide <= limit else {
      throw .cannotEncode(
        detail: "\(format.rawValue) has room for \(limit) pixels along a side")
    }
    guard size.width <= PhotoSource.defaultPixelLimit / size.height else {
      throw .cannotEncode(detail: "\(size.width) × \(size.height) pixels are too many")
    }
  }

  /// Encodes a canvas with the photo's profile. The metadata names the photo as the original; other
  /// metadata of the photo is left out.
  func encode(
    _ canvas: Canvas, profile: [UInt8]?, as output: RenderOutput,
    derivedFrom original: OriginalReference, warnings: [RenderWarning],
    cancellation: RenderCancellation?, to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    try checkRoom(
      for: PixelSize(width: canvas.width, height: canvas.height), in: output.format)
    do {
      let encoder = RenderEncoder(
        output: output, metadata: CarriedMetadata(), orientation: 1,
        profile: profile, original: original, isResized: true, coding: nil,
        cancellation: cancellation)
      _ = try encoder.encode(RenderedPicture(canvas.image()), to: sink)
    } catch let error as VipsError {
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw RenderError.failed(detail: error.description)
    }
    return Report(
      pixelWidth: canvas.width, pixelHeight: canvas.height,
      warnings: warnings + Library.takeWarnings().map(RenderWarning.decoder))
  }
}

/// A finished picture in memory, for a canvas or the screen: 8-bit red, green and blue.
struct Proof: Sendable {
  let width: Int
  let height: Int
  /// `width × height × 3` codes.
  let pixels: [UInt8]
}

/// A photo that was decoded once at a reduced size, for proofs of several edits.
struct ProofMaker {
  private let opened: OpenedPhoto
  private let photo: DecodedPhoto

  /// Decodes a photo upright, so large that the picture of `plan` has the wanted longer side.
  init(_ opened: OpenedPhoto, for plan: RenderPlan, longestSide: Int) throws(RenderError) {
    self.opened = opened
    do {
      photo = try DecodedPhoto(
        opened,
        for: DecodedPhoto.Purpose(
          orientation: opened.orientation,
          scale: plan.scale(of: opened.uprightSize, toFit: longestSide),
          inAnyOrder: true))
    } catch {
      throw RenderError(error, decoding: opened.format)
    }
  }

  /// The size of the picture of a plan.
  func size(of plan: RenderPlan) -> PixelSize {
    plan.size(of: photo.image.size, scale: photo.scale)
  }

  /// Whether the photo has the codes of sRGB, so that proofs need no conversion.
  var isInSRGB: Bool { if case .sRGB = photo.coding { true } else { false } }

  /// The profile of the proofs; `nil` when the photo has none.
  var profile: [UInt8]? { photo.outputProfile }

  /// What the proofs cannot keep of the photo.
  var warnings: [RenderWarning] { opened.warnings + photo.warnings }

  /// The picture of a plan.
  ///
  /// - Parameters:
  ///   - plan: The edit.
  ///   - isConverted: Whether the proof is in sRGB instead of the photo's profile.
  ///   - cancellation: Ends the work early.
  func proof(
    of plan: RenderPlan, inSRGB isConverted: Bool = false,
    unless cancellation: RenderCancellation?
  ) throws -> Proof {
    do {
      let photo = try photo.turned(plan.turn)
      // A canvas is in red, green and blue. An RGB photo keeps its own codes.
      let coding: PixelCoding? = isConverted || photo.image.bands == 1 ? .sRGB : nil
      let image = try plan.picture(of: photo, opened, as: .jpeg, in: coding).image
      try cancellation?.watch(image)
      defer { cancellation?.watchNothing() }
      return Proof(width: image.width, height: image.height, pixels: try image.pixelBytes())
    } catch let error as VipsError {
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw RenderError(error, decoding: opened.format)
    }
  }
}
