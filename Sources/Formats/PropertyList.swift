import FoundationEssentials

/// A property list as an ordered tree that remembers how it was spelled.
///
/// What was parsed is written back byte for byte: unknown keys are kept, with their spacing,
/// comments and number formats. Scalars keep their text, and a property such as ``integer``
/// interprets it.
package struct PropertyList: Sendable {
  package enum Value: Sendable {
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
  package struct Entry: Sendable {
    package let key: String
    package let value: PropertyList
    /// The bytes from the key (or a comment before it) to the value's end; `nil` when made here.
    package let source: ArraySlice<UInt8>?

    package init(_ key: String, _ value: PropertyList, source: ArraySlice<UInt8>? = nil) {
      self.key = key
      self.value = value
      self.source = source
    }
  }

  package let value: Value
  /// The bytes of the element as parsed; `nil` when made here.
  package let source: ArraySlice<UInt8>?

  package init(_ value: Value, source: ArraySlice<UInt8>? = nil) {
    self.value = value
    self.source = source
  }
}

extension PropertyList {
  package static func dictionary(_ entries: [Entry]) -> PropertyList {
    PropertyList(.dictionary(entries))
  }
  package static func array(_ elements: [PropertyList]) -> PropertyList {
    PropertyList(.array(elements))
  }
  package static func string(_ text: String) -> PropertyList { PropertyList(.string(text)) }
  package static func integer(_ number: Int64) -> PropertyList {
    PropertyList(.integer(String(number)))
  }

  package static func data(_ data: Data) -> PropertyList {
    PropertyList(.data(data.base64EncodedString()))
  }

  package var entries: [Entry]? {
    if case .dictionary(let entries) = value { entries } else { nil }
  }

  package var elements: [PropertyList]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  package var text: String? {
    if case .string(let text) = value { text } else { nil }
  }

  package var boolean: Bool? {
    if case .boolean(let isTrue) = value { isTrue } else { nil }
  }

  /// The number of an integer element that fits; `nil` for other elements and forms.
  package var integer: Int64? {
    guard case .integer(let text) = value else { return nil }
    return Int64(text.withoutOuterSpaces)
  }

  /// The decoded bytes of a data element; `nil` for other elements and when it is not base64.
  package var data: Data? {
    guard case .data(let text) = value else { return nil }
    let digits = text.utf8.filter { !XMLReader.isSpace($0) }
    return Data(base64Encoded: Data(digits))
  }

  /// The list as a document of its own.
  package var document: [UInt8] { PropertyListWriter.write(self) }

  /// The moment in a date element; `nil` for other elements and forms.
  package var date: Date? {
    guard case .date(let text) = value else { return nil }
    return ClockTime.date(utc: text.withoutOuterSpaces)
  }
}

/// Writes property lists as Apple's programs lay them out: tabs, and base64 in lines of 76 columns
/// less the indentation. What was read is written byte for byte.
private struct PropertyListWriter {
  private var output: [UInt8] = []

  static func write(_ root: PropertyList) -> [UInt8] {
    var writer = PropertyListWriter()
    writer.put(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """)
    writer.element(root, indent: 0)
    writer.put("\n</plist>\n")
    return writer.output
  }

  private mutating func element(_ element: PropertyList, indent: Int) {
    if let source = element.source {
      output.append(contentsOf: source)
      return
    }
    switch element.value {
    case .dictionary(let entries):
      container("dict", isEmpty: entries.isEmpty, indent: indent) { writer in
        for entry in entries { writer.entry(entry, indent: indent + 1) }
      }
    case .array(let elements):
      container("array", isEmpty: elements.isEmpty, indent: indent) { writer in
        for element in elements {
          writer.line(indent + 1)
          writer.element(element, indent: indent + 1)
        }
      }
    case .string(let text): simple("string", text)
    case .integer(let text): simple("integer", text)
    case .real(let text): simple("real", text)
    case .date(let text): simple("date", text)
    case .boolean(let isTrue): put(isTrue ? "<true/>" : "<false/>")
    case .data(let text): data(text, indent: indent)
    }
  }

  private mutating func entry(_ entry: PropertyList.Entry, indent: Int) {
    line(indent)
    if let source = entry.source {
      output.append(contentsOf: source)
    } else {
      simple("key", entry.key)
      line(indent)
      element(entry.value, indent: indent)
    }
  }

  private mutating func container(
    _ name: String, isEmpty: Bool, indent: Int, _ content: (inout PropertyListWriter) -> Void
  ) {
    if isEmpty {
      put("<\(name)/>")
      return
    }
    put("<\(name)>")
    content(&self)
    line(indent)
    put("</\(name)>")
  }

  private mutating func data(_ text: String, indent: Int) {
    let digits = text.utf8.filter { !XMLReader.isSpace($0) }
    let width = 76 - 8 * min(indent, 8)
    put("<data>")
    for start in stride(from: 0, to: digits.count, by: width) {
      line(indent)
      output.append(contentsOf: digits[start..<min(start + width, digits.count)])
    }
    line(indent)
    put("</data>")
  }

  private mutating func simple(_ name: String, _ text: String) {
    put("<\(name)>")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): put("&amp;")
      case UInt8(ascii: "<"): put("&lt;")
      case UInt8(ascii: ">"): put("&gt;")
      // Left as it is, a reader would turn it into a line feed.
      case 0x0D: put("&#13;")
      default: output.append(byte)
      }
    }
    put("</\(name)>")
  }

  private mutating func line(_ indent: Int) {
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x09, count: indent))
  }

  private mutating func put(_ text: String) {
    output.append(contentsOf: text.utf8)
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  package var withoutOuterSpaces: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
