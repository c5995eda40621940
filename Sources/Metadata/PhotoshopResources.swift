import FoundationEssentials
import SafelightCCrypto
import SafelightFormats

/// Photoshop's image resources: IPTC, print settings, paths and the like.
///
/// A render carries them without the thumbnails, which show the unedited picture. Source: Adobe
/// Photoshop file formats specification, "Image resources section".
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

  /// Whether a program without XMP has changed the IPTC records. A program that writes both stores
  /// the digest of the records in resource 1061; then the records have another digest than that.
  var hasNewerIPTC: Bool {
    guard let stored = resources.first(where: { $0.id == 1061 }), stored.data.count == 16,
      let iptc
    else { return false }
    return Array(bytes[stored.data]) != MD5.digest(iptc)
  }

  /// Removes thumbnails; bytes that cannot be read stay.
  mutating func removeThumbnails() {
    let rest = unreadable
    keep { !Self.thumbnails.contains($0) }
    bytes += rest
  }

  /// Removes the IPTC records, for a file that has another place for them; bytes that cannot be read stay.
  mutating func removeIPTC() {
    let rest = unreadable
    keep { $0 != 0x0404 }
    bytes += rest
  }

  /// Removes all resources but some, and what cannot be read.
  mutating func keep(_ isKept: (Int) -> Bool) {
    bytes = resources.filter { isKept($0.id) }.flatMap { bytes[$0.range] }
  }

  /// What stands behind the resources and cannot be read.
  private var unreadable: ArraySlice<UInt8> {
    bytes[(resources.last?.range.upperBound ?? 0)...]
  }

  /// Puts records in the place of those that are there. A digest of the earlier records becomes one of the new ones;
  /// another digest keeps saying that a program without XMP has changed the records.
  mutating func set(iptc records: [UInt8]) {
    let wasNewer = hasNewerIPTC
    let digest = resources.first { $0.id == 1061 && $0.data.count == 16 }
    if let digest, !wasNewer {
      bytes.replaceSubrange(digest.data, with: MD5.digest(records))
    }
    removeIPTC()
    if !records.isEmpty { bytes = PhotoshopResources(iptc: records).bytes + bytes }
  }

  /// Has the digest of the records, where it is theirs, be that of other bytes for them.
  private mutating func redigest(
    _ from: (_ records: [UInt8]) -> [UInt8], _ to: ([UInt8]) -> [UInt8]
  ) {
    guard let digest = resources.first(where: { $0.id == 1061 && $0.data.count == 16 }), let iptc,
      Array(bytes[digest.data]) == MD5.digest(from(iptc))
    else { return }
    bytes.replaceSubrange(digest.data, with: MD5.digest(to(iptc)))
  }

  /// Has the digest be that of the records as a TIFF has them, in whole long numbers. ExifTool compares it with these.
  mutating func digestPadded() { redigest({ $0 }, Self.padded) }

  /// Has the digest be that of the records alone.
  mutating func digestPlain() { redigest(Self.padded) { $0 } }

  /// Records with the zeros that make the length a multiple of four.
  static func padded(_ records: [UInt8]) -> [UInt8] {
    records + [UInt8](repeating: 0, count: (4 - records.count % 4) % 4)
  }

  private static func isSignature(_ bytes: [UInt8], at offset: Int) -> Bool {
    bytes.has("8BIM", at: offset) || bytes.has("PHUT", at: offset) || bytes.has("AgHg", at: offset)
      || bytes.has("DCSR", at: offset) || bytes.has("MeSa", at: offset)
  }

  /// Without the zeros that TIFF adds; see ``padded(_:)``.
  private static func withoutPadding(_ records: [UInt8]) -> [UInt8] {
    let sets = IPTCDataSets(records)
    return sets.isWhole && !sets.isEmpty ? Array(records.dropLast(sets.unread.count)) : records
  }
}

/// The MD5 digest (RFC 1321), which names extended XMP and IPTC records; nothing relies on its
/// strength.
enum MD5 {
  /// The digest in 16 bytes.
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var size: UInt32 = 0
    // As in SHA256: libcrypto keeps its tables until the process is gone.
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    guard EVP_Digest(message, message.count, &digest, &size, EVP_md5(), nil) == 1 else {
      return [UInt8](repeating: 0, count: 16)
    }
    return Array(digest[..<Int(size)])
  }

  /// The digest as 32 upper-case hexadecimal digits.
  static func hexDigest(_ message: [UInt8]) -> String {
    digest(message).map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }
}
