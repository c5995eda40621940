/// Hands reports out in the order of the photos, whatever order they come in.
struct OrderedReports: Sendable {
  /// A photo's report with the photo's number.
  typealias Element = (index: Int, report: PhotoReport)

  /// The first photo whose report has not been handed out.
  private(set) var next = 0
  private var waiting: [Int: PhotoReport] = [:]

  /// Takes the report of one photo.
  ///
  /// - Returns: The reports whose turn has come, in order.
  mutating func add(_ report: PhotoReport, at index: Int) -> [Element] {
    waiting[index] = report
    var ready: [Element] = []
    while let report = waiting.removeValue(forKey: next) {
      ready.append((next, report))
      next += 1
    }
    return ready
  }

  /// What is left when others will not come, in order.
  mutating func drain() -> [Element] {
    defer { waiting = [:] }
    return waiting.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
