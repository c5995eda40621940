import SafelightCCrypto

/// The MD5 digest (RFC 1321), which names extended XMP; nothing here relies on its strength.
enum MD5 {
  /// The digest as 32 upper-case hexadecimal digits.
  static func hexDigest(_ message: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var size: UInt32 = 0
    guard EVP_Digest(message, message.count, &digest, &size, EVP_md5(), nil) == 1 else {
      return String(repeating: "0", count: 32)
    }
    return digest[..<Int(size)].map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }
}
