import Glibc
import PhotoLibraryKit
import SafelightArguments

/// `edit library init`: makes a library.
struct InitLibraryCommand: CatalogCommand {
  static let isForOwner = true
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make a library.",
    discussion: """
      The folder holds the catalog and nothing of the photos: it must be new or empty. A library \
      that is there already stays as it is.

      Example:
        edit library init
        edit library init --library /srv/photos-library
      """)

  @OptionGroup var options: LibraryOptions

  func run(on console: Console) async throws -> ExitCode {
    try await reporting(on: console) {
      let folder = options.location.folder
      switch PhotoLibrary.presence(at: folder) {
      case .catalog: break
      case .exportOnly: throw PhotoFailure.catalogMissing(folder)
      case .nothing where !folder.isEmptyOrMissing: throw PhotoFailure.libraryFolderTaken(folder)
      case .nothing:
        try await PhotoLibrary(at: folder).finishExport()
        say("created", "\(folder): made, “edit library add” takes photos in", on: console)
        return .success
      }
      return try run(in: PhotoLibrary(at: folder), on: console)
    }
  }

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let photos = try library.fetchAssets().count
    say(
      "unchanged", "\(library.path): unchanged, it has \(counted(photos, "photo"))", on: console)
    return .success
  }

  private func say(_ status: String, _ text: String, on console: Console) {
    let json = JSONValue.object([
      .init("library", .string(options.location.folder.string)), .init("status", .string(status)),
    ])
    print(json, [text], on: console)
  }
}

/// A number with what it counts: `1 photo`, `3 photos`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)" + (count == 1 ? "" : "s")
}

extension FilePath {
  /// Whether nothing is in the folder of this path, or there is no folder.
  fileprivate var isEmptyOrMissing: Bool {
    guard let folder = withPath({ opendir($0) }) else { return errno == ENOENT }
    defer { closedir(folder) }
    var names = 0
    // “.” and “..” are always there.
    while names < 3, readdir(folder) != nil { names += 1 }
    return names < 3
  }
}
