import SafelightFormats

/// A TIFF structure written by hand, independently of the code under test.
struct ExifFixture {
  /// A directory entry: inline when `data` has at most four bytes, otherwise at the offset `at`.
  struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    var data: [UInt8]
    var at: Int

    init(_ tag: Int, _ type: Int, _ count: Int, _ data: [UInt8], at: Int = 0) {
      self.tag = tag
      self.type = type
      self.count = count
      self.data = data
      self.at = at
    }
  }

  let isLittle: Bool
  private(set) var bytes: [UInt8]

  init(little: Bool, size: Int = 512, firstDirectory: Int = 8) {
    isLittle = little
    bytes = [UInt8](repeating: 0, count: size)
    put(little ? [0x49, 0x49] : [0x4D, 0x4D], at: 0)
    put(short(42), at: 2)
    put(long(firstDirectory), at: 4)
  }

  func short(_ value: Int) -> [UInt8] {
    let big = [UInt8(value >> 8 & 255), UInt8(value & 255)]
    return isLittle ? big.reversed() : big
  }

  func long(_ value: Int) -> [UInt8] {
    let big = [24, 16, 8, 0].map { UInt8(value >> $0 & 255) }
    return isLittle ? big.reversed() : big
  }

  func rational(_ pairs: [(Int, Int)]) -> [UInt8] { pairs.flatMap { long($0.0) + long($0.1) } }

  mutating func put(_ data: [UInt8], at offset: Int) {
    for (index, byte) in data.enumerated() { bytes[offset + index] = byte }
  }

  mutating func directory(at offset: Int, _ entries: [Entry], next: Int = 0) {
    put(short(entries.count), at: offset)
    for (index, entry) in entries.enumerated() {
      let position = offset + 2 + 12 * index
      put(short(entry.tag) + short(entry.type) + long(entry.count), at: position)
      if entry.at > 0 {
        put(long(entry.at), at: position + 8)
        if entry.at + entry.data.count <= bytes.count { put(entry.data, at: entry.at) }
      } else {
        put(entry.data, at: position + 8)
      }
    }
    put(long(next), at: offset + 2 + 12 * entries.count)
  }

  /// The time in the block of ``camera(little:orientation:)``.
  static let captureTime = ClockTime(
    exif: "2024:02:29 12:30:15", subSeconds: "25", offsets: ["+02:00"])

  /// A camera's block: IFD0 at 8, Exif at 100, GPS at 200, IFD1 at 300, thumbnail at 400 to 500.
  static func camera(little: Bool, orientation: Int = 6) -> ExifFixture {
    var block = ExifFixture(little: little, size: 500)
    block.directory(
      at: 8,
      [
        Entry(0x10F, 2, 8, Array("Kamera \0".utf8), at: 90),
        Entry(0x112, 3, 1, block.short(orientation)),
        Entry(0x8769, 4, 1, block.long(100)),
        Entry(0x8825, 4, 1, block.long(220)),
      ], next: 300)
    block.directory(
      at: 100,
      [
        Entry(0x9003, 2, 20, Array("2024:02:29 12:30:15\0".utf8), at: 180),
        Entry(0x9011, 2, 7, Array("+02:00\0".utf8), at: 202),
        Entry(0x9291, 2, 3, Array("25\0".utf8)),
        Entry(0x927C, 7, 4, [1, 2, 3, 4]),
        Entry(0xA002, 4, 1, block.long(4000)),
        Entry(0xA003, 3, 1, block.short(3000)),
      ])
    let degrees = block.rational([(52, 1), (30, 1), (0, 0)])
    block.directory(
      at: 220,
      [
        Entry(1, 2, 2, Array("S\0".utf8)), Entry(2, 5, 3, degrees, at: 276),
        Entry(5, 1, 1, [1]), Entry(6, 5, 1, block.rational([(125, 10)]), at: 374),
      ])
    block.directory(
      at: 300,
      [
        Entry(0x201, 4, 1, block.long(400)), Entry(0x202, 4, 1, block.long(100)),
        Entry(0x131, 2, 8, Array("secret\0\0".utf8), at: 360),
      ])
    block.put([UInt8](repeating: 0xEE, count: 100), at: 400)
    return block
  }
}
