import Foundation

/// The program exiftool, the reference for metadata.
enum ExifTool {
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    return folders.map { $0 + "/exiftool" }.first(where: FileManager.default.isExecutableFile)
  }()

  static let isThere = path != nil && SharedData.isThere

  /// Runs exiftool and returns what it prints.
  static func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "/usr/bin/exiftool")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The pipe is read before waiting, because a long answer would block both sides.
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }

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

/// A folder for a test's files, removed with the value.
final class ScratchFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
