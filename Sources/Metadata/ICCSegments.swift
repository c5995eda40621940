import FoundationEssentials

/// An ICC profile spread over a JPEG's APP2 segments.
///
/// Source: ICC.1:2022, annex B.4.
enum ICCSegments {
  static let header = Array("ICC_PROFILE\0".utf8)

  /// Joins the parts of a profile; nil unless every part is there once.
  ///
  /// - Parameter payloads: APP2 payloads that begin with the header, in any order.
  static func joined(_ payloads: [[UInt8]]) -> Data? {
    let parts = payloads.filter { $0.count >= header.count + 2 }
      .sorted { $0[header.count] < $1[header.count] }
    guard let first = parts.first, Int(first[header.count + 1]) == parts.count else { return nil }
    for (index, part) in parts.enumerated() where Int(part[header.count]) != index + 1 {
      return nil
    }
    return Data(parts.flatMap { $0.dropFirst(header.count + 2) })
  }

  /// A profile as APP2 segments with markers; empty for a profile beyond 255 segments (16 MB).
  static func segments(_ profile: Data) -> [UInt8] {
    let limit = JPEGSegments.largestPayload - header.count - 2
    let count = (profile.count + limit - 1) / limit
    guard count <= 255 else { return [] }
    var result: [UInt8] = []
    for index in 0..<count {
      result.append(
        segment: 0xE2, header: header + [UInt8(index + 1), UInt8(count)],
        payload: profile.dropFirst(index * limit).prefix(limit))
    }
    return result
  }
}
