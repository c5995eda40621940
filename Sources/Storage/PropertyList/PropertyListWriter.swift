/// Writes XML property lists as Apple's programs lay them out: tabs, base64 in lines of 76
/// columns less the indentation. What was parsed is written in the bytes it was read in.
struct PropertyListWriter {
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
    let digits = text.utf8.filter { !PropertyListParser.isSpace($0) }
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
