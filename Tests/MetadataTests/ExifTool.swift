import Foundation
import SafelightTestSupport

extension ExifTool {
  static let isThere = isInstalled && SharedData.isThere

  /// Every value of every tag of each file, binary ones included, by `Group:Tag`, sorted.
  static func tags(_ files: [URL]) throws -> [[String: [String]]] {
    let json = try run(
      ["-validate", "-all", "-a", "-G1:4", "-u", "-b", "-n", "-json", "-charset", "filename=utf8"]
        + files.map(\.path))
    let list = try JSONSerialization.jsonObject(with: json) as? [[String: Any]] ?? []
    return list.map { file in
      var tags: [String: [String]] = [:]
      for (key, value) in file {
        // The middle part numbers copies, in an order that depends on the segments.
        let parts = key.split(separator: ":")
        tags["\(parts[0]):\(parts[parts.count - 1])", default: []].append("\(value)")
      }
      return tags.mapValues { $0.sorted() }
    }
  }
}
