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
