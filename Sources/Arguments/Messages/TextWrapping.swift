/// A text with its lines broken between words so that they fit.
///
/// Lines that start with a space are examples or tables and stay as they are; so does a word that
/// is too long for a line of its own.
///
/// - Parameters:
///   - columns: The longest line, in characters, the indent included; at least 20 stay for text.
///   - indent: Spaces before every line.
///   - hanging: Spaces before every line but the first of each paragraph.
package func wrapped(_ text: String, to columns: Int, indent: Int = 0, hanging: Int? = nil)
  -> String
{
  let margin = String(repeating: " ", count: indent)
  let hangingMargin = String(repeating: " ", count: hanging ?? indent)
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.map { line in
    if line.isEmpty { return "" }
    if line.first == " " { return margin + line }
    var filled: [String] = []
    var current = margin
    var isEmpty = true
    for word in line.split(separator: " ") {
      let limit = max(columns, indent + 20)
      if !isEmpty, current.count + 1 + word.count > limit {
        filled.append(current)
        current = hangingMargin
        isEmpty = true
      }
      current += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (filled + [current]).joined(separator: "\n")
  }.joined(separator: "\n")
}
