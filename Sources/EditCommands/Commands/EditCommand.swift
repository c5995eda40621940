import Glibc
import PhotoEditing
import SafelightArguments

/// The command line `edit`: photos are edited beside their originals, which never change.
public struct EditCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edits photos without changing them.",
    discussion: """
      The edited picture is written beside the original as “_edited.jpg”, the edit itself into a \
      sidecar “.aae”. The original is only read, and “edit revert” drops both again.

      Example:
        edit apply noir beach.jpg
        edit show beach.jpg
        edit revert beach.jpg

      Results go to standard output, one line for each photo, and messages to standard error. The \
      exit code is 0 when all was done, 1 when a photo failed, 64 when the command line was wrong \
      and 130 when the work was interrupted.
      """,
    version: Version.text,
    groupedSubcommands: [
      CommandGroup(
        name: "Edit",
        subcommands: [
          ApplyCommand.self, AdjustCommand.self, AutoCommand.self, CropCommand.self,
          StraightenCommand.self, RotateCommand.self, FlipCommand.self, SyncCommand.self,
          RevertCommand.self,
        ]),
      CommandGroup(
        name: "History",
        subcommands: [
          UndoCommand.self, RedoCommand.self, HistoryCommand.self, VersionCommand.self,
        ]),
      CommandGroup(
        name: "Look",
        subcommands: [
          ShowCommand.self, CompareCommand.self, FiltersCommand.self, AdjustmentsCommand.self,
        ]),
      CommandGroup(
        name: "Files",
        subcommands: [RenderCommand.self, VerifyCommand.self, RelinkCommand.self]),
      CommandGroup(name: "Library", subcommands: [LibraryCommand.self]),
      CommandGroup(name: "For programs", subcommands: [WorkerCommand.self]),
      CommandGroup(name: "Help", subcommands: [HelpCommand.self, CompletionsCommand.self]),
    ])

  /// The command with nothing asked for, which shows its help.
  public init() {}

  public func run() async throws {
    throw CleanExit.helpRequest(Self.self)
  }
}

extension EditCommand {
  /// Runs the program's command line: batches work on processes of the same program, and progress is
  /// shown on standard error. Ctrl-C and SIGTERM roll back the photo in hand.
  ///
  /// - Parameter arguments: The words after the program's name, as
  ///   `FilePath.argument(decoding:)` makes them.
  public static func runAsProgram(_ arguments: [String]) async {
    await Interruption.cancelling {
      await CommandSurroundings.$workerProgram.withValue(workerProgram) {
        await CommandSurroundings.$progressTerminal.withValue(.standardError) {
          await CommandSurroundings.$questionTerminal.withValue(.standard) {
            await main(arguments)
          }
        }
      }
    }
  }

  /// This program; `nil` where it cannot be found, as without a /proc. Batches work without workers
  /// there.
  private static var workerProgram: FilePath? {
    access("/proc/self/exe", X_OK) == 0 ? "/proc/self/exe" : nil
  }
}
