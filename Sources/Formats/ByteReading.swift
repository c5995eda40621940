/// The order in which a TIFF structure stores the bytes of a number.
@usableFromInline @frozen package enum ByteOrder: Sendable {
  /// Least significant byte first, written `II`.
  case little
  /// Most significant byte first, written `MM`.
  case big
}

// Offsets count from the start of the collection, so that slices read like wholes. Everything
// returns nil outside the bounds, because metadata may come from anybody.
extension RandomAccessCollection where Element == UInt8, Index == Int {
  @inlinable package func byte(at offset: Int) -> UInt8? {
    offset >= 0 && offset < count ? self[startIndex + offset] : nil
  }

  @inlinable package func uint16(at offset: Int, _ order: ByteOrder = .big) -> Int? {
    guard offset >= 0, offset <= count - 2 else { return nil }
    let first = Int(self[startIndex + offset])
    let second = Int(self[startIndex + offset + 1])
    return order == .big ? first << 8 | second : second << 8 | first
  }

  @inlinable package func uint32(at offset: Int, _ order: ByteOrder = .big) -> Int? {
    guard offset >= 0, offset <= count - 4,
      let first = uint16(at: offset, order), let second = uint16(at: offset + 2, order)
    else { return nil }
    return order == .big ? first << 16 | second : second << 16 | first
  }

  /// A copy of the bytes at an offset.
  @inlinable package func bytes(at offset: Int, count length: Int) -> [UInt8]? {
    guard offset >= 0, length >= 0, offset <= count - length else { return nil }
    return Array(dropFirst(offset).prefix(length))
  }

  /// Whether the ASCII text stands at an offset.
  @inlinable package func has(_ text: StaticString, at offset: Int = 0) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, offset <= count - length else { return false }
    for index in 0..<length where self[startIndex + offset + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// Where the ASCII text first occurs inside a range of offsets; nil when it does not.
  @inlinable package func offset(of text: StaticString, in range: Range<Int>) -> Int? {
    let last = Swift.min(range.upperBound, count) - text.utf8CodeUnitCount
    var offset = Swift.max(range.lowerBound, 0)
    while offset <= last {
      if self[startIndex + offset] == text.utf8Start[0], has(text, at: offset) { return offset }
      offset += 1
    }
    return nil
  }
}

extension [UInt8] {
  /// Overwrites two bytes; outside the bounds nothing happens.
  @inlinable package mutating func set(uint16 value: Int, at offset: Int, _ order: ByteOrder) {
    guard offset >= 0, offset <= count - 2 else { return }
    let bytes = [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    self[offset] = bytes[order == .big ? 0 : 1]
    self[offset + 1] = bytes[order == .big ? 1 : 0]
  }

  /// Overwrites four bytes; outside the bounds nothing happens.
  @inlinable package mutating func set(uint32 value: Int, at offset: Int, _ order: ByteOrder) {
    guard offset >= 0, offset <= count - 4 else { return }
    set(uint16: value >> 16, at: order == .big ? offset : offset + 2, order)
    set(uint16: value & 0xFFFF, at: order == .big ? offset + 2 : offset, order)
  }

  @inlinable package mutating func append(uint16 value: Int, _ order: ByteOrder = .big) {
    append(contentsOf: [0, 0])
    set(uint16: value, at: count - 2, order)
  }

  @inlinable package mutating func append(uint32 value: Int, _ order: ByteOrder = .big) {
    append(contentsOf: [0, 0, 0, 0])
    set(uint32: value, at: count - 4, order)
  }

  @inlinable package mutating func append(ascii text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }
}
