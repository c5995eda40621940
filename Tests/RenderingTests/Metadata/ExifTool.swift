import Foundation

/// The exiftool program, which tests take as the authority on metadata.
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
    // The pipe is drained before waiting, or a long answer would block both sides.
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }

  /// Every tag of every file, binary ones included, by file and `Group:Copy:Tag`.
  static func tags(_ files: [URL]) throws -> [[String: String]] {
    let json = try run(
      ["-a", "-G1:4", "-u", "-b", "-n", "-json", "-charset", "filename=utf8"] + files.map(\.path))
    let list = try JSONSerialization.jsonObject(with: json) as? [[String: Any]] ?? []
    return list.map { $0.mapValues { "\($0)" } }
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
