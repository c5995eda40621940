/// Why a text is not a property list that can be read.
///
/// What is read is the part of XML that property lists use: UTF-8, no attributes but the version,
/// no processing instructions, and no definitions of entities.
public struct PropertyListError: Error, Hashable, CustomStringConvertible {
  /// What was wrong.
  public enum Problem: Sendable, Hashable {
    /// The text ends in the middle.
    case unexpectedEnd
    /// The bytes are not UTF-8.
    case notUTF8
    /// A character that XML does not allow.
    case forbiddenCharacter
    /// Something else should stand here.
    case expected(String)
    /// An element that property lists do not have, or not here.
    case unknownElement(String)
    /// An entity other than the five that XML names, or a number that is no character.
    case unknownEntity(String)
    /// A document type with definitions of its own.
    case documentTypeWithDefinitions
    /// Elements nested more than ``maximumDepth`` deep.
    case tooDeep
    /// A key that stands twice in one dictionary.
    case duplicateKey(String)
  }

  /// How deep dictionaries and arrays may be nested.
  public static let maximumDepth = 64

  /// The line of the problem, the first being 1.
  public let line: Int
  /// What was wrong.
  public let problem: Problem

  /// What happened, in one sentence.
  public var description: String {
    let what =
      switch problem {
      case .unexpectedEnd: "the text ends too early"
      case .notUTF8: "the text is not UTF-8"
      case .forbiddenCharacter: "there is a character that XML does not allow"
      case .expected(let what): "\(what) is missing"
      case .unknownElement(let name): "<\(name)> does not belong here"
      case .unknownEntity(let name): "&\(name); is not a known character"
      case .documentTypeWithDefinitions: "the document type defines entities of its own"
      case .tooDeep: "elements are nested more than \(Self.maximumDepth) deep"
      case .duplicateKey(let key): "the key \(key) stands twice in one dictionary"
      }
    return "Line \(line): \(what)."
  }
}
