import PhotoEditing
import SafelightArguments

/// `edit filters remove`: removes a filter that the user saved.
struct RemoveFilterCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a filter that you saved.",
    discussion: """
      Photos that have the filter keep it: an edit holds what its filters do.

      Example:
        edit filters remove beach-look
      """)

  @Argument(help: "The filter's name.", completion: .userFilters)
  var name: String

  func run(on console: Console) -> ExitCode {
    do {
      let path = try CommandSurroundings.userFilters.remove(named: name)
      console.result("\(name): removed \(path)".onOneLine)
      return .success
    } catch {
      console.message("edit: \(error.message)".onOneLine)
      return .failure
    }
  }
}
