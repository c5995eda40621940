import FoundationEssentials

/// Photoshop's image resources: IPTC, print settings, paths and the like.
///
/// Carried as they are, but for thumbnails of the unedited picture. Source: Adobe Photoshop file
/// formats specification, "Image resources section".
struct PhotoshopResources: Sendable {
  /// The text that every APP13 of resources begins with.
  static let header = Array("Photoshop 3.0\0".utf8)
  private static let thumbnails: Set<Int> = [1033, 1036]

  /// The resources, one after the other.
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Wraps bare IPTC records as resource 0x0404.
  init(iptc records: some RandomAccessCollection<UInt8>) {
    let records = Self.withoutPadding([UInt8](records))
    bytes = []
    bytes.append(ascii: "8BIM")
    bytes.append(uint16: 0x0404)
    bytes.append(uint16: 0)
    bytes.append(uint32: records.count)
    bytes += records
    if !records.count.isMultiple(of: 2) { bytes.append(0) }
  }

  /// Identifier, whole range and range of the data of each resource, as far as they can be read.
  var resources: [(id: Int, range: Range<Int>, data: Range<Int>)] {
    var result: [(id: Int, range: Range<Int>, data: Range<Int>)] = []
    var offset = 0
    while Self.isSignature(bytes, at: offset), let id = bytes.uint16(at: offset + 4),
      let nameLength = bytes.byte(at: offset + 6)
    {
      // A Pascal string with its length byte, and the data, each padded to an even length.
      let sizeOffset = offset + 6 + (Int(nameLength) + 2) / 2 * 2
      guard let size = bytes.uint32(at: sizeOffset), sizeOffset + 4 + size <= bytes.count
      else { break }
      let end = min(sizeOffset + 4 + (size + 1) / 2 * 2, bytes.count)
      result.append((id, offset..<end, (sizeOffset + 4)..<(sizeOffset + 4 + size)))
      offset = end
    }
    return result
  }

  /// Whether there are IPTC records among the resources.
  var hasIPTC: Bool { iptc != nil }

  /// The bare IPTC records; nil when there are none.
  var iptc: [UInt8]? {
    resources.first { $0.id == 0x0404 }.map { Array(bytes[$0.data]) }
  }

  /// Drops thumbnail resources; bytes that cannot be read stay.
  mutating func removeThumbnails() {
    var kept: [UInt8] = []
    var end = 0
    for resource in resources {
      if !Self.thumbnails.contains(resource.id) { kept += bytes[resource.range] }
      end = resource.range.upperBound
    }
    bytes = kept + bytes[end...]
  }

  private static func isSignature(_ bytes: [UInt8], at offset: Int) -> Bool {
    bytes.has("8BIM", at: offset) || bytes.has("PHUT", at: offset) || bytes.has("AgHg", at: offset)
      || bytes.has("DCSR", at: offset) || bytes.has("MeSa", at: offset)
  }

  /// TIFF pads IPTC to four bytes; the padding is no record.
  private static func withoutPadding(_ records: [UInt8]) -> [UInt8] {
    var offset = 0
    while records.byte(at: offset) == 0x1C, let size = records.uint16(at: offset + 3) {
      guard size < 0x8000, offset + 5 + size <= records.count else { return records }
      offset += 5 + size
    }
    return records[offset...].allSatisfy { $0 == 0 } && offset > 0
      ? Array(records[..<offset]) : records
  }
}
