import PhotoEditing
import SafelightArguments

/// `edit filters save`: makes a filter of a photo's edit.
struct SaveFilterCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save a photo's edit as a filter.",
    discussion: """
      The filter holds the photo's adjustments and filters as they are; its crop and other \
      geometry are left out. Photos that have the filter keep it as it was when it is replaced \
      or removed.

      Example:
        edit filters save beach-look --from beach.jpg
        edit filters save sand --from beach.jpg --title "Bright sand" --replace
      """)

  @Argument(help: "The new filter's name: lower case letters, digits and hyphens.")
  var name: String

  @Option(
    help: ArgumentHelp("The photo whose edit becomes the filter.", valueName: "photo"),
    completion: .photos)
  var from: String

  @Option(help: "The name for people; made from the name without it.")
  var title: String?

  @Option(help: "One sentence on what the filter does.")
  var summary: String?

  @Flag(help: "Replace the filter of this name that you saved before.")
  var replace = false

  @Flag(help: "Print the filter as JSON.")
  var json = false

  func validate() throws {
    if title?.isEmpty == true { throw ValidationError("The title is empty.") }
  }

  func run(on console: Console) async -> ExitCode {
    do {
      let saved = try await PhotoEditor().saveFilter(
        named: name, from: Photo(path: FilePath(argument: from)), title: title, summary: summary,
        in: CommandSurroundings.userFilters, replacing: replace)
      console.result(
        json ? saved.filter.json.text : "\(name): saved to \(saved.path)".onOneLine)
      if saved.leavesOutGeometry {
        console.message("edit: The photo's geometry is not part of the filter.")
      }
      return .success
    } catch {
      console.message("edit: \(error.message)".onOneLine)
      return .failure
    }
  }
}
