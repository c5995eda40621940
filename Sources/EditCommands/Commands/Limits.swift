import Arguments
import PhotoEditing

/// Ranges of numbers on the command line.
enum Limits {
  /// JPEG and WebP quality, as libjpeg and libwebp count.
  static let quality = 1...100

  /// Refuses a number outside its range: the command line is understood, the value is not allowed,
  /// so it counts as a failure and not as misuse.
  static func check<Number: Comparable>(
    _ number: Number, in range: ClosedRange<Number>, _ option: String
  ) throws {
    guard !range.contains(number) else { return }
    Console.standard.message(
      "edit: \(option) takes a number from \(range.lowerBound) to \(range.upperBound), not \(number)."
    )
    throw ExitCode.failure
  }
}
