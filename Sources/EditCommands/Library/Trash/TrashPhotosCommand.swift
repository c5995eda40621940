import PhotoLibraryKit
import SafelightArguments

/// `edit library trash put`: puts photos into the trash.
struct TrashPhotosCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "put",
    abstract: "Put photos into the trash.",
    discussion: """
      Their files stay where they are, and “edit library trash restore” brings everything back, \
      albums and favorites too.

      Example:
        edit library trash put blurred.jpg
      """)

  @Argument(help: "The photos, by path or identifier.", completion: .photos)
  var photos: [String]

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let named = try NamedAssets(photos, in: library)
    let assets = named.assets
    if !assets.isEmpty {
      try await library.performChanges { AssetChangeRequest.deleteAssets(assets) }
    }
    return try report(named.items.map(\.name), on: console) { index in
      try named.items[index].found.get().result("trashed", "put into the trash")
    }
  }
}

/// `edit library trash list`: lists what is in the trash.
struct ListTrashCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List what is in the trash, the last first.",
    discussion: """
      Example:
        edit library trash list
        edit library trash list --json
      """)

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    list(try library.trashedAssets(), on: console)
  }
}

/// `edit library trash restore`: takes photos out of the trash.
struct RestoreCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Take photos out of the trash, as they were.",
    discussion: """
      Example:
        edit library trash restore blurred.jpg
        edit library trash restore --all
      """)

  @Argument(help: "The photos, by path or identifier.", completion: .photos)
  var photos: [String] = []

  @Flag(help: "Take all of them out.")
  var all = false

  @OptionGroup var options: LibraryOptions

  func validate() throws {
    if photos.isEmpty != all { throw ValidationError("Name the photos, or all with --all.") }
  }

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let trashed = try library.trashedAssets()
    let words = all ? trashed.map(\.path.argument) : photos
    let named = NamedAssets(words, among: trashed, otherwise: PhotoFailure.notInTrash)
    let assets = named.assets
    if !assets.isEmpty {
      try await library.performChanges { AssetChangeRequest.restoreAssets(assets) }
    }
    if words.isEmpty { note("The trash is empty.", on: console) }
    return try report(named.items.map(\.name), on: console) { index in
      try named.items[index].found.get().result("restored", "restored")
    }
  }
}
