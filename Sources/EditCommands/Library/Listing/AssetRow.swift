import PhotoLibraryKit

/// A photo on one line for people.
struct AssetRow {
  private let date: String
  private let size: String
  private let marks: String
  private let path: String

  init(_ asset: Asset) {
    // The seconds and the zone would only be noise.
    date = asset.creationDate.map { String(StateDescription.date($0).prefix(16)) } ?? "no date"
    size = "\(asset.pixelWidth) × \(asset.pixelHeight)"
    marks =
      (asset.isFavorite ? "f" : "-") + (asset.hasAdjustments ? "e" : "-")
      + (asset.isHidden ? "h" : "-")
    path = asset.path.string.onOneLine
  }

  /// The line. In a narrow terminal the size gives way, then the time, then the middle of the path.
  ///
  /// - Parameter columns: How wide the terminal is; `nil` sets no limit.
  func text(columns: Int?) -> String {
    let full = [date.filled(to: 16), size.filled(to: 13), marks].joined(separator: "  ") + "  "
    guard let columns else { return full + path }
    let withoutSize = date.filled(to: 16) + "  " + marks + "  "
    let short = String(date.prefix(10)).filled(to: 10) + "  " + marks + "  "
    let start = [full, withoutSize].first { columns - $0.columns >= 32 } ?? short
    return start + path.shortened(toColumns: max(8, columns - start.columns))
  }
}

extension String {
  /// The text with spaces behind it up to a width.
  func filled(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }
}
