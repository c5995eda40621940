/// A number with what it counts: `1 photo`, `3 photos`.
///
/// - Parameter plural: What several are called; by default the noun with an s.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(count) " + (count == 1 ? noun : plural ?? noun + "s")
}

/// How many pictures in folders were not taken because Safelight made them.
func countedExports(_ count: Int) -> String {
  counted(count, "picture that Safelight made was", "pictures that Safelight made were")
}

extension String {
  /// How many columns of a terminal the text takes.
  var columns: Int {
    // Asking Unicode about every character takes long where a million lines are printed.
    if utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return utf8.count }
    return unicodeScalars.reduce(0) { $0 + $1.columns }
  }

  /// The text with spaces behind it up to a width.
  func filled(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }

  /// The text with its middle left out where it takes more columns than these.
  func shortened(toColumns limit: Int) -> String {
    guard columns > limit else { return self }
    guard limit > 1 else { return limit == 1 ? "…" : "" }
    let head = prefix(ofColumns: (limit - 1) / 2)
    let tail = String(String(reversed()).prefix(ofColumns: limit - 1 - head.columns).reversed())
    return head + "…" + tail
  }

  private func prefix(ofColumns limit: Int) -> String {
    var left = limit
    return String(
      prefix { character in
        left -= String(character).columns
        return left >= 0
      })
  }
}

extension Unicode.Scalar {
  /// 0 for marks that join what stands before them, 2 for the wide scripts and pictures of Unicode's
  /// annex 11, 1 for the rest.
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let wide: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD,
    ]
    return wide.contains { $0.contains(value) } ? 2 : 1
  }
}
