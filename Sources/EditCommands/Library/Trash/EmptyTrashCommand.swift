import PhotoLibraryKit
import SafelightArguments

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
      guard let terminal = CommandSurroundings.questionTerminal else {
        throw PhotoFailure.cannotAsk(question, instead: "Say yes with --yes.")
      }
      guard await terminal.confirm(question) else {
        note("The trash stays as it is.", on: console)
        return .success
      }
    }
    if !dryRun.isOn { try await library.performChanges { AssetChangeRequest.emptyTrash() } }
    return try report(trashed.map(\.path), on: console) { index in
      PhotoResult(
        status: "removed",
        text: dryRun.isOn ? "would be moved to .safelight-trash" : "moved to .safelight-trash",
        details: [.init("localIdentifier", .string(trashed[index].localIdentifier))]
          + dryRun.details)
    }
  }
}
