import Arguments
import PhotoEditing

/// `edit filters list`: lists the filters, or describes one.
struct ListFiltersCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the filters, or describe one.",
    discussion: """
      With --json, a filter is printed as the JSON that “edit apply” also takes from a file: a \
      start for a look of your own. A lookup table's file can be described too.

      Example:
        edit filters list
        edit filters list noir --json > my-noir.json
      """)

  @Argument(
    help: "The filter, or its file, to describe; all are listed without it.",
    completion: .filtersAndFiles)
  var filter: String?

  @Flag(help: "Print JSON: a filter, or one for each line.")
  var json = false

  func run(on console: Console) -> ExitCode {
    do throws(EditError) {
      let lines =
        if let filter { try describe(filter) } else { try list(warningOn: console) }
      for line in lines { console.result(line) }
      return .success
    } catch {
      // “edit filters sav” comes here, for this is the command that is meant when none is named.
      if case .unknownFilter(let name) = error, error.advice == error.hint,
        let near = nearest(to: name, among: ["save", "remove"])
      {
        console.message("edit: \(error.description) Did you mean “edit filters \(near)”?".onOneLine)
      } else {
        console.message("edit: \(error.message)".onOneLine)
      }
      return .failure
    }
  }

  private func list(warningOn console: Console) throws(EditError) -> [String] {
    let own = try CommandSurroundings.userFilters.list()
    for problem in own.problems { console.message("edit: \(problem.message)".onOneLine) }
    let filters = Filter.shipped + own.filters
    if json { return filters.map(\.json.text) }
    let width = filters.map(\.name.count).max() ?? 0
    return filters.enumerated().map { index, filter in
      let space = String(repeating: " ", count: width + 2 - filter.name.count)
      let mark = index < Filter.shipped.count ? "" : " (own)"
      return (filter.name + space + filter.summary + mark).onOneLine
    }
  }

  private func describe(_ name: String) throws(EditError) -> [String] {
    let filter = try Filter.named(name, userFilters: CommandSurroundings.userFilters)
    if json { return [filter.json.text] }
    return ["\(filter.name) (\(filter.title), version \(filter.version))", filter.summary]
      .map(\.onOneLine) + filter.steps.entries.map { "  \($0.summary)".onOneLine }
  }
}
