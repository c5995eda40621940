import SafelightAdjustments
import SafelightDarkroom
import SafelightFiles
import SafelightFormats
import SafelightMetadata
import SafelightRendering

extension RenderOutput: ReadParameters {
  /// The ways to say how large a picture is.
  private static let sizes = [
    "longestSide", "shortestSide", "fit", "fill", "megapixels", "percent",
  ]

  private static let watermarks = ["watermark", "watermarkPicture"]

  package static let rules: [ParameterRule] = [
    .atMostOne(sizes), .goesWith("enlarge", sizes), .atMostOne(watermarks),
    .goesWith("watermarkPlace", watermarks), .goesWith("watermarkSize", watermarks),
    .goesWith("watermarkOpacity", watermarks), .goesWith("watermarkMargin", watermarks),
    .goesWith("watermarkColor", ["watermark"]),
    .goesWith("intent", ["profile"]), .goesWith("blackPoint", ["profile"]),
  ]

  package func check() throws(OperationError) {
    func refuse(_ sentence: String) -> OperationError { .contradiction(sentence, of: Self.id) }
    if quality != RenderOutput().quality, !format.file.hasQuality {
      throw refuse("“quality” is for formats that lose something; \(format.rawValue) has none.")
    }
    if mostBytes != nil, !format.file.hasQuality {
      throw refuse(
        "A file of at most so many bytes needs a format whose quality can be lower, such as jpeg; \(format.rawValue) has none."
      )
    }
    if !format.file.chromas.contains(chroma) {
      let possible = Self.words(format.file.chromas.map(\.rawValue))
      throw refuse("The resolution of color is \(possible) in \(format.rawValue).")
    }
    if lossless, format != .jpeg {
      throw refuse(
        "“lossless” keeps what a JPEG has; \(format.rawValue) is without loss by its format or by quality 100, or not at all."
      )
    }
    if let depth, !format.file.depths.contains(depth) {
      let possible = Self.words(format.file.depths.map { "\($0)" })
      throw refuse("A channel has \(possible) bits in \(format.rawValue), not \(depth).")
    }
    if let effort {
      guard let least = format.file.leastEffort else {
        throw refuse("“effort” is for avif and jxl; \(format.rawValue) has none.")
      }
      if effort < least {
        throw refuse(
          "“effort” is \(least) to 9 in \(format.rawValue): its encoder takes no less than \(least)."
        )
      }
    }
    if let creator, MetadataRequest.names(ofCreator: creator.text).isEmpty {
      throw refuse("“creator” has no name.")
    }
    if let preset { throw refuse("The preset “\(preset)” was not looked up.") }
    if let percent, percent > 100, !enlarges {
      throw refuse("More than 100 percent needs “enlarge”, too.")
    }
  }

  /// `8`, or `8 or 16`.
  private static func words(_ choices: [String]) -> String { choices.joined(separator: " or ") }

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

extension OutputFile {
  /// The parameters that say nothing in the format.
  var lacks: Set<String> {
    var names: Set<String> = []
    if !hasQuality { names.insert("quality") }
    if leastEffort == nil { names.insert("effort") }
    if chromas.count == 1 { names.insert("chroma") }
    if photo != .jpeg { names.insert("lossless") }
    return names
  }
}

extension RenderOutput {
  /// Throws when no picture can be written by the output, with its files read.
  ///
  /// - Parameter isInFormat: Whether its format counts; otherwise another one may.
  func checkForAnyPicture(isInFormat: Bool) throws {
    var output = self
    let formats = [format] + (isInFormat ? [] : Format.allCases)
    output.format =
      formats.first { format in
        output.format = format
        return (try? output.check()) != nil
      } ?? format
    try output.check()
    if needsTrial { try PhotoDarkroom.current.tryOutput(output) }
  }

  /// The same with the files read that it names: a color profile, the picture of a watermark.
  ///
  /// - Throws: ``EditError/fileSystem(path:_:)`` for a file that cannot be read or has more than 16 MB.
  public func readingFiles() throws(EditError) -> RenderOutput {
    try reading { name throws(EditError) in try Self.contents(of: FilePath(argument: name)) }
  }

  /// The bytes of a file that an output needs.
  package static func contents(of path: FilePath) throws(EditError) -> [UInt8] {
    do {
      return [UInt8](
        try FileSystem.real.contents(of: path, limit: OutputAttachment.mostBytes))
    } catch {
      throw .fileSystem(path: path, error)
    }
  }
}
