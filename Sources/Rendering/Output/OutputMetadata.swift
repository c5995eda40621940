import SafelightAdjustments
import SafelightMetadata

extension RenderOutput {
  /// How much of a photo's metadata a picture has.
  public enum Metadata: String, Sendable, Hashable, CaseIterable, Codable, ParameterValue {
    /// All.
    case all
    /// All but what says where the photo was taken. Maker notes, which nobody else can look through, go with it; keywords
    /// stay, because nobody can tell a place from another word.
    case withoutPlace = "no-place"
    /// All but the faces and the names of people in the photo. Maker notes go with them; keywords stay, because nobody
    /// can tell a name from another word.
    case withoutPeople = "no-people"
    /// Neither place nor people.
    case withoutPlaceOrPeople = "no-place-or-people"
    /// Copyright, creator, credit and terms of use, and nothing else. The picture says by a number of which original it
    /// is, so that Safelight knows it again.
    case copyright
    /// None: Safelight does not know the picture again, and never replaces it.
    case none

    /// Whether metadata stay that say nothing of place, people or copyright.
    var keepsOthers: Bool { self != .copyright && self != .none }
  }

  /// What is asked of the metadata.
  var metadataRequest: MetadataRequest {
    var request = MetadataRequest()
    request.kept = metadata == .none ? .nothing : metadata == .copyright ? .copyright : .all
    request.leavesOutPlace = metadata == .withoutPlace || metadata == .withoutPlaceOrPeople
    request.leavesOutPeople = metadata == .withoutPeople || metadata == .withoutPlaceOrPeople
    (request.title, request.caption) = (title?.text, caption?.text)
    (request.creator, request.copyright) = (creator?.text, copyright?.text)
    (request.credit, request.resolution) = (credit?.text, resolution)
    request.isConverted = profile != .original
    request.leavesOutGainMap = sdr
    return request
  }
}

/// A text for a picture's metadata, in any letters, with lines.
public struct MetadataText: Sendable, Hashable, ParameterValue, ExpressibleByStringLiteral {
  /// The text; its lines end with a line feed.
  public let text: String

  /// A text.
  public init(_ text: String) {
    self.text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").withoutOuterSpaces
  }

  /// A text.
  public init(stringLiteral text: String) { self.init(text) }

  /// The most bytes of a text: all of them together fit into a block of Exif.
  private static let longest = 16_000

  public static var kind: String { "a text" }
  public static var typeName: String { String.typeName }
  public static var hasRange: Bool { false }

  public init?(json: JSONValue) {
    guard let text = json.string else { return nil }
    self.init(text)
  }

  public var json: JSONValue { .string(text) }

  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    if text.isEmpty { return .invalid("is empty") }
    if text.utf8.count > Self.longest { return .invalid("has more than \(Self.longest) bytes") }
    return text.hasControls(except: ["\n", "\t"]) ? .invalid("has control characters") : nil
  }

  public init?(argument: String, unit: ParameterUnit) { self.init(argument) }

  public var argument: String { text }
}

extension String {
  /// Whether the text has control characters other than these.
  func hasControls(except allowed: Set<Unicode.Scalar> = []) -> Bool {
    unicodeScalars.contains {
      $0.properties.generalCategory == .control && !allowed.contains($0)
    }
  }
}
