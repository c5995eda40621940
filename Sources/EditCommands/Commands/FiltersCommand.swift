import Arguments
import PhotoEditing

/// `edit filters`: lists the filters, or describes one.
struct FiltersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters",
    abstract: "List the filters, or describe one.",
    discussion: """
      With --json, a filter is printed as the JSON that “edit apply” also takes from a file: a \
      start for a look of your own. A lookup table's file can be described too.

      Example:
        edit filters
        edit filters noir --json > my-noir.json
      """)

  @Argument(help: "The filter, or its file, to describe; all are listed without it.")
  var filter: String?

  @Flag(help: "Print JSON: a filter, or one for each line.")
  var json = false

  func run() throws {
    let code = run(on: .standard)
    if !code.isSuccess { throw code }
  }

  func run(on console: Console) -> ExitCode {
    do {
      for line in try lines() { console.result(line) }
      return .success
    } catch {
      console.message("edit: \(error.message.onOneLine)")
      return .failure
    }
  }

  private func lines() throws(EditError) -> [String] {
    guard let filter else {
      let filters = Filter.shipped
      if json { return filters.map(\.json.text) }
      let width = filters.map(\.name.count).max() ?? 0
      return filters.map { filter in
        filter.name + String(repeating: " ", count: width + 2 - filter.name.count) + filter.summary
      }
    }
    let found = try Filter.named(filter)
    if json { return [found.json.text] }
    return ["\(found.name) (\(found.title), version \(found.version))", found.summary]
      + found.steps.entries.map { "  \($0.id)" }
  }
}
