import Glibc

/// Reads an input. An error is an answer; a trap, a hang and too much memory are findings.
typealias Fuzzer = @Sendable (_ bytes: [UInt8]) throws -> Void

/// The targets by name. `SAFELIGHT_FUZZER` chooses one.
private let fuzzers: [String: Fuzzer] = {
  let fuzzers = formatFuzzers.merging(photoFuzzers) { first, _ in first }
  #if PROGRAM_FUZZERS
    return fuzzers.merging(programFuzzers) { first, _ in first }
  #else
    return fuzzers
  #endif
}()

private let chosen: Fuzzer = {
  let name = getenv("SAFELIGHT_FUZZER").map { String(cString: $0) }
  guard let fuzzer = name.flatMap({ fuzzers[$0] }) else {
    fatalError("SAFELIGHT_FUZZER is one of \(fuzzers.keys.sorted().joined(separator: ", "))")
  }
  return fuzzer
}()

/// How long a part of the input is repeated to be; 0 leaves inputs as they are.
private let repeatedCount = getenv("SAFELIGHT_REPEAT").flatMap { Int(String(cString: $0)) } ?? 0

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  try? chosen(repeatedCount > 0 ? repeated(bytes) : bytes)
  return 0
}

/// An input of which a part stands very often, so that readers that take too long are found. The
/// last two bytes say where the part begins and how long it is.
private func repeated(_ bytes: [UInt8]) -> [UInt8] {
  guard bytes.count > 3 else { return bytes }
  let input = bytes.dropLast(2)
  let start = Int(bytes[bytes.count - 2]) * input.count / 256
  let part = input[start...].prefix(1 + Int(bytes[bytes.count - 1]))
  let times = max(1, repeatedCount / part.count)
  return Array(input[..<start]) + Array(repeating: part, count: times).joined()
    + input[part.endIndex...]
}
