import Glibc

/// Writes a text to an open file, all of it if that is possible.
///
/// - Returns: `false` when it was not, for instance because a reader went away, as in
///   `edit filters | head -1`.
@discardableResult
func writeWhole(_ text: String, to descriptor: Int32) -> Bool {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if written < 0, errno == EINTR { continue }
    guard written > 0 else { return false }
    bytes = bytes.dropFirst(written)
  }
  return true
}
