import PhotoEditing

/// The progress of a batch and its texts. A value without a clock or a terminal.
struct BatchProgress: ShownProgress, Sendable {
  /// How many photos there are.
  let total: Int
  /// How many of them are done or have failed.
  private(set) var done = 0
  /// How many have failed.
  private(set) var failed = 0
  /// The photo that work began on last.
  var current: FilePath?

  init(total: Int) { self.total = total }

  mutating func add(_ report: PhotoReport) {
    done += 1
    if case .failure = report.outcome { failed += 1 }
  }

  /// The progress as one line of text.
  func line(after elapsed: Duration) -> String {
    let parts = ["\(done) of \(total) photos"] + pace(elapsed) + failures
    return parts.joined(separator: ", ")
  }

  /// The progress as a bar of at most `columns` characters. In a narrow terminal the photo's name is
  /// left out first, then the pace; the numbers always stay.
  func bar(columns: Int, after elapsed: Duration) -> String {
    let count = "\(done)/\(total)"
    guard columns > count.count else { return String(count.prefix(max(0, columns))) }
    let pace = pace(elapsed)
    let tails = [pace + failures, Array(pace.dropFirst()) + failures, failures, []]
    let tail = tails.first { ([count] + $0).joined(separator: "  ").count + 14 <= columns } ?? []
    let text = ([count] + tail).joined(separator: "  ")
    guard columns >= text.count + 8 else {
      return columns >= text.count ? text : count
    }
    let name = current.map { ($0.lastComponent ?? $0).string.onOneLine } ?? ""
    let room = columns - text.count - 2
    let barWidth = min(30, max(5, room / 2))
    let line = "[\(meter(barWidth))] \(text)"
    let left = columns - line.count - 2
    guard left >= 8, !name.isEmpty else { return line }
    return line + "  " + name.shortened(toColumns: left)
  }

  private func meter(_ width: Int) -> String {
    let filled = total == 0 ? width : min(width, width * done / total)
    return String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
  }

  private var failures: [String] { failed == 0 ? [] : ["\(failed) failed"] }

  /// Photos a second and the time left; empty until the pace is known.
  private func pace(_ elapsed: Duration) -> [String] {
    let seconds = elapsed.milliseconds / 1000
    guard done > 0, seconds > 0.2 else { return [] }
    let rate = Double(done) / seconds
    let left = done < total ? [Self.time(Double(total - done) / rate) + " left"] : []
    return [Self.rate(rate)] + left
  }

  private static func rate(_ rate: Double) -> String {
    if rate >= 10 { return "\(Int(rate.rounded()))/s" }
    if rate >= 0.1 { return "\((rate * 10).rounded() / 10)/s" }
    return "\((rate * 600).rounded() / 10)/min"
  }

  /// `42 s`, `3:05` or `2:10:00`.
  static func time(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 359_999).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60):\(two(whole % 60))" }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
