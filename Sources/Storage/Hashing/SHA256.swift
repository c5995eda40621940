import SafelightCCrypto

/// A SHA-256 in the making, by OpenSSL, which uses the processor's own instructions for it.
///
/// Not for use by two threads at once.
final class SHA256 {
  private let context: OpaquePointer

  init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      preconditionFailure("libcrypto offers no SHA-256")
    }
    self.context = context
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    let result = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    precondition(result == 1, "libcrypto failed to hash")
  }

  /// The digest of everything so far; nothing may follow.
  func finish() -> Digest {
    var bytes = [UInt8](repeating: 0, count: 32)
    let result = EVP_DigestFinal_ex(context, &bytes, nil)
    precondition(result == 1, "libcrypto failed to finish a hash")
    return Digest(bytes: bytes)
  }

  static func digest(of bytes: [UInt8]) -> Digest {
    let hasher = SHA256()
    bytes.withUnsafeBytes { hasher.update($0) }
    return hasher.finish()
  }
}
