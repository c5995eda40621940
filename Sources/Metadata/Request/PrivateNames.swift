import SafelightFormats

/// The names of metadata that say where a picture was taken, who is in it, and to whom it belongs.
///
/// Source: IPTC Photo Metadata Standard 2023.2; Metadata Working Group's guidelines 2.0, chapter 5; Exif 2.32, 4.6.6;
/// GeoTIFF 1.1; exiftool's documentation of tags, for those of programs.
struct PrivateNames {
  private let request: MetadataRequest

  init(_ request: MetadataRequest) { self.request = request }

  // MARK: - XMP

  /// Whether a property of XMP, or a field of one, is left out.
  func isPrivate(_ namespace: String, _ name: String) -> Bool {
    // Pictures and sounds inside the packet, with metadata of their own.
    if name == "Data", namespace.hasPrefix("http://ns.google.com/photos/1.0/") { return true }
    if namespace == "http://ns.adobe.com/xap/1.0/g/img/", name == "image" { return true }
    return request.leavesOutPlace && Self.isPlace(namespace, name)
      || request.leavesOutPeople && Self.isPeople(namespace, name)
  }

  private static let places: Set = [
    "city", "state", "province", "provincestate", "country", "countryname", "countrycode",
    "sublocation", "location", "locationshown", "locationcreated", "locationname", "locationid",
    "worldregion", "coverage", "shotlocation", "absolutealtitude", "relativealtitude", "altitude",
    "lat", "long", "geotag", "geolocation", "locality", "spatial", "geography", "continent",
    "county",
    "municipality", "stateprovince", "island", "islandgroup", "waterbody", "highergeography",
    "highergeographyid", "verbatimlocality", "locationremarks", "locationareacode",
    "mobilecountrycode", "mobilenetworkcode",
  ]

  static func isPlace(_ namespace: String, _ name: String) -> Bool {
    let name = name.lowercased()
    return places.contains(name)
      || ["gps", "celltower", "cellglobal"].contains { name.hasPrefix($0) }
      || ["latitude", "longitude", "longtitude"].contains { name.hasSuffix($0) }
      || namespace.hasPrefix("http://www.w3.org/2003/01/geo/")
  }

  private static let people: Set = [
    "personinimage", "personinimagewdetails", "personality", "people", "regioninfo", "imageregion",
    "addlmodelinfo", "modelage", "facesrecinfo", "babyname", "depicts",
  ]
  private static let regions: Set = [
    "http://www.metadataworkinggroup.com/schemas/regions/", "http://ns.acdsee.com/regions/",
    "http://ns.apple.com/faceinfo/1.0/", "http://ns.microsoft.com/photo/1.2/",
    "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
    "http://ns.microsoft.com/photo/1.2/t/Region#",
  ]

  static func isPeople(_ namespace: String, _ name: String) -> Bool {
    let name = name.lowercased()
    return people.contains(name) || regions.contains(namespace)
      || ["face", "recognizedface", "person"].contains { name.hasPrefix($0) }
  }

  private typealias Name = XMPPacket.Namespace

  /// Whether a property of XMP says to whom the picture belongs.
  func isCopyright(_ namespace: String, _ name: String) -> Bool {
    switch namespace {
    case Name.dc: name == "rights" || name == "creator"
    case Name.photoshop: name == "Credit"
    case Name.rights: true
    case Name.tiff: name == "Artist" || name == "Copyright"
    case "http://creativecommons.org/ns#": name == "license" || name.hasPrefix("attribution")
    case "http://ns.useplus.org/ldf/xmp/1.0/":
      ["CopyrightOwner", "ImageCreator", "Licensor"].contains(name)
    case "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": name == "CreatorContactInfo"
    default: false
    }
  }

  // MARK: - Exif

  /// Models of a map in a TIFF.
  private static let maps: Set = [33_550, 33_920, 33_922, 34_264, 34_735, 34_736, 34_737, 42_112]
  /// XMP, IPTC, Photoshop's resources and layers, other directories, and makers' own data.
  private static let hidden: Set = [700, 33_723, 34_377, 37_724, 330, 0xC634]
  /// Who owns the picture.
  private static let owners: Set = [0x8298, 0x13B]
  /// What the colors of the picture are, with the version in which that is said.
  private static let colors: Set = [ExifBlock.Tag.colorSpace, 0x9000]

  func leaveOut(of builder: inout ExifBuilder) {
    if request.kept == .copyright {
      builder.fields[0].removeAll { !Self.owners.contains($0.tag) }
      builder.fields[1].removeAll { !Self.colors.contains($0.tag) }
      builder.fields[2] = []
      builder.fields[3].removeAll { $0.tag > 2 }
      return
    }
    builder.fields[0].removeAll {
      Self.hidden.contains($0.tag) || request.leavesOutPlace && Self.maps.contains($0.tag)
    }
    builder.fields[1].removeAll { $0.tag == ExifBlock.Tag.makerNote }
    if request.leavesOutPlace { builder.fields[2] = [] }
  }

  // MARK: - IPTC and Photoshop

  /// Content locations, city, part of the city, state and country.
  private static let placeRecords: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]
  /// The version, the creator, the credit and the copyright.
  private static let copyrightRecords: Set<UInt8> = [0, 80, 110, 116]
  /// Copyright flag and address; the digest of the records goes with them.
  private static let copyrightResources: Set = [1034, 1035, 1061, 0x0404]
  /// Exif, XMP and thumbnails.
  private static let hiddenResources: Set = [1033, 1036, 1058, 1059, 1060]

  /// Leaves out what the request asks, and with it the end of IPTC records that cannot be read: nobody can look through
  /// it.
  ///
  /// - Returns: How many bytes that end has.
  func leaveOut(of resources: inout PhotoshopResources) -> Int {
    if request.kept == .copyright {
      resources.keep { Self.copyrightResources.contains($0) }
    } else {
      resources.keep { !Self.hiddenResources.contains($0) }
    }
    guard let iptc = resources.iptc else { return 0 }
    var records = IPTCDataSets(iptc)
    let unread = records.isWhole ? 0 : records.unread.count
    records.keep { record, number in
      if request.kept == .copyright {
        return record == 1 ? number == 90 : record == 2 && Self.copyrightRecords.contains(number)
      }
      return record != 2 || !request.leavesOutPlace || !Self.placeRecords.contains(number)
    }
    resources.set(iptc: records.bytes)
    return unread
  }

  // MARK: - PNG

  /// Whether a text of a PNG stays.
  func keeps(text keyword: String) -> Bool {
    if request.kept == .copyright {
      return ["author", "copyright", "disclaimer"].contains(keyword.lowercased())
    }
    if keyword.lowercased().hasPrefix("raw profile type") { return false }
    // ImageMagick's form of Exif values: exif:GPSLatitude.
    let name = keyword.split(separator: ":").last.map { String($0) } ?? keyword
    return !isPrivate("", name)
  }
}
