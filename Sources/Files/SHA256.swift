import SafelightCCrypto

/// Computes a SHA-256 with OpenSSL, which uses the processor's instructions for it.
///
/// Not for use by two threads at once.
package final class SHA256 {
  private let context: OpaquePointer

  package init() {
    // A thread may still hash while the program ends; without this libcrypto takes its tables away first.
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      preconditionFailure("libcrypto offers no SHA-256")
    }
    self.context = context
  }

  /// A second computation that goes on from what was hashed so far.
  package func copy() -> SHA256 {
    let copy = SHA256()
    let result = EVP_MD_CTX_copy_ex(copy.context, context)
    precondition(result == 1, "libcrypto failed to copy a hash")
    return copy
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  package func update(_ bytes: UnsafeRawBufferPointer) {
    let result = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    precondition(result == 1, "libcrypto failed to hash")
  }

  /// The digest of everything so far; nothing may follow.
  package func finish() -> Digest {
    var bytes = [UInt8](repeating: 0, count: 32)
    let result = EVP_DigestFinal_ex(context, &bytes, nil)
    precondition(result == 1, "libcrypto failed to finish a hash")
    return Digest(bytes: bytes)
  }

  package static func digest(of bytes: [UInt8]) -> Digest {
    let hasher = SHA256()
    bytes.withUnsafeBytes { hasher.update($0) }
    return hasher.finish()
  }
}
/// The SHA-256 of a file's bytes (FIPS 180-4).
package struct Digest: Sendable, Hashable, CustomStringConvertible {
  /// The 32 bytes.
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    precondition(bytes.count == 32, "a SHA-256 has 32 bytes")
    self.bytes = bytes
  }

  /// The digest written as 64 hexadecimal digits; `nil` for anything else.
  package init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// The 64 hexadecimal digits, in lower case.
  package var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
