/// A box of a HEIF or AVIF file: a type of four letters, and bytes.
///
/// Source: ISO/IEC 14496-12.
struct ISOMediaBox {
  /// The four letters of its type, as a number.
  var type: Int
  /// Where its content stands, the box's own header left out.
  var content: Range<Int>

  /// The number that four letters make.
  static func type(_ letters: StaticString) -> Int {
    (0..<4).reduce(0) { $0 << 8 | Int(letters.utf8Start[$1]) }
  }

  /// The boxes in a range, one after the other, as far as they can be read.
  static func list(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> [ISOMediaBox] {
    var result: [ISOMediaBox] = []
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound, let short = bytes.uint32(at: offset),
      let type = bytes.uint32(at: offset + 4)
    {
      var header = 8
      var size = short == 0 ? range.upperBound - offset : short
      if short == 1 {
        // A box beyond 4 GB cannot end inside the window, whatever its low half says.
        guard let high = bytes.uint32(at: offset + 8), let low = bytes.uint32(at: offset + 12)
        else { break }
        header = 16
        size = high == 0 ? low : range.upperBound - offset
      }
      guard size >= header, offset + header <= range.upperBound else { break }
      result.append(
        ISOMediaBox(type: type, content: offset + header..<min(offset + size, range.upperBound)))
      offset += size
    }
    return result
  }
}
