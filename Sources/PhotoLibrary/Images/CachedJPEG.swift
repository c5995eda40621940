import PhotoEditing

/// The form of a picture on disk: a JPEG that any program opens, with a comment that tells whether it
/// is whole and whose it is.
///
/// The comment stands right behind the start of the image (ITU-T T.81, B.2.4.5): a mark, the
/// picture's key, and the first half of the SHA-256 of all that follows. A crash of the machine may
/// leave a file of zeros, a failing disk other pixels; neither is shown.
enum CachedJPEG {
  /// Of the JPEG, 1 to 100.
  static let quality = 90

  private static let mark = Array("Safelight ".utf8)
  /// The marker's two bytes, its length, the mark, the key and the check.
  private static let commentLength = 2 + 2 + mark.count + 32 + 16

  /// The file of a picture; `nil` when it is too large for a JPEG.
  static func bytes(of image: DisplayImage, _ key: ImageKey) -> [UInt8]? {
    guard let jpeg = try? image.jpegBytes(quality: quality) else { return nil }
    let rest = Array(jpeg[2...])
    let length = commentLength - 2
    return jpeg[..<2] + [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)] + mark + key.digest
      + check(rest) + rest
  }

  /// The picture in a file; `nil` unless it is whole and this key's.
  static func image(in bytes: [UInt8], _ key: ImageKey) -> DisplayImage? {
    let start = 2 + commentLength
    guard bytes.count > start,
      bytes[6..<(start - 16)].elementsEqual(mark + key.digest)
    else { return nil }
    let rest = Array(bytes[start...])
    guard bytes[(start - 16)..<start].elementsEqual(check(rest)) else { return nil }
    return bytes.withUnsafeBytes(DisplayImage.init(jpegBytes:))
  }

  private static func check(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    SHA256Hash.digest(of: bytes)[..<16]
  }
}
