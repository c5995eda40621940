import FoundationEssentials
import SafelightFormats

/// What is asked of the metadata of a picture that is written to a file of its own: what it keeps of its photo's, and what
/// is said anew.
package struct MetadataRequest: Sendable, Hashable {
  /// How much of a photo's metadata is kept.
  package enum Kept: Sendable, Hashable {
    /// Everything.
    case all
    /// Who made the picture, and what may be done with it.
    case copyright
    /// Nothing.
    case nothing
  }

  package var kept = Kept.all
  /// Whether what says where the picture was taken is left out.
  package var leavesOutPlace = false
  /// Whether what says who is in the picture is left out.
  package var leavesOutPeople = false
  /// A short name for the picture.
  package var title: String?
  /// What the picture shows.
  package var caption: String?
  /// Who made it; several names have a semicolon between them.
  package var creator: String?
  /// Who owns it.
  package var copyright: String?
  /// Who is named beside it.
  package var credit: String?
  /// Pixels per inch; nil keeps what the photo says.
  package var resolution: Double?
  /// Whether the colors were converted to another profile than the photo's.
  package var isConverted = false
  /// Whether the picture has no gain map because none is wanted.
  package var leavesOutGainMap = false

  /// Asks for nothing: the picture has all metadata of its photo.
  package init() {}

  /// The names in ``creator``.
  package static func names(ofCreator creator: String) -> [String] {
    creator.split(separator: ";").map { $0.withoutOuterSpaces }.filter { !$0.isEmpty }
  }

  /// Whether the metadata stay as they are.
  fileprivate var isNothing: Bool { self == MetadataRequest() }
  /// Whether anything of the photo's metadata is left out.
  fileprivate var leavesOut: Bool { kept != .all || leavesOutPlace || leavesOutPeople }
}

/// What a picture says of the photo that it was made from.
enum NamedOriginal: Sendable {
  /// The name of the file, and what is in it.
  case byName
  /// What is in the file, as a number that says nothing to others.
  case byContents
  /// Nothing.
  case not

  /// What is said; nil for nothing.
  func reference(_ original: OriginalReference) -> OriginalReference? {
    switch self {
    case .byName: original
    case .byContents: original.withoutName
    case .not: nil
    }
  }
}

extension CarriedMetadata {
  /// The metadata that a picture has when this is asked of them.
  ///
  /// Maker notes, the thumbnails of programs, segments of JPEGs that only their makers understand and what stands behind
  /// a picture have places and faces too, which nobody else can take out: they go as a whole when either is left out.
  ///
  /// - Parameter format: The format of the picture, which says where texts have a place.
  package func fulfilling(_ request: MetadataRequest, in format: PhotoFormat) -> CarriedMetadata {
    guard !request.isNothing else { return self }
    var result = self
    if request.leavesOut {
      result = withTrailer()
      result.trailer = Data()
      result.leaveOut(request)
    }
    result.leavesOutGainMap = request.leavesOutGainMap
    if request.isConverted {
      result.changeXMP { $0.removing { $0 == XMPPacket.Namespace.photoshop && $1 == "ICCProfile" } }
    }
    result.write(request, in: format)
    return result
  }

  // MARK: - Leaving out

  private mutating func leaveOut(_ request: MetadataRequest) {
    joinExtendedXMP()
    guard request.kept != .nothing else {
      let (color, frames) = (codedColor, frameCount)
      let (profile, turn, warnings) = (profile, turnByBoxes, warnings)
      let isListed = isGainMapListed
      self = CarriedMetadata()
      isGainMapListed = isListed
      (codedColor, frameCount, self.profile, turnByBoxes) = (color, frames, profile, turn)
      self.warnings = warnings.filter(\.isAboutPixels)
      (jfif, namedOriginal) = (Self.plainJFIF, .not)
      return
    }
    let names = PrivateNames(request)
    changeExif { builder in names.leaveOut(of: &builder) }
    changeXMP { packet in
      request.kept == .copyright
        ? packet.keeping(names.isCopyright)
        // Nobody can look through what stands beside the properties.
        : XMPPacket(packet.removing(names.isPrivate))?.keeping { _, _ in true }
    }
    var unread = 0
    if var resources = photoshop {
      unread = names.leaveOut(of: &resources)
      photoshop = resources.bytes.isEmpty ? nil : resources
    }
    texts.removeAll { !names.keeps(text: $0.keyword) }
    others.removeAll { $0.marker != 0xFE || request.kept == .copyright }
    if request.kept == .copyright {
      (jfif, namedOriginal) = (Self.plainJFIF, .byContents)
      warnings.removeAll { !$0.isAboutPixels }
    }
    if unread > 0 { warn(.iptcEndNotCarried(bytes: unread)) }
  }

  /// Puts extended XMP into the first packet, so that there is one to look through.
  private mutating func joinExtendedXMP() {
    guard !extendedXMP.isEmpty else { return }
    if let text = ExtendedXMP.text(extendedXMP), let extended = XMPPacket(text),
      let packet = xmpPackets.first.flatMap({ XMPPacket($0) })
    {
      xmpPackets[0] = packet.merging(extended)
    } else {
      warn(.xmpNotCarried)
    }
    extendedXMP = []
  }

  /// Changes the packets, of which those that cannot be read are left out.
  private mutating func changeXMP(_ change: (XMPPacket) -> [UInt8]?) {
    let count = xmpPackets.count
    xmpPackets = xmpPackets.compactMap { XMPPacket($0).flatMap(change) }
    if xmpPackets.count < count { warn(.xmpNotCarried) }
  }

  /// Writes the Exif blocks anew, changed; those that are empty then are left out.
  private mutating func changeExif(_ change: (inout ExifBuilder) -> Void) {
    var blocks: [[UInt8]] = []
    swap(&blocks, &exifBlocks)
    for block in blocks.compactMap({ ExifBlock($0) }) {
      var builder = ExifBuilder(block.structure, in: block.bytes.bytes(at:count:))
      change(&builder)
      if !builder.isEmpty { add(built: builder) }
    }
  }

  // MARK: - Saying

  /// Writes texts and resolution, as the Metadata Working Group's guidelines 2.0 say (chapter 5): into XMP, Exif and the
  /// records of IPTC, so that no reader finds an older one.
  private mutating func write(_ request: MetadataRequest, in format: PhotoFormat) {
    let texts = WrittenTexts(request)
    let fields = texts.exif + Self.resolution(request.resolution)
    if !fields.isEmpty {
      if exifBlocks.isEmpty { exifBlocks = [ExifBlock.empty] }
      changeExif { builder in
        builder.fields[0].removeAll { texts.replacedTags.contains($0.tag) }
        for field in fields { builder.set(field.tag, field.value) }
      }
    }
    if let resolution = request.resolution, format == .jpeg {
      var payload = jfif ?? Self.plainJFIF
      payload[7] = 1
      for place in [8, 10] { payload.set(uint16: Int(resolution.rounded()), at: place, .big) }
      jfif = payload
    }
    guard !texts.properties.isEmpty else { return }
    self.texts.removeAll { texts.keywords.contains($0.keyword.lowercased()) }
    let replaced = texts.replacedProperties
    joinExtendedXMPIfItSays(replaced)
    if xmpPackets.isEmpty { xmpPackets = [XMPPacket.empty] }
    changeXMP { packet in
      let bytes = packet.removing { replaced.contains("\($0)\($1)") }
      return XMPPacket(bytes)?.adding(texts.properties, replacing: true) ?? bytes
    }
    if xmpPackets.isEmpty, let empty = XMPPacket(XMPPacket.empty) {
      xmpPackets = [empty.adding(texts.properties)]
    }
    write(records: texts, in: format)
  }

  /// The records of IPTC, which only JPEG and TIFF have a place for. Elsewhere XMP has all that they say.
  private mutating func write(records texts: WrittenTexts, in format: PhotoFormat) {
    var resources = photoshop ?? PhotoshopResources([])
    var records = IPTCDataSets(resources.iptc ?? [])
    guard format == .jpeg || format == .tiff else {
      guard resources.hasIPTC else { return }
      for text in texts.records { records.remove(text.number) }
      resources.set(iptc: records.bytes)
      photoshop = resources
      return
    }
    records.makeUTF8()
    var cut: [String] = []
    for text in texts.records where records.set(text.number, text.values, limit: text.limit) {
      cut.append(text.name)
    }
    if !cut.isEmpty { warn(.iptcCut(cut)) }
    resources.set(iptc: records.bytes)
    photoshop = resources
  }

  private mutating func joinExtendedXMPIfItSays(_ names: Set<String>) {
    guard let text = ExtendedXMP.text(extendedXMP), let packet = XMPPacket(text) else { return }
    let isSaid = packet.descriptions.contains { description in
      packet.tree.children(of: description).contains {
        names.contains("\($0.namespace ?? "")\($0.name)")
      }
    }
    if isSaid { joinExtendedXMP() }
  }

  /// Resolution in Exif: pixels per inch, across and down.
  private static func resolution(
    _ resolution: Double?
  ) -> [(tag: Int, value: ExifBuilder.Value)] {
    guard let resolution else { return [] }
    return [
      (ExifBlock.Tag.xResolution, .fraction(resolution)),
      (ExifBlock.Tag.yResolution, .fraction(resolution)),
      (ExifBlock.Tag.resolutionUnit, .short(2)),
    ]
  }
}

extension MetadataWarning {
  /// Whether the warning stays of interest where metadata are not wanted: the picture itself is another one.
  fileprivate var isAboutPixels: Bool {
    switch self {
    case .gainMapNotCarried, .furtherImagesNotCarried, .depthMapNotCarried, .motionPhotoNotCarried,
      .highDynamicRange, .profileIncomplete:
      true
    default: false
    }
  }
}

extension ExifBuilder {
  /// A value that is written into the first directory.
  enum Value: Sendable {
    /// UTF-8, as the Metadata Working Group's guidelines say (3.3).
    case text(String)
    case short(Int)
    case fraction(Double)
  }

  /// Sets a field of the first directory.
  mutating func set(_ tag: Int, _ value: Value) {
    var bytes: [UInt8] = []
    let (type, count): (Int, Int)
    switch value {
    case .text(let text):
      bytes = Array(text.utf8) + [0]
      (type, count) = (2, bytes.count)
    case .short(let number):
      bytes.append(uint16: number, order)
      (type, count) = (3, 1)
    case .fraction(let number):
      let isWhole = number == number.rounded()
      bytes.append(uint32: Int((isWhole ? number : number * 1000).rounded()), order)
      bytes.append(uint32: isWhole ? 1 : 1000, order)
      (type, count) = (5, 1)
    }
    fields[0].removeAll { $0.tag == tag }
    fields[0].append(Field(tag: tag, type: type, count: count, bytes: bytes, offset: 0))
  }
}

extension ExifBlock {
  /// A block with nothing in it.
  static let empty: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]
}
