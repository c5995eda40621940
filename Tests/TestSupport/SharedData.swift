import Foundation
import Testing

/// Real photos and lookup tables that are too large for the repository. Without them their tests are
/// skipped.
package enum SharedData {
  /// The folder that `SAFELIGHT_SHARED_DATA` names.
  package static let folder = ProcessInfo.processInfo.environment["SAFELIGHT_SHARED_DATA"]
    .map { URL(fileURLWithPath: $0) }

  package static let isThere =
    folder.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
  package static let absence: Comment =
    "The shared photos are absent; set SAFELIGHT_SHARED_DATA to their folder."

  /// Names of the files in subfolders, such as `photos/beach.jpg`, with one of the extensions.
  package static func files(in folders: [String], extensions: [String]) -> [String] {
    guard let folder else { return [] }
    return folders.flatMap { name -> [String] in
      let path = folder.appendingPathComponent(name).path
      let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return files.filter { file in
        extensions.isEmpty || extensions.contains { file.lowercased().hasSuffix("." + $0) }
      }.sorted().map { name + "/" + $0 }
    }
  }

  /// Each third of ``files(in:extensions:)``, and all of them when tests are long.
  package static func sample(in folders: [String], extensions: [String]) -> [String] {
    let all = files(in: folders, extensions: extensions)
    return stride(from: 0, to: all.count, by: Rounds.areLong ? 1 : 3).map { all[$0] }
  }

  package static func url(_ file: String) throws -> URL {
    try #require(folder, absence).appendingPathComponent(file)
  }

  package static func bytes(_ file: String) throws -> [UInt8] { [UInt8](try data(file)) }

  package static func data(_ file: String) throws -> Data {
    try Data(contentsOf: url(file), options: .mappedIfSafe)
  }
}
