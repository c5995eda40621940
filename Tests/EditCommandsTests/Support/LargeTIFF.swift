import Foundation

/// A gray TIFF of many pixels in few bytes: every strip of it is the same one.
enum LargeTIFF {
  /// - Parameter orientation: As in EXIF, 1 to 8.
  static func data(side: Int, orientation: Int = 1) -> Data {
    let rows = 64
    let strips = side / rows
    let pixels = side * rows
    let offsets = 8 + pixels
    let counts = offsets + strips * 4
    let directory = counts + strips * 4
    var data = Data("II*\0".utf8) + word(directory)
    data += Data(repeating: 128, count: pixels)
    for _ in 0..<strips { data += word(8) }
    for _ in 0..<strips { data += word(pixels) }
    // TIFF 6.0: width, height, bits, no compression, black is zero, strips.
    let entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
      (256, 4, 1, side), (257, 4, 1, strips * rows), (258, 3, 1, 8), (259, 3, 1, 1),
      (262, 3, 1, 1), (273, 4, strips, offsets), (274, 3, 1, orientation), (277, 3, 1, 1),
      (278, 4, 1, rows),
      (279, 4, strips, counts),
    ]
    data += half(entries.count)
    for entry in entries {
      data += half(entry.tag) + half(entry.type) + word(entry.count) + word(entry.value)
    }
    return data + word(0)
  }

  private static func word(_ number: Int) -> Data {
    withUnsafeBytes(of: UInt32(number).littleEndian) { Data($0) }
  }

  private static func half(_ number: Int) -> Data {
    withUnsafeBytes(of: UInt16(number).littleEndian) { Data($0) }
  }
}
