import Glibc
import PhotoEditing
import PhotoLibraryKit
import SafelightArguments
import SafelightFiles

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
      case .exportOnly: throw EditCommandError.catalogMissing(folder)
      case .nothing where !folder.isEmptyOrMissing:
        throw EditCommandError.libraryFolderTaken(folder)
      case .nothing:
        try await PhotoLibrary(at: folder).finishExport()
        say("created", "\(folder): made, “edit library add” takes photos in", on: console)
        return .success
      }
      return try run(
        in: PhotoLibrary(at: folder, trustingOwner: options.location.trustOwner), on: console)
    }
  }

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let photos = try library.fetchAssets().counted()
    say(
      "unchanged", "\(options.location.folder): unchanged, it has \(counted(photos, "photo"))",
      on: console)
    return .success
  }

  private func say(_ status: String, _ text: String, on console: Console) {
    print(.object(["library": options.location.folder, "status": status]), [text], on: console)
  }
}

extension FilePath {
  /// Whether nothing is in the folder of this path, or there is no folder.
  fileprivate var isEmptyOrMissing: Bool {
    do throws(FileSystemError) {
      return try FileSystem.real.names(in: self).isEmpty
    } catch {
      return error.errno == ENOENT
    }
  }
}

/// `edit library add`: takes in the photos of folders, or single photos.
struct AddFoldersCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Take in the photos of folders, where they are.",
    discussion: """
      Scans the folders and all folders in them for photos, by content and not by name. \
      Hidden files, symbolic links, sidecars, renders, pictures that Safelight made from photos, and \
      what “edit help exclude” lists are passed over; such a picture is taken in when it is named. \
      The folders are remembered, and what --exclude leaves out of them: “edit library scan” \
      scans them again. Of a single photo's folder nothing \
      else is taken in. Interrupted, the same command goes on where it was.

      Example:
        edit library add Photos /mnt/archive
        edit library add Photos --exclude drafts/ --exclude '*.png'
        edit library add --json Photos
      """)

  @Argument(help: "The folders, or photos.", completion: .directory)
  var folders: [String]

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let folders = folders.map { FilePath(argument: $0) }
    let rules = try exclusion.rules
    return try await reportIndexing(of: library, as: "added", on: console) { progress in
      try await library.add(folders, excluding: rules, progress: progress)
    }
  }
}

/// `edit library scan`: looks through the folders again.
struct ScanFoldersCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Scan the folders of the library for changes.",
    discussion: """
      Finds photos that are new, changed, edited, moved or gone. A photo that was moved within the \
      folders stays what it is, with its albums; one that is gone leaves the library, and its \
      albums and marks come back when it does. When a folder itself is gone, as a disk that is not \
      mounted, its photos stay. With --exclude photos are left out of all folders from now on; a \
      pattern that begins with ! takes back what was left out before.

      Example:
        edit library scan
        edit library scan --exclude '!drafts/'
      """)

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    if try await library.folders.isEmpty {
      note("The library has no folders. Add some with “edit library add”.", on: console)
    }
    if !exclusion.exclude.isEmpty { try await library.exclude(exclusion.rules) }
    return try await reportIndexing(of: library, as: "scanned", on: console) { progress in
      try await library.scan(progress: progress)
    }
  }
}

/// `edit library remove`: lets the photos of folders leave the library.
struct RemoveFoldersCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Let the photos of folders leave the library; no file is touched.",
    discussion: """
      Takes folders or photos that were added by name out of the library. Photos, sidecars and \
      renders stay as they are. Albums and marks of the photos are kept, and come back when they are \
      added again. To get rid of photos, use “edit library trash”.

      Example:
        edit library remove /mnt/archive
      """)

  @Argument(help: "The folders, or photos, that were added.", completion: .directory)
  var folders: [String]

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let result = try await library.remove(folders.map { FilePath(argument: $0) })
    let left = result.removed
    print(
      .object(["status": "removed", "removed": left]),
      ["\(counted(left, "photo")) left the library; no file was touched"], on: console)
    return .success
  }
}
