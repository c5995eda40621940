import PhotoEditing
import SafelightArguments

/// Ranges of numbers on the command line.
enum Limits {
  /// JPEG and WebP quality, as libjpeg and libwebp count.
  static let quality = 1.0...100

  /// Megabytes of memory: below, a process cannot even start its threads.
  static let memory = 256.0...1e9

  /// Refuses a limit of memory outside its range; 0 is no limit.
  static func checkMemory(_ megabytes: Int) throws(LimitError) {
    if megabytes != 0 { try check(Double(megabytes), in: memory, "--memory-limit") }
  }

  /// Refuses a number outside its range.
  static func check(
    _ number: Double, in range: ClosedRange<Double>, _ option: String
  ) throws(LimitError) {
    if !range.contains(number) { throw LimitError(option: option, range: range, number: number) }
  }
}

/// A number outside the range of its option.
///
/// The command line is understood and only the value is not allowed, so it ends in exit code 1
/// like any failure, and not in 64 with the usage like a mistake in spelling.
struct LimitError: Error, Equatable, CustomStringConvertible {
  let option: String
  let range: ClosedRange<Double>
  let number: Double

  var description: String {
    let (from, to) = (text(range.lowerBound), text(range.upperBound))
    return "\(option) takes a number from \(from) to \(to), not \(text(number))."
  }

  private func text(_ number: Double) -> String { JSONValue.number(number).text }
}
