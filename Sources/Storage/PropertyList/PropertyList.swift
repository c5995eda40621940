import FoundationEssentials
import SafelightAdjustments

/// A property list as an ordered tree that remembers how it was spelled.
///
/// Whatever was parsed is written back in the very bytes it was read in: keys nobody here knows
/// survive, with their spacing, comments and number formats. Scalars keep their text and are
/// interpreted when asked for.
struct PropertyList: Sendable {
  enum Value: Sendable {
    case dictionary([Entry])
    case array([PropertyList])
    case string(String)
    /// Base64, perhaps with spaces and line ends.
    case data(String)
    case integer(String)
    case real(String)
    case date(String)
    case boolean(Bool)
  }

  /// One key of a dictionary.
  struct Entry: Sendable {
    let key: String
    let value: PropertyList
    /// The bytes from the key (or a comment before it) to the value's end; `nil` when made here.
    let source: ArraySlice<UInt8>?

    init(_ key: String, _ value: PropertyList, source: ArraySlice<UInt8>? = nil) {
      self.key = key
      self.value = value
      self.source = source
    }
  }

  let value: Value
  /// The bytes of the element as parsed; `nil` when made here.
  let source: ArraySlice<UInt8>?

  init(_ value: Value, source: ArraySlice<UInt8>? = nil) {
    self.value = value
    self.source = source
  }
}

extension PropertyList {
  static func dictionary(_ entries: [Entry]) -> PropertyList { PropertyList(.dictionary(entries)) }
  static func array(_ elements: [PropertyList]) -> PropertyList { PropertyList(.array(elements)) }
  static func string(_ text: String) -> PropertyList { PropertyList(.string(text)) }
  static func integer(_ number: Int64) -> PropertyList { PropertyList(.integer(String(number))) }

  static func data(_ data: Data) -> PropertyList {
    PropertyList(.data(data.base64EncodedString()))
  }

  var entries: [Entry]? {
    if case .dictionary(let entries) = value { entries } else { nil }
  }

  var elements: [PropertyList]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  var text: String? {
    if case .string(let text) = value { text } else { nil }
  }

  var boolean: Bool? {
    if case .boolean(let isTrue) = value { isTrue } else { nil }
  }

  /// The number of an integer element that fits; `nil` for other elements and forms.
  var integer: Int64? {
    guard case .integer(let text) = value else { return nil }
    return Int64(text.withoutOuterSpaces)
  }

  /// The decoded bytes of a data element; `nil` for other elements and when it is not base64.
  var data: Data? {
    guard case .data(let text) = value else { return nil }
    let digits = text.utf8.filter { !PropertyListParser.isSpace($0) }
    return Data(base64Encoded: Data(digits))
  }

  /// The moment in a date element; `nil` for other elements and forms.
  var date: Date? {
    guard case .date(let text) = value else { return nil }
    return Timestamp.date(text.withoutOuterSpaces)
  }
}
