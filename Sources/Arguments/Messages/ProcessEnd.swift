#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Ends the process with a last line, which success says on standard output, failure on error.
func endProcess(_ code: ExitCode, saying message: String = "") -> Never {
  // What was printed before must come out first.
  fflush(nil)
  if !message.isEmpty { write(message + "\n", to: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO) }
  exit(code.rawValue)
}

/// Writes all of a text; gives up silently, as there is nowhere left to complain.
private func write(_ text: String, to descriptor: Int32) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
  }
}
