import Foundation
import Testing

/// Real photos that are too large for the repository. Without them their tests are skipped.
enum SharedData {
  /// The folder: `SAFELIGHT_SHARED_DATA`, or `../shared/data` beside the repository.
  static let folder: URL? = {
    var candidates: [URL] = []
    if let path = ProcessInfo.processInfo.environment["SAFELIGHT_SHARED_DATA"] {
      candidates.append(URL(fileURLWithPath: path))
    }
    var parent = URL(fileURLWithPath: #filePath)
    while parent.path != "/" {
      parent = parent.deletingLastPathComponent()
      candidates.append(parent.appendingPathComponent("../shared/data").standardizedFileURL)
    }
    return candidates.first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  static let isThere = folder != nil
  static let absence: Comment =
    "The shared photos are absent; set SAFELIGHT_SHARED_DATA to their folder."

  /// Names of the files in subfolders, such as `photos/beach.jpg`, with one of the extensions.
  static func files(in folders: [String], extensions: [String]) -> [String] {
    guard let folder else { return [] }
    return folders.flatMap { name -> [String] in
      let path = folder.appendingPathComponent(name).path
      let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return files.filter { file in
        extensions.isEmpty || extensions.contains { file.lowercased().hasSuffix("." + $0) }
      }.sorted().map { name + "/" + $0 }
    }
  }

  static func url(_ file: String) throws -> URL {
    try #require(folder, absence).appendingPathComponent(file)
  }

  static func data(_ file: String) throws -> Data {
    try Data(contentsOf: url(file), options: .mappedIfSafe)
  }
}
