import Foundation
import Glibc
import PhotoEditing
import SafelightTestSupport

/// A folder of its own for one test, gone afterwards. In commands and what they say it is `@`.
final class CommandFolder: Sendable {
  private let folder = TemporaryFolder()

  var path: String { folder.path.string }

  /// The user's filters, in a folder of this one that is not there yet.
  var userFilters: UserFilters { UserFilters(folder: FilePath(path).appending("data/filters")) }

  /// Copies a fixture into the folder.
  func add(_ fixture: String, as name: String? = nil) throws {
    let source = Fixture.url(fixture)
    try put(Data(contentsOf: source), as: name ?? source.lastPathComponent)
  }

  func put(_ bytes: Data, as name: String) throws {
    let url = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: url)
  }

  func put(_ text: String, as name: String) throws { try put(Data(text.utf8), as: name) }

  func data(_ name: String) -> Data? { FileManager.default.contents(atPath: path + "/" + name) }

  /// The names of everything in the folder, hidden files too, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Everything in the folder, to be compared with later.
  var contents: [String: Data?] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, data($0)) })
  }

  /// A word of a command line, with `@` in front standing for the folder.
  func expanded(_ word: String) -> String {
    word.hasPrefix("@") ? path + word.dropFirst() : word
  }
}
