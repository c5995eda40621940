import FoundationEssentials
import SafelightAdjustments
import SafelightFormats
import SafelightMetadata
import SafelightVips

extension RenderOutput {
  /// Where a watermark is in the picture.
  public enum WatermarkPlace: String, Sendable, Hashable, CaseIterable, Codable, ParameterValue {
    /// In the upper left corner.
    case topLeft = "top-left"
    /// In the middle of the upper edge.
    case top
    /// In the upper right corner.
    case topRight = "top-right"
    /// In the middle of the left edge.
    case left
    /// In the middle of the picture.
    case middle
    /// In the middle of the right edge.
    case right
    /// In the lower left corner.
    case bottomLeft = "bottom-left"
    /// In the middle of the lower edge.
    case bottom
    /// In the lower right corner.
    case bottomRight = "bottom-right"

    /// The shares of the free room to the left of the watermark and above it.
    var shares: (across: Double, down: Double) {
      let index = Self.allCases.firstIndex(of: self) ?? 8
      return (Double(index % 3) / 2, Double(index / 3) / 2)
    }
  }

  /// The color of a watermark's letters.
  public enum WatermarkColor: String, Sendable, Hashable, CaseIterable, Codable, ParameterValue {
    /// For dark pictures.
    case white
    /// For light pictures.
    case black
  }

  /// Whether something is drawn onto the picture.
  var hasWatermark: Bool { watermark != nil || watermarkPicture != nil }

  /// The text of a watermark: one line, without spaces at its ends.
  public struct WatermarkText: Sendable, Hashable, ParameterValue, ExpressibleByStringLiteral {
    /// The text.
    public let text: String

    /// A text.
    public init(_ text: String) { self.text = text.withoutOuterSpaces }

    /// A text.
    public init(stringLiteral text: String) { self.init(text) }

    /// The most bytes of a text. A line of more letters is not read by anybody.
    private static let longest = 2000

    public static var kind: String { String.kind }
    public static var typeName: String { String.typeName }
    public static var hasRange: Bool { false }

    public init?(json: JSONValue) {
      guard let text = json.string else { return nil }
      self.init(text)
    }

    public var json: JSONValue { .string(text) }

    public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
      if text.isEmpty { return .invalid("is empty") }
      if text.hasControls() { return .invalid("has line breaks or control characters") }
      return text.utf8.count > Self.longest
        ? .invalid("has more than \(Self.longest) bytes") : nil
    }

    public init?(argument: String, unit: ParameterUnit) { self.init(argument) }

    public var argument: String { text }
  }
}

/// A text or a picture that is drawn onto a finished picture, in the codes of the file's profile.
///
/// The text is plain: Pango's markup in it is shown as it is written.
struct Watermark: Sendable {
  private let width: Int
  private let height: Int
  private let left: Int
  private let top: Int
  /// How much of each pixel is covered, from 0 to 1.
  private let cover: [Float]
  /// The bands of each pixel as shares of the largest code, or one share for all of them.
  private let color: [Float]

  /// The most pixels of a picture that is drawn.
  private static let mostPixels = 50_000_000

  /// Makes the watermark of an output.
  ///
  /// - Parameters:
  ///   - size: The size of the picture.
  ///   - coding: What the picture's codes mean before `conversion`.
  ///   - conversion: The way to the codes of a profile that came in a file.
  init(
    _ output: RenderOutput, on size: PixelSize, in coding: PixelCoding,
    converted conversion: ProfileConversion? = nil
  ) throws(RenderError) {
    let shorter = Double(min(size.width, size.height))
    let margin = Int((shorter * output.watermarkMargin / 100).rounded())
    let room = PixelSize(
      width: max(size.width - 2 * margin, 1), height: max(size.height - 2 * margin, 1))
    let wanted = shorter * (output.watermarkSize ?? (output.watermark == nil ? 12 : 3)) / 100
    let drawn: Drawn
    do {
      if let text = output.watermark {
        drawn = try Self.text(text.text, output.watermarkColor, height: wanted, in: room)
      } else if let picture = output.watermarkPicture {
        drawn = try Self.picture(picture, height: wanted, in: room, coding, conversion)
      } else {
        drawn = Drawn(size: PixelSize(width: 0, height: 0), cover: [], color: [0])
      }
    } catch let error as RenderError {
      throw error
    } catch {
      throw .cannotEncode(detail: "the watermark cannot be drawn: \(error)")
    }
    (width, height) = (drawn.size.width, drawn.size.height)
    let shares = output.watermarkPlace.shares
    left = margin + Int((Double(room.width - width) * shares.across).rounded())
    top = margin + Int((Double(room.height - height) * shares.down).rounded())
    let opacity = Float(output.watermarkOpacity / 100)
    cover = drawn.cover.map { $0 * opacity }
    color = drawn.color
  }

  private struct Drawn {
    let size: PixelSize
    let cover, color: [Float]
  }

  /// A line of text, in letters as large as they fit.
  private static func text(
    _ text: String, _ color: RenderOutput.WatermarkColor, height: Double, in room: PixelSize
  ) throws -> Drawn {
    guard Lettering.hasFont else {
      throw RenderError.unusableWatermark(
        reason: "there is no font; install one, such as fonts-dejavu-core")
    }
    // A line of large letters may be wider than what can be drawn, so small ones say how wide it is.
    var measured: (size: Int, line: Lettering.Line)?
    for size in [20, 4] where measured == nil {
      measured = try Lettering(size: size).line(text).map { (size, $0) }
    }
    guard let measured else {
      throw RenderError.unusableWatermark(reason: "its letters have no ink, or are too many")
    }
    let width = min(room.width, Lettering.widestLine)
    func excess(_ line: Lettering.Line) -> Double {
      max(Double(line.width) / Double(width), Double(line.height) / Double(room.height))
    }
    // Letters are not exactly as many times as wide at other sizes; what is still too large becomes smaller.
    var size = min(
      max(Int(height.rounded()), 1),
      max(Int(1.05 * Double(measured.size) / excess(measured.line)), 1))
    while true {
      let line = try Lettering(size: size).line(text)
      if let line, excess(line) <= 1 {
        return Drawn(
          size: PixelSize(width: line.width, height: line.height),
          cover: line.mask.map { Float($0) / 255 }, color: [color == .white ? 1 : 0])
      }
      guard size > 1 else {
        throw RenderError.unusableWatermark(reason: "it is too long for the picture")
      }
      size = min(size - 1, max(Int(Double(size) / (line.map(excess) ?? 1)), 1))
    }
  }

  /// A picture at its size, its colors in the codes of the output.
  private static func picture(
    _ file: OutputAttachment, height: Double, in room: PixelSize, _ coding: PixelCoding,
    _ conversion: ProfileConversion?
  ) throws -> Drawn {
    func refuse(_ reason: String) -> RenderError {
      .unusableFile(name: file.name, reason: reason)
    }
    guard let bytes = file.bytes else { throw refuse("was not read") }
    let formats: [(beginning: StaticString, place: Int, format: Image.FileFormat)] = [
      ("PNG", 1, .png), ("WEBP", 8, .webp), ("II*", 0, .tiff), ("MM", 0, .tiff),
    ]
    let known = formats.first { bytes.has($0.beginning, at: $0.place) }?.format
    guard let format = bytes.starts(with: [0xFF, 0xD8]) ? .jpeg : known else {
      throw refuse("is no PNG, WebP, TIFF or JPEG")
    }
    let decoded: Image
    do {
      let header = try Image.open(Source(bytes), as: format)
      guard header.width <= mostPixels / max(header.height, 1) else {
        throw refuse("has more than 50 megapixels")
      }
      decoded = try header.inMemory(turned: orientation(of: bytes))
    } catch is VipsError {
      throw refuse("is damaged")
    }
    let own = try decoded.attachment(.profile).flatMap { try codes(ofProfile: $0, decoded, refuse) }
    var color = own?.image ?? decoded
    guard [.rgb, .gray].contains(color.interpretation),
      [.uint8, .uint16].contains(color.sampleFormat)
    else { throw refuse("is not in red, green and blue, or gray, of 8 or 16 bits") }
    let alpha = decoded.hasAlpha ? try decoded.band(decoded.bands - 1) : nil
    color = try color.firstBands(color.bands < 3 ? 1 : 3).inMemory()
    let scale = min(
      height / Double(color.height), Double(room.width) / Double(color.width),
      Double(room.height) / Double(color.height))
    let size = PixelSize(
      width: max(Int((Double(color.width) * scale).rounded()), 1),
      height: max(Int((Double(color.height) * scale).rounded()), 1))
    let source = own?.coding ?? .sRGB
    func resized(_ image: Image, _ coding: PixelCoding) throws(VipsError) -> Image {
      try PictureResizing(to: size, from: image.size, coding: coding).applied(to: image)
    }
    var cover = [Float](repeating: 1, count: size.width * size.height)
    if let alpha {
      let small = try Transparency(alpha: alpha.inMemory()).resizing(color, source, by: resized)
      color = small.color
      cover = try small.alpha.pixelBytes().asShares
    } else {
      color = try resized(color, source)
    }
    var converted = try ColorPass(
      [], from: .codes(source, isWide: color.sampleFormat == .uint16),
      to: .codes(coding, isWide: true)
    ).applied(to: color)
    if let conversion { converted = try conversion.applied(to: converted) }
    return Drawn(size: size, cover: cover, color: try converted.pixelBytes().asShares)
  }

  /// What turns the picture of a file upright, as for photos.
  private static func orientation(of bytes: [UInt8]) -> Orientation {
    let file = PhotoBytes(Data(bytes))
    return Orientation(
      exif: file.tiff?.photo.map { $0.number(274) ?? 1 }
        ?? CarriedMetadata(original: file).exif?.orientation ?? 1)
  }

  /// The pixels and what they mean by an embedded profile; `nil` for codes of sRGB.
  private static func codes(
    ofProfile profile: [UInt8], _ image: Image, _ refuse: (String) -> RenderError
  ) throws -> (image: Image, coding: PixelCoding)? {
    switch ColorProfile(profile)?.model {
    case .matrix(let matrix)? where image.interpretation == .rgb: return (image, .matrix(matrix))
    case .gray(let response)? where image.interpretation == .gray: return (image, .gray(response))
    case .table(let conversion)? where image.interpretation == .rgb:
      return (try conversion.applied(to: image), .sRGB)
    default: return nil
    }
  }
}

extension [UInt8] {
  /// Numbers of 16 bits as shares of the largest.
  fileprivate var asShares: [Float] {
    withUnsafeBytes { $0.bindMemory(to: UInt16.self).map { Float($0) / 65_535 } }
  }
}

// MARK: - Drawing it

extension Watermark {
  /// The picture with the watermark on it.
  func drawn(on picture: RenderedPicture) throws(VipsError) -> RenderedPicture {
    guard width > 0, height > 0 else { return picture }
    let alpha = picture.picture.others[.alpha]
    return picture.replacing(
      try blended(onto: picture.image, alpha), alpha: try alpha.map(covering))
  }

  private func forEachPixel(
    of output: PixelArea, _ body: (_ x: Int, _ y: Int, _ place: Int) -> Void
  ) {
    let columns =
      max(
        left, output.left)..<max(
        min(left + width, output.left + output.width), max(left, output.left))
    let rows =
      max(
        top, output.top)..<max(
        min(top + height, output.top + output.height), max(top, output.top))
    for y in rows {
      for x in columns { body(x - output.left, y, (y - top) * width + x - left) }
    }
  }

  private func blended(onto image: Image, _ alpha: Image?) throws(VipsError) -> Image {
    let isWide = image.sampleFormat == .uint16
    let alphaIsWide = alpha?.sampleFormat == .uint16
    let (size, bands) = (isWide ? 2 : 1, image.bands)
    let inputs = [image] + (alpha.map { [$0] } ?? [])
    return try Image.computed(from: inputs, like: image, width: image.width, height: image.height) {
      inputs, output in
      for y in output.top..<(output.top + output.height) {
        output.address(row: y).copyMemory(
          from: inputs[0].address(row: y), byteCount: bands * size * output.width)
      }
      forEachPixel(of: output) { x, y, place in
        // The picture counts for as much as is seen of it (Porter and Duff's “over”).
        var below = 1 - cover[place]
        if inputs.count > 1 {
          let row = inputs[1].address(row: y)
          below *=
            alphaIsWide
            ? Float(row.assumingMemoryBound(to: UInt16.self)[x]) / 65_535
            : Float(row.assumingMemoryBound(to: UInt8.self)[x]) / 255
        }
        let sum = cover[place] + below
        guard sum > 0 else { return }
        for band in 0..<bands {
          let ink = color[color.count == 1 ? 0 : bands * place + band]
          if isWide {
            let pixel =
              output.address(row: y).assumingMemoryBound(to: UInt16.self) + bands * x + band
            let code = (cover[place] * ink * 65_535 + below * Float(pixel[0])) / sum
            pixel[0] = UInt16(code.rounded())
          } else {
            let pixel =
              output.address(row: y).assumingMemoryBound(to: UInt8.self) + bands * x + band
            let code = (cover[place] * ink * 255 + below * Float(pixel[0])) / sum
            pixel[0] = UInt8(code.rounded())
          }
        }
      }
      return true
    }
  }

  /// The transparency of the picture with the watermark on it.
  private func covering(_ alpha: Image) throws(VipsError) -> Image {
    let isWide = alpha.sampleFormat == .uint16
    return try Image.computed(from: [alpha], like: alpha, width: alpha.width, height: alpha.height)
    {
      inputs, output in
      for y in output.top..<(output.top + output.height) {
        output.address(row: y).copyMemory(
          from: inputs[0].address(row: y), byteCount: (isWide ? 2 : 1) * output.width)
      }
      forEachPixel(of: output) { x, y, place in
        if isWide {
          let pixel = output.address(row: y).assumingMemoryBound(to: UInt16.self) + x
          pixel[0] = UInt16((Float(pixel[0]) + cover[place] * (65_535 - Float(pixel[0]))).rounded())
        } else {
          let pixel = output.address(row: y).assumingMemoryBound(to: UInt8.self) + x
          pixel[0] = UInt8((Float(pixel[0]) + cover[place] * (255 - Float(pixel[0]))).rounded())
        }
      }
      return true
    }
  }
}
