import SafelightFormats

/// The texts of a ``MetadataRequest`` in the places that XMP, Exif and IPTC have for them.
///
/// Source: Metadata Working Group's guidelines 2.0, chapter 5 (description, creator, copyright); IPTC Photo Metadata
/// Standard 2023.2 (title, credit; lengths of IIM).
struct WrittenTexts {
  /// A data set of IPTC's application record.
  struct Record {
    let number: UInt8
    /// What people call it.
    let name: String
    let values: [String]
    /// The most bytes of a value.
    let limit: Int
  }

  private(set) var properties: [XMPPacket.Property] = []
  private(set) var records: [Record] = []
  /// Fields of Exif's first directory.
  private(set) var exif: [(tag: Int, value: ExifBuilder.Value)] = []
  /// Tags of the first directory in which Windows says the same.
  private(set) var replacedTags: Set<Int> = []
  /// Properties, namespace and name in one, in which older programs say the same.
  private(set) var replacedProperties: Set<String> = []
  /// Keywords of PNG's texts that say the same, in lowercase letters.
  private(set) var keywords: Set<String> = []

  private typealias Name = XMPPacket.Namespace

  init(_ request: MetadataRequest) {
    if let title = request.title {
      add(Name.dc, "title", .language, [title])
      add(record: 5, "title", [title], limit: 64)
      replace(tag: 0x9C9B, keyword: "title")
    }
    if let caption = request.caption {
      add(Name.dc, "description", .language, [caption])
      add(record: 120, "caption", [caption], limit: 2000)
      exif.append((0x10E, .text(caption)))
      replace(tag: 0x9C9F, property: "ImageDescription", keyword: "description")
    }
    let names = request.creator.map(MetadataRequest.names(ofCreator:)) ?? []
    if !names.isEmpty {
      add(Name.dc, "creator", .sequence, names)
      add(record: 80, "creator", names, limit: 32)
      exif.append((0x13B, .text(names.joined(separator: "; "))))
      replace(tag: 0x9C9D, property: "Artist", keyword: "author")
    }
    if let copyright = request.copyright {
      add(Name.dc, "rights", .language, [copyright])
      add(record: 116, "copyright", [copyright], limit: 128)
      exif.append((0x8298, .text(copyright)))
      replace(property: "Copyright", keyword: "copyright")
    }
    if let credit = request.credit {
      add(Name.photoshop, "Credit", .text, [credit])
      add(record: 110, "credit", [credit], limit: 32)
    }
  }

  private mutating func add(
    _ namespace: String, _ name: String, _ form: XMPPacket.Property.Form, _ values: [String]
  ) {
    properties.append(
      XMPPacket.Property(
        namespace: namespace, prefix: namespace == Name.dc ? "dc" : "photoshop", name: name,
        form: form, values: values))
  }

  private mutating func add(
    record number: UInt8, _ name: String, _ values: [String], limit: Int
  ) {
    // Only captions have lines (IIM 4.2, 6.2.2).
    let values =
      number == 120
      ? values
      : values.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
    records.append(Record(number: number, name: name, values: values, limit: limit))
  }

  private mutating func replace(tag: Int? = nil, property: String? = nil, keyword: String) {
    if let tag { replacedTags.insert(tag) }
    if let property { replacedProperties.insert(Name.tiff + property) }
    keywords.insert(keyword)
  }
}

/// The data sets of IPTC-IIM as they stand in a file, so that single ones can be changed.
///
/// Source: IPTC-NAA Information Interchange Model, version 4.2, chapter 1.5 and 6.
struct IPTCDataSets {
  private struct DataSet {
    let record: UInt8
    let number: UInt8
    var value: [UInt8]
  }

  private var sets: [DataSet] = []
  /// ISO 2022's mark for UTF-8.
  private static let utf8: [UInt8] = [0x1B, 0x25, 0x47]
  /// Data sets of the application record that are no text.
  private static let binary: Set<UInt8> = [0, 125, 200, 201, 202]

  /// Reads as many data sets as can be read.
  init(_ bytes: [UInt8]) {
    var offset = 0
    while bytes.byte(at: offset) == 0x1C, let record = bytes.byte(at: offset + 1),
      let number = bytes.byte(at: offset + 2), let size = bytes.uint16(at: offset + 3),
      size < 0x8000, offset + 5 + size <= bytes.count
    {
      sets.append(
        DataSet(
          record: record, number: number, value: Array(bytes[(offset + 5)..<(offset + 5 + size)])))
      offset += 5 + size
    }
  }

  /// The data sets as a file has them.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for set in sets {
      bytes += [0x1C, set.record, set.number]
      bytes.append(uint16: set.value.count)
      bytes += set.value
    }
    return bytes
  }

  /// Leaves out all data sets but some.
  mutating func keep(_ isKept: (_ record: UInt8, _ number: UInt8) -> Bool) {
    sets.removeAll { !isKept($0.record, $0.number) }
  }

  /// Removes a data set of the application record.
  mutating func remove(_ number: UInt8) {
    sets.removeAll { $0.record == 2 && $0.number == number }
  }

  /// Makes all texts UTF-8, and says so.
  mutating func makeUTF8() {
    let isMarked = sets.contains { $0.record == 1 && $0.number == 90 && $0.value == Self.utf8 }
    guard !isMarked else { return }
    // Without a mark most programs write Latin-1, and some UTF-8.
    for index in sets.indices
    where sets[index].record == 2 && !Self.binary.contains(sets[index].number)
      && String(validating: sets[index].value, as: UTF8.self) == nil
    {
      let letters = sets[index].value.map { Unicode.Scalar($0) }
      sets[index].value = Array(String(String.UnicodeScalarView(letters)).utf8.prefix(0x7FFF))
    }
    sets.removeAll { $0.record == 1 && $0.number == 90 }
    let place = sets.firstIndex { ($0.record, $0.number) > (1, 90) } ?? sets.count
    sets.insert(DataSet(record: 1, number: 90, value: Self.utf8), at: place)
    if !sets.contains(where: { $0.record == 2 && $0.number == 0 }) {
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
    let place = sets.firstIndex { ($0.record, $0.number) > (2, number) } ?? sets.count
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
