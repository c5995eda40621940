import SafelightFormats

/// The data sets of IPTC-IIM as they stand in a file, so that single ones can be changed.
///
/// Source: IPTC-NAA Information Interchange Model, version 4.2, chapters 1.5 and 6.
struct IPTCDataSets {
  private struct DataSet {
    let record: UInt8
    let number: UInt8
    var value: [UInt8]

    var place: (UInt8, UInt8) { (record, number) }
  }

  private var sets: [DataSet] = []
  /// What stands behind the data sets. It cannot be read, but for zeros.
  private(set) var unread: [UInt8]

  /// ISO 2022's mark for UTF-8.
  private static let utf8: [UInt8] = [0x1B, 0x25, 0x47]
  /// The data set with the mark.
  private static let mark: (UInt8, UInt8) = (1, 90)
  /// Data sets of the application record that are no text.
  private static let binary: Set<UInt8> = [0, 125, 200, 201, 202]

  /// Reads as many data sets as can be read.
  init(_ bytes: [UInt8]) {
    var offset = 0
    while bytes.byte(at: offset) == 0x1C, let record = bytes.byte(at: offset + 1),
      let number = bytes.byte(at: offset + 2), let value = Self.value(in: bytes, at: offset + 3)
    {
      sets.append(DataSet(record: record, number: number, value: Array(bytes[value])))
      offset = value.upperBound
    }
    unread = Array(bytes[offset...])
  }

  /// Where the value lies whose length stands at an offset; `nil` when it is not whole.
  ///
  /// A length of 0x8000 and more says in how many bytes the length itself follows (1.5.4).
  private static func value(in bytes: [UInt8], at offset: Int) -> Range<Int>? {
    guard var size = bytes.uint16(at: offset) else { return nil }
    var start = offset + 2
    if size >= 0x8000 {
      let width = size - 0x8000
      guard width > 0, width <= bytes.count - start else { return nil }
      size = 0
      for byte in bytes[start..<start + width] {
        size = size << 8 | Int(byte)
        guard size <= bytes.count else { return nil }
      }
      start += width
    }
    return size <= bytes.count - start ? start..<start + size : nil
  }

  /// Whether there are no data sets.
  var isEmpty: Bool { sets.isEmpty }

  /// Whether all bytes belong to data sets, but for zeros at the end.
  var isWhole: Bool { unread.allSatisfy { $0 == 0 } }

  /// Whether the texts are marked as UTF-8.
  var isUTF8: Bool { sets.last { $0.place == Self.mark }?.value == Self.utf8 }

  /// The values of the application record by number, in file order.
  var values: [UInt8: [[UInt8]]] {
    var values: [UInt8: [[UInt8]]] = [:]
    for set in sets where set.record == 2 { values[set.number, default: []].append(set.value) }
    return values
  }

  /// The data sets as a file has them, and behind them what could not be read.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for set in sets {
      bytes += [0x1C, set.record, set.number]
      if set.value.count < 0x8000 {
        bytes.append(uint16: set.value.count)
      } else {
        bytes.append(uint16: 0x8004)
        bytes.append(uint32: set.value.count)
      }
      bytes += set.value
    }
    return isWhole ? bytes : bytes + unread
  }

  /// Leaves out all data sets but some, and what cannot be read.
  mutating func keep(_ isKept: (_ record: UInt8, _ number: UInt8) -> Bool) {
    sets.removeAll { !isKept($0.record, $0.number) }
    unread = []
  }

  /// Removes a data set of the application record.
  mutating func remove(_ number: UInt8) {
    sets.removeAll { $0.place == (2, number) }
  }

  /// Makes all texts UTF-8, and says so.
  mutating func makeUTF8() {
    guard !isUTF8 else { return }
    for index in sets.indices
    where sets[index].record == 2 && !Self.binary.contains(sets[index].number) {
      sets[index].value = Array(String(utf8OrLatin1: sets[index].value).utf8)
    }
    sets.removeAll { $0.place == Self.mark }
    let place = sets.firstIndex { $0.place > Self.mark } ?? sets.count
    sets.insert(DataSet(record: 1, number: 90, value: Self.utf8), at: place)
    if !sets.contains(where: { $0.place == (2, 0) }) {
      let start = sets.firstIndex { $0.record >= 2 } ?? sets.count
      sets.insert(DataSet(record: 2, number: 0, value: [0, 4]), at: start)
    }
  }

  /// Sets a text of the application record.
  ///
  /// - Parameter limit: The most bytes of a value; whole letters are cut off of longer ones.
  /// - Returns: Whether a value was cut.
  mutating func set(_ number: UInt8, _ values: [String], limit: Int) -> Bool {
    remove(number)
    var isCut = false
    let place = sets.firstIndex { $0.place > (2, number) } ?? sets.count
    let added = values.map { text in
      var letters = text[...]
      while letters.utf8.count > limit { letters.removeLast() }
      isCut = isCut || letters.utf8.count < text.utf8.count
      return DataSet(record: 2, number: number, value: Array(letters.utf8))
    }
    sets.insert(contentsOf: added, at: place)
    return isCut
  }
}

/// The texts of IPTC-IIM that describe a photo.
///
/// Source: IPTC-NAA Information Interchange Model, version 4.2, chapters 5 and 6.
struct IPTCRecords {
  /// The values of the application record by number, in file order.
  private let values: [UInt8: [[UInt8]]]
  private let isUTF8: Bool

  /// The application record's data sets.
  enum DataSet {
    static let objectName: UInt8 = 5
    static let keywords: UInt8 = 25
    static let dateCreated: UInt8 = 55
    static let timeCreated: UInt8 = 60
    static let digitalDateCreated: UInt8 = 62
    static let digitalTimeCreated: UInt8 = 63
    static let caption: UInt8 = 120
  }

  init(_ bytes: [UInt8]) {
    let sets = IPTCDataSets(bytes)
    (values, isUTF8) = (sets.values, sets.isUTF8)
  }

  /// The numbers of the data sets that there are.
  var dataSets: Set<UInt8> { Set(values.keys) }

  /// The texts of a data set, empty ones left out.
  func texts(_ dataSet: UInt8) -> [String] {
    (values[dataSet] ?? []).compactMap { value in
      let text = isUTF8 ? String(decoding: value, as: UTF8.self) : String(utf8OrLatin1: value)
      let trimmed = text.prefix { $0 != "\0" }.withoutOuterSpaces
      return trimmed.isEmpty ? nil : trimmed
    }
  }
}

extension String {
  /// Reads letters that no mark describes: most programs then write Latin-1, and some UTF-8.
  init(utf8OrLatin1 bytes: some Collection<UInt8>) {
    self =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
