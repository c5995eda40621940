import PhotoLibraryKit
import SafelightArguments

/// `edit library trash`: puts photos into the library's trash, restores them, or empties it.
struct TrashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash",
    abstract: "Put photos into the library's trash, restore them, or empty it.",
    usage: """
      edit library trash <photos> ...
             edit library trash list | restore <photos> ... | empty
      """,
    discussion: """
      Photos in the trash are not shown any more. Their files stay where they are \
      until “edit library trash empty”. A photo that is called like a subcommand is named with “./” \
      before it.

      Example:
        edit library trash blurred.jpg
        edit library trash list
        edit library trash restore blurred.jpg
        edit library trash empty
      """,
    subcommands: [
      TrashPhotosCommand.self, ListTrashCommand.self, RestoreCommand.self, EmptyTrashCommand.self,
    ],
    defaultSubcommand: TrashPhotosCommand.self)
}

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
    let change = AssetChange(status: "trashed", done: "put into the trash") { assets in
      AssetChangeRequest.deleteAssets(assets)
    }
    return try await perform(
      change, on: NamedAssets(photos, in: library), in: library, on: console)
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

  var isReading: Bool { true }

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
    let named = NamedAssets(words, among: trashed, otherwise: EditCommandError.notInTrash)
    if words.isEmpty { note("The trash is empty.", on: console) }
    let change = AssetChange(status: "restored", done: "restored") { assets in
      AssetChangeRequest.restoreAssets(assets)
    }
    return try await perform(change, on: named, in: library, on: console)
  }
}

/// `edit library trash empty`: takes what is in the trash out of the library for good.
struct EmptyTrashCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "empty",
    abstract: "Take what is in the trash out of the library for good.",
    discussion: """
      Each photo is moved with its edit into “.safelight-trash” in its own folder; delete that to \
      make room. The library forgets its albums and marks. It asks before, unless --yes is given.

      Example:
        edit library trash empty --dry-run
        edit library trash empty --yes
      """)

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let trashed = try library.trashedAssets()
    if trashed.isEmpty {
      note("The trash is empty.", on: console)
      return .success
    }
    if !dryRun.isOn, !yes {
      let question = "Take \(counted(trashed.count, "photo")) out of the library for good?"
      guard try await QuestionTerminal.confirm(question, instead: "Say yes with --yes.") else {
        note("The trash stays as it is.", on: console)
        return .success
      }
    }
    if !dryRun.isOn { try await library.performChanges { AssetChangeRequest.emptyTrash() } }
    let waiting = dryRun.isOn ? [] : Set(library.recovery.waiting)
    return try report(trashed.map(\.path), on: console) { index in
      let path = trashed[index].path
      if waiting.contains(path) { throw LibraryProblem(.changeUnfinished, path) }
      return PhotoResult(
        status: "removed",
        text: dryRun.isOn ? "would be moved to .safelight-trash" : "moved to .safelight-trash",
        details: JSONValue.members(["localIdentifier": trashed[index].localIdentifier])
          + dryRun.details)
    }
  }
}
