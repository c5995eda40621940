import FoundationEssentials
import SafelightFormats

/// What captions, keywords, credits and dates of other kinds of metadata are in XMP.
///
/// Source: IPTC Photo Metadata Standard 2023.2 (IIM and XMP), Metadata Working Group's guidelines 2.0, XMP specification
/// part 2, PNG specification, third edition (keywords).
struct DescribedProperties {
  private(set) var properties: [XMPPacket.Property] = []
  /// Data sets of IPTC-IIM that XMP has no property for.
  private(set) var leftOut: [UInt8] = []

  private typealias Name = XMPPacket.Namespace

  private static let prefixes = [
    Name.dc: "dc", Name.photoshop: "photoshop", Name.xmp: "xmp", Name.exif: "exif",
    Name.tiff: "tiff", Name.core: "Iptc4xmpCore", Name.rights: "xmpRights",
  ]

  mutating func add(
    _ namespace: String, _ name: String, _ form: XMPPacket.Property.Form, _ values: [String]
  ) {
    guard !values.isEmpty, let prefix = Self.prefixes[namespace] else { return }
    properties.append(
      XMPPacket.Property(
        namespace: namespace, prefix: prefix, name: name, form: form,
        values: form == .text || form == .language ? Array(values.prefix(1)) : values))
  }

  // MARK: - IPTC

  private static let iptc: [UInt8: (String, String, XMPPacket.Property.Form)] = [
    5: (Name.dc, "title", .language), 10: (Name.photoshop, "Urgency", .text),
    15: (Name.photoshop, "Category", .text),
    20: (Name.photoshop, "SupplementalCategories", .bag), 25: (Name.dc, "subject", .bag),
    40: (Name.photoshop, "Instructions", .text), 80: (Name.dc, "creator", .sequence),
    85: (Name.photoshop, "AuthorsPosition", .text), 90: (Name.photoshop, "City", .text),
    92: (Name.core, "Location", .text), 95: (Name.photoshop, "State", .text),
    100: (Name.core, "CountryCode", .text), 101: (Name.photoshop, "Country", .text),
    103: (Name.photoshop, "TransmissionReference", .text),
    105: (Name.photoshop, "Headline", .text), 110: (Name.photoshop, "Credit", .text),
    115: (Name.photoshop, "Source", .text), 116: (Name.dc, "rights", .language),
    120: (Name.dc, "description", .language), 122: (Name.photoshop, "CaptionWriter", .text),
  ]
  /// The version of the records, times of their dates, and what says how the records were made.
  private static let silent: Set<UInt8> = [0, 3, 7, 8, 22, 47, 60, 63, 65, 70, 75]

  /// Takes IPTC records.
  mutating func add(_ records: IPTCRecords) {
    for set in records.dataSets.sorted() where !records.texts(set).isEmpty {
      switch set {
      case IPTCRecords.DataSet.dateCreated:
        add(
          Name.photoshop, "DateCreated", .text, date(records, set, IPTCRecords.DataSet.timeCreated))
      case IPTCRecords.DataSet.digitalDateCreated:
        add(
          Name.xmp, "CreateDate", .text, date(records, set, IPTCRecords.DataSet.digitalTimeCreated))
      default:
        if let place = Self.iptc[set] {
          add(place.0, place.1, place.2, records.texts(set))
        } else if !Self.silent.contains(set) {
          leftOut.append(set)
        }
      }
    }
  }

  /// A date as XMP has it, of any precision.
  private func date(_ records: IPTCRecords, _ date: UInt8, _ time: UInt8) -> [String] {
    guard let day = records.texts(date).first, day.count == 8, day.allSatisfy(Self.isDigit) else {
      return []
    }
    let digits = Array(day)
    // A month or a day of 00 is one that nobody knows.
    var text = String(digits[..<4])
    if digits[4..<6] != ["0", "0"] { text += "-" + String(digits[4..<6]) }
    guard digits[4..<6] != ["0", "0"], digits[6..<8] != ["0", "0"] else { return [text] }
    text += "-" + String(digits[6..<8])
    guard let clock = records.texts(time).first.map(Array.init), clock.count >= 6,
      clock[..<6].allSatisfy(Self.isDigit)
    else { return [text] }
    text += "T\(String(clock[..<2])):\(String(clock[2..<4])):\(String(clock[4..<6]))"
    if clock.count == 11, clock[6] == "+" || clock[6] == "-" {
      text += "\(clock[6])\(String(clock[7..<9])):\(String(clock[9..<11]))"
    }
    return [text]
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }

  // MARK: - Texts of a PNG

  private static let keywords: [String: (String, String, XMPPacket.Property.Form)] = [
    "title": (Name.dc, "title", .language), "author": (Name.dc, "creator", .sequence),
    "description": (Name.dc, "description", .language), "copyright": (Name.dc, "rights", .language),
    "software": (Name.xmp, "CreatorTool", .text), "source": (Name.dc, "source", .text),
    "disclaimer": (Name.rights, "UsageTerms", .language),
    "comment": (Name.exif, "UserComment", .language),
  ]

  /// Whether XMP has a property for a keyword.
  static func hasPlace(for keyword: String) -> Bool {
    let key = keyword.lowercased()
    return key == creationTime || keywords[key] != nil
  }

  private static let creationTime = "creation time"

  /// Takes a text of a PNG; false when XMP has no property for its keyword.
  mutating func add(keyword: String, _ text: String) -> Bool {
    if text.isEmpty { return true }
    let key = keyword.lowercased()
    if key == Self.creationTime {
      guard let time = Self.date(text) else { return false }
      add(Name.photoshop, "DateCreated", .text, [time])
      return true
    }
    guard let place = Self.keywords[key] else { return false }
    add(place.0, place.1, place.2, [text])
    return true
  }

  /// The date of a PNG as XMP has it: the specification recommends RFC 1123, and programs write ISO 8601 and Exif's form.
  private static func date(_ text: String) -> String? {
    let text = text.withoutOuterSpaces
    if ClockTime(iso: text) != nil { return text.replacing(" ", with: "T", maxReplacements: 1) }
    var parts = text.split(separator: " ")
    if parts.count >= 2, ClockTime(exif: text) != nil {
      return parts[0].replacing(":", with: "-") + "T" + parts[1]
    }
    if parts.first?.hasSuffix(",") == true { parts.removeFirst() }
    let months = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    guard parts.count >= 4, let day = Int(parts[0]), (1...31).contains(day),
      let year = Int(parts[2]),
      (1000...9999).contains(year), let month = months.firstIndex(of: parts[1].lowercased())
    else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(year)-\(two(month + 1))-\(two(day))T\(parts[3])"
    let zone = parts.count > 4 ? String(parts[4]) : ""
    let offset =
      ["GMT", "UT", "UTC", "Z", "+0000", "-0000"].contains(zone)
      ? "Z" : zone.count == 5 ? "\(zone.prefix(3)):\(zone.suffix(2))" : ""
    return [date + offset, date].first { ClockTime(iso: $0) != nil }
  }

  // MARK: - Comments and resolution

  /// Takes the comment of a JPEG.
  mutating func add(comment: String) {
    add(Name.exif, "UserComment", .language, [comment])
  }

  /// Takes the resolution of a picture whose file has no other place for it.
  mutating func add(_ density: PixelDensity) {
    guard density.unit != .none else { return }
    func fraction(_ number: Double) -> String { "\(Int((number * 1000).rounded()))/1000" }
    add(Name.tiff, "XResolution", .text, [fraction(density.across)])
    add(Name.tiff, "YResolution", .text, [fraction(density.down)])
    add(Name.tiff, "ResolutionUnit", .text, [density.unit == .inch ? "2" : "3"])
  }

  /// Takes Photoshop's copyright flag and address (resources 1034 and 1035).
  mutating func add(_ resources: PhotoshopResources) {
    for resource in resources.resources {
      let data = resources.bytes[resource.data]
      if resource.id == 1034, data.contains(where: { $0 != 0 }) {
        add(Name.rights, "Marked", .text, ["True"])
      } else if resource.id == 1035, let address = String(validating: data, as: UTF8.self),
        !address.isEmpty
      {
        add(Name.rights, "WebStatement", .text, [address])
      }
    }
  }
}

/// How many pixels of a picture there are in a unit of length.
struct PixelDensity: Sendable, Equatable {
  enum Unit: Sendable { case none, inch, centimeter }

  var across, down: Double
  /// `none` says that the numbers are only the shape of a pixel.
  var unit: Unit

  /// Pixels in a meter, across and down; `nil` where the unit is not known.
  var perMeter: (across: Int, down: Int)? {
    let factor = unit == .inch ? 1 / 0.0254 : 100
    let (x, y) = ((across * factor).rounded(), (down * factor).rounded())
    guard unit != .none, (1...4e9).contains(x), (1...4e9).contains(y) else { return nil }
    return (Int(x), Int(y))
  }
}
