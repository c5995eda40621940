import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles
import SafelightFormats

/// Finds free names for new originals: no file has the name, or a name that belongs to it.
struct FreeNames {
  private let originals: FilePath
  private let snapshot: Snapshot
  private let fileSystem: FileSystem
  /// The lower-case names that files have, by folder.
  private var taken: [FilePath: Set<String>] = [:]

  init(in library: PhotoLibrary) throws(PhotoLibraryError) {
    (originals, fileSystem) = (library.originals, library.fileSystem)
    snapshot = try library.snapshots.now()
  }

  /// The folder for a photo of some date, by year and month in UTC.
  func folder(for date: Date) -> FilePath {
    let parts = ClockTime.text(utc: date).split(separator: "-")
    return originals.appending(String(parts[0])).appending(String(parts[1]))
  }

  /// Takes the name itself, or the name with the first number that makes it free.
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
    let known = try snapshot.read { database in
      try database.rows(
        "SELECT name FROM asset JOIN folder ON folder.id = folder WHERE path = ?", [folder.bytes]
      ) { FilePath(bytes: $0[0] as [UInt8]).string.lowercased() }
    }
    let files = (try? fileSystem.namesIfPresent(in: folder)) ?? []
    return Set(known).union(files.map { $0.string.lowercased() })
  }
}
