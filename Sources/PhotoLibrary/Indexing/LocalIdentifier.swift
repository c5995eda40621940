import FoundationEssentials
import PhotoEditing
import SafelightFiles

/// Makes the identifiers of assets, in PhotoKit's form: a UUID and `/L0/001`.
///
/// A photo that is found in a folder is called after the path under which it was first seen,
/// counted from the root that was added, so that a catalog made again from the disk uses the same
/// identifiers. Those that cannot be found again, since the file was moved, stand in the export.
enum LocalIdentifier {
  /// The identifier of the photo first seen at a path below its root: a UUID of version 8 from the
  /// first 16 bytes of the SHA-256 of the path's bytes (RFC 9562, section 5.8).
  static func derived(from relative: FilePath) -> String {
    var bytes = Array(SHA256.digest(of: relative.bytes).bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: text, as: UTF8.self) + "/L0/001"
  }

  /// An identifier that nothing else has.
  static func random() -> String { UUID().uuidString + "/L0/001" }
}
