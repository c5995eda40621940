import FoundationEssentials

/// Why bytes are not a binary property list that can be read.
package enum BinaryPropertyListError: Error, Hashable {
  /// The bytes do not begin with `bplist0`, or are too short.
  case notBinary
  /// A number in the bytes leads outside of them, or an object has another form than is known.
  case damaged
  /// Values are nested more than 64 deep, or lead back to themselves.
  case tooDeep
  /// There are more values, or more bytes in them, than a program would write.
  case tooLarge
}

extension PropertyList {
  /// How many values a binary property list may have, and how many bytes they may have together.
  ///
  /// A binary list may use one object in many places, so that a short file stands for a huge tree.
  package static let binaryLimits = (values: 200_000, bytes: 64 << 20)

  /// Reads a binary property list, `bplist00`.
  ///
  /// Time and memory are bounded by ``binaryLimits``, whatever the bytes say.
  package init(parsingBinary bytes: [UInt8]) throws(BinaryPropertyListError) {
    var reader = try BinaryPropertyListReader(bytes)
    self = try reader.root()
  }

  /// Whether bytes begin as a binary property list does.
  package static func isBinary(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: "bplist0".utf8)
  }
}

/// Reads binary property lists: a header, objects, a table of where they are, and a trailer of 32 bytes about the table.
private struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  private let table: Int
  private var valuesLeft = PropertyList.binaryLimits.values
  private var bytesLeft = PropertyList.binaryLimits.bytes

  private static let trailerSize = 32

  init(_ bytes: [UInt8]) throws(BinaryPropertyListError) {
    guard PropertyList.isBinary(bytes), bytes.count >= 8 + Self.trailerSize else {
      throw .notBinary
    }
    self.bytes = bytes
    let trailer = bytes.count - Self.trailerSize
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { throw .damaged }
    func number(_ place: Int) -> Int? {
      Int(
        exactly: bytes[(trailer + place)..<(trailer + place + 8)].reduce(0) { $0 << 8 | UInt64($1) }
      )
    }
    guard let count = number(8), let top = number(16), let table = number(24),
      top < count, table >= 8, table <= trailer, count <= (trailer - table) / offsetSize
    else { throw .damaged }
    (self.count, self.top, self.table) = (count, top, table)
  }

  mutating func root() throws(BinaryPropertyListError) -> PropertyList {
    try object(top, depth: 1)
  }

  /// A whole number without a sign, which must lie before the table.
  private func number(at place: Int, size: Int) throws(BinaryPropertyListError) -> UInt64 {
    guard place >= 0, size <= 8, place <= bytes.count - Self.trailerSize - size else {
      throw .damaged
    }
    return bytes[place..<(place + size)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func object(
    _ index: Int, depth: Int
  ) throws(BinaryPropertyListError) -> PropertyList {
    guard depth <= PropertyListError.maximumDepth else { throw .tooDeep }
    guard valuesLeft > 0 else { throw .tooLarge }
    valuesLeft -= 1
    guard index < count,
      let place = Int(exactly: try number(at: table + index * offsetSize, size: offsetSize)),
      place >= 8, place < table
    else { throw .damaged }
    let mark = bytes[place]
    let low = Int(mark & 0x0F)
    switch mark >> 4 {
    case 0x0 where low == 8 || low == 9: return PropertyList(.boolean(low == 9))
    case 0x1: return PropertyList(.integer(try integer(at: place + 1, power: low)))
    case 0x2: return PropertyList(.real("\(try real(at: place + 1, power: low))"))
    case 0x3:
      let seconds = Double(bitPattern: try number(at: place + 1, size: 8))
      // Seconds since 2001; beyond these no calendar goes.
      guard abs(seconds) < 1e11 else { throw .damaged }
      return PropertyList(
        .date(ClockTime.text(utc: Date(timeIntervalSince1970: seconds + 978_307_200))))
    case 0x4:
      let content = try content(at: place, low: low, unit: 1)
      return .data(Data(content))
    case 0x5:
      return .string(String(decoding: try content(at: place, low: low, unit: 1), as: UTF8.self))
    case 0x6:
      let content = try content(at: place, low: low, unit: 2)
      let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
        UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    case 0x8:
      return PropertyList(.integer(String(try number(at: place + 1, size: low + 1))))
    case 0xA, 0xC:
      let (start, count) = try length(at: place, low: low)
      var elements: [PropertyList] = []
      for position in 0..<count {
        elements.append(
          try object(try reference(start, position, of: count), depth: depth + 1))
      }
      return .array(elements)
    case 0xD: return try dictionary(at: place, low: low, depth: depth)
    default: throw .damaged
    }
  }

  private mutating func dictionary(
    at place: Int, low: Int, depth: Int
  ) throws(BinaryPropertyListError) -> PropertyList {
    let (start, count) = try length(at: place, low: low)
    var entries: [PropertyList.Entry] = []
    var keys: Set<String> = []
    for position in 0..<count {
      let key = try object(try reference(start, position, of: 2 * count), depth: depth + 1)
      guard let key = key.text, keys.insert(key).inserted else { throw .damaged }
      let value = try object(
        try reference(start, count + position, of: 2 * count), depth: depth + 1)
      entries.append(.init(key, value))
    }
    return .dictionary(entries)
  }

  private func reference(
    _ start: Int, _ position: Int, of count: Int
  ) throws(BinaryPropertyListError) -> Int {
    let number = try number(at: start + position * referenceSize, size: referenceSize)
    guard let index = Int(exactly: number), index < self.count else { throw .damaged }
    return index
  }

  /// Where the content of an object begins and how many units it has, which may stand in a number of its own.
  private func length(
    at place: Int, low: Int
  ) throws(BinaryPropertyListError) -> (start: Int, count: Int) {
    guard low == 0xF else { return (place + 1, low) }
    let mark = try number(at: place + 1, size: 1)
    guard mark >> 4 == 0x1, mark & 0xF <= 3 else { throw .damaged }
    let size = 1 << Int(mark & 0xF)
    guard let count = Int(exactly: try number(at: place + 2, size: size)), count <= bytes.count
    else { throw .damaged }
    return (place + 2 + size, count)
  }

  private mutating func content(
    at place: Int, low: Int, unit: Int
  ) throws(BinaryPropertyListError) -> ArraySlice<UInt8> {
    let (start, count) = try length(at: place, low: low)
    let size = count * unit
    guard start + size <= table else { throw .damaged }
    guard size <= bytesLeft else { throw .tooLarge }
    bytesLeft -= size
    return bytes[start..<(start + size)]
  }

  private func integer(at place: Int, power: Int) throws(BinaryPropertyListError) -> String {
    switch power {
    // Shorter numbers have no sign.
    case 0...2: return String(try number(at: place, size: 1 << power))
    case 3: return String(Int64(bitPattern: try number(at: place, size: 8)))
    case 4:
      let high = Int64(bitPattern: try number(at: place, size: 8))
      let low = try number(at: place + 8, size: 8)
      if high == 0 { return String(low) }
      guard high == -1, low >> 63 == 1 else { throw .damaged }
      return String(Int64(bitPattern: low))
    default: throw .damaged
    }
  }

  private func real(at place: Int, power: Int) throws(BinaryPropertyListError) -> Double {
    let value: Double
    switch power {
    case 2: value = Double(Float(bitPattern: UInt32(try number(at: place, size: 4))))
    case 3: value = Double(bitPattern: try number(at: place, size: 8))
    default: throw .damaged
    }
    guard value.isFinite else { throw .damaged }
    return value
  }
}
