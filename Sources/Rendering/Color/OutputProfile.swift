import SafelightAdjustments
import SafelightFormats

extension RenderOutput {
  /// The color profile of a picture.
  public enum Profile: Sendable, Hashable, ParameterValue {
    /// The photo's own where it can be, as without being asked.
    case original
    /// sRGB, IEC 61966-2-1.
    case sRGB
    /// Display P3: the primaries of SMPTE EG 432-1 with the curve of sRGB.
    case displayP3
    /// Adobe RGB (1998).
    case adobeRGB
    /// ProPhoto RGB: the primaries and the white of ISO 22028-2 with the exponent 1.8.
    case proPhoto
    /// An ICC profile from a file.
    case file(OutputAttachment)

    private static let words: [(word: String, profile: Profile)] = [
      ("original", .original), ("srgb", .sRGB), ("p3", .displayP3), ("adobe-rgb", .adobeRGB),
      ("prophoto", .proPhoto),
    ]

    public static var kind: String {
      "one of \(words.map(\.word).joined(separator: ", ")), or a profile's file, such as paper.icc"
    }
    public static var typeName: String { "profile" }
    public static var choices: [String] { words.map(\.word) }
    public static var hasRange: Bool { false }
    public static var schema: JSONValue {
      let words = JSONValue.object([
        .init("enum", .array(choices.map { .string($0) }))
      ])
      return .object([.init("anyOf", .array([words, OutputAttachment.schema]))])
    }

    public init?(json: JSONValue) {
      if let text = json.string {
        self.init(argument: text, unit: .none)
      } else {
        guard let file = OutputAttachment(json: json) else { return nil }
        self = .file(file)
      }
    }

    public var json: JSONValue {
      if case .file(let file) = self { file.json } else { .string(argument) }
    }

    public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
      attachment?.problem(in: range)
    }

    /// Reads a word, or the name of a file, which has a dot or a slash in it.
    public init?(argument: String, unit: ParameterUnit) {
      let word = argument.lowercased()
      if let known = Self.words.first(where: { $0.word == word }) {
        self = known.profile
      } else if argument.contains(where: { $0 == "." || $0 == "/" }) {
        self = .file(OutputAttachment(name: argument))
      } else {
        return nil
      }
    }

    public var argument: String {
      attachment?.name ?? Self.words.first { $0.profile == self }?.word ?? ""
    }

    /// The file of a profile that is none of the known ones.
    var attachment: OutputAttachment? { if case .file(let file) = self { file } else { nil } }

    /// The bytes of a profile; `nil` for the photo's own.
    var bytes: [UInt8]? {
      switch self {
      case .original: nil
      case .file(let file): file.profile
      case .sRGB: StandardProfile.sRGB.bytes
      case .displayP3: StandardProfile.displayP3.bytes
      case .adobeRGB: StandardProfile.adobeRGB.bytes
      case .proPhoto: StandardProfile.proPhoto.bytes
      }
    }

    /// What codes in a known profile mean, or in that of a file which is as plain; `nil` for the photo's own and for files
    /// that only lcms2 converts to.
    var coding: PixelCoding? {
      if let file = attachment { return file.bytes.flatMap(ColorProfile.plainCoding) }
      return switch bytes.flatMap({ ColorProfile($0)?.model }) {
      case .sRGB?: .sRGB
      case .matrix(let matrix)?: .matrix(matrix)
      default: nil
      }
    }
  }

  /// How colors that a profile does not have come into it. Source: ICC.1:2022, 6.2.
  public enum Intent: String, Sendable, Hashable, CaseIterable, Codable, ParameterValue {
    /// Looks alike as a whole, as the profile's maker thought best.
    case perceptual
    /// Keeps the colors that the profile has, beside its own white.
    case relative
    /// Keeps colors strong.
    case saturation
    /// Keeps the colors that the profile has, and shows the white of the photo.
    case absolute

    /// lcms2's number.
    var number: UInt32 {
      switch self {
      case .perceptual: 0
      case .relative: 1
      case .saturation: 2
      case .absolute: 3
      }
    }
  }

  /// What becomes of a black that is darker than a profile's.
  public enum BlackPoint: String, Sendable, Hashable, CaseIterable, Codable, ParameterValue {
    /// Black becomes the profile's black, and the tones above it come along (ISO 18619).
    case compensate
    /// Tones that are too dark become the profile's black.
    case keep
  }
}

extension PixelCoding {
  /// Whether a primary is hardly visible light, as in ProPhoto RGB: 8 bits then have steps that are seen.
  var hasImaginaryPrimaries: Bool {
    guard case .matrix(let profile) = self else { return false }
    let elements = profile.toSRGB.elements
    return (0..<3).contains { column in
      (0..<3).reduce(0) { $0 + Luma.weights[$1] * elements[3 * $1 + column] } < 0.02
    }
  }
}
