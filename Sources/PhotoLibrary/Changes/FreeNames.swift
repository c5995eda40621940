import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightStorage

/// Finds names for new originals that nothing has, nor what would belong to them.
struct FreeNames {
  private let originals: FilePath
  private let snapshot: Snapshot
  /// The lower-case names that are taken, by folder.
  private var taken: [FilePath: Set<String>] = [:]

  init(_ originals: FilePath, _ snapshot: Snapshot) {
    (self.originals, self.snapshot) = (originals, snapshot)
  }

  /// The folder for a photo of some date, by year and month in UTC.
  func folder(for date: Date) -> FilePath {
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ number: Int32, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return originals.appending(digits(parts.tm_year + 1900, 4))
      .appending(digits(parts.tm_mon + 1, 2))
  }

  /// The name itself, or with the first number that makes it free; it is taken then.
  mutating func take(
    _ name: FilePath, in folder: FilePath
  ) throws(PhotoLibraryError) -> FilePath {
    var names: Set<String>
    if let known = taken[folder] { names = known } else { names = try present(in: folder) }
    defer { taken[folder] = names }
    let stem = (name.stem ?? name).bytes
    let ending = name.bytes.dropFirst(stem.count)
    var number = 1
    while true {
      let numbered = number == 1 ? stem : stem + Array("-\(number)".utf8)
      let candidate = FilePath(bytes: numbered + ending)
      let prefix = FilePath(bytes: numbered).string.lowercased()
      // Sidecars, renders and bases are named after the original.
      let isFree = !names.contains { name in
        guard name.hasPrefix(prefix) else { return false }
        let rest = name.dropFirst(prefix.count)
        return rest.isEmpty || [".", "_edited", "_base"].contains { rest.hasPrefix($0) }
      }
      if isFree {
        names.insert(candidate.string.lowercased())
        return candidate
      }
      number += 1
    }
  }

  private func present(in folder: FilePath) throws(PhotoLibraryError) -> Set<String> {
    let known = try snapshot.read { (database) throws(DatabaseError) in
      try database.rows(
        "SELECT name FROM asset JOIN folder ON folder.id = folder WHERE path = ?", [folder.bytes]
      ) { FilePath(bytes: $0[0] as [UInt8]).string.lowercased() }
    }
    let files = (try? FileSystem.real.namesIfPresent(in: folder)) ?? []
    return Set(known).union(files.map { $0.string.lowercased() })
  }
}
