import FoundationEssentials

extension CarriedMetadata {
  /// Builds an Exif block from a TIFF's first page and takes XMP, IPTC and Photoshop resources
  /// out to their own segments.
  ///
  /// Source: TIFF 6.0; Adobe PageMaker 6.0 and Photoshop TIFF technical notes; XMP part 3.
  mutating func read(tiff bytes: UnsafeRawBufferPointer) {
    guard let header = TIFFHeader(bytes),
      let main = TIFFDirectory(bytes, at: header.firstDirectory, header.order)
    else {
      warn(.tiffUnreadable)
      return
    }
    func data(_ tag: Int) -> [UInt8]? {
      main[tag]?.value.flatMap { $0.isEmpty ? nil : [UInt8](bytes[$0]) }
    }
    if let packet = data(700) { xmpPackets.append(packet) }
    if let data = data(34_377) {
      var resources = PhotoshopResources(data)
      resources.removeThumbnails()
      photoshop = resources
    }
    // Programs keep both places alike; where both are there, one is enough.
    if let records = data(33_723), !(photoshop?.hasIPTC ?? false) {
      let wrapped = PhotoshopResources(iptc: records).bytes
      photoshop = PhotoshopResources(wrapped + (photoshop?.bytes ?? []))
    }
    var builder = ExifBuilder(bytes, header.order, main)
    builder.keepDescription()
    guard !builder.isEmpty else { return }
    add(built: builder)
  }

  /// Rebuilds a block from another format when it is too large for one segment.
  mutating func shrinkExif() {
    for index in exifBlocks.indices where exifBlocks[index].count > ExifBuilder.largestBlock {
      guard var block = ExifBlock(exifBlocks[index]) else { continue }
      block.removeThumbnail()
      exifBlocks[index] = block.bytes
      guard block.bytes.count > ExifBuilder.largestBlock else { continue }
      let builder = block.bytes.withUnsafeBytes { ExifBuilder($0, block.order, block.main) }
      exifBlocks.remove(at: index)
      add(built: builder)
      return
    }
  }

  private mutating func add(built builder: ExifBuilder) {
    var builder = builder
    let result = builder.build()
    exifBlocks.append(result.bytes)
    if result.isMakerNoteMoved { warn(.makerNoteMoved) }
    if !builder.dropped.isEmpty { warn(.exifTagsNotCarried(builder.dropped.sorted())) }
  }
}

extension ExifBuilder {
  /// Leaves out of the first directory what says how pixels are stored.
  mutating func keepDescription() {
    fields[0].removeAll { field in
      switch field.tag {
      case Self.description: false
      // Private tags below 0x8000 and the digital negative's describe coding, all but a few.
      case ..<0x8000, 0xC612...0xC7FF: true
      default: Self.storage.contains(field.tag)
      }
    }
  }

  /// Baseline and extension tags that describe the picture.
  private static let description = DescriptionTags()

  private struct DescriptionTags {
    let tags: Set<Int> = [
      0x10D, 0x10E, 0x10F, 0x110, 0x112, 0x11A, 0x11B, 0x11D, 0x128, 0x129, 0x131, 0x132, 0x13B,
      0x13C, 0x4746, 0x4749, 0xC614, 0xC62F, 0xC630, 0xC68B, 0xC789, 0xC7A1,
    ]

    static func ~= (tags: DescriptionTags, tag: Int) -> Bool { tags.tags.contains(tag) }
  }

  /// Private tags that hold pixels, profiles, or what has a segment of its own.
  private static let storage: Set<Int> = [
    0x80A3, 0x80A4, 0x80A5, 0x80A6, 0x80B9, 0x80BA, 0x80BB, 0x80BC, 0x80BD, 0x80BE, 0x80BF, 0x80C0,
    0x80E3, 0x80E4, 0x80E5, 0x80E6, 0x828D, 0x828E, 0x83BB, 0x8606, 0x8649, 0x8773, 0x87BE, 0x935C,
    0xC427, 0xC428, 0xC429, 0xC42A, 0xC580,
  ]
}
