import PhotoEditing
import SafelightArguments

/// `edit filters list`: lists the filters, describes some, or shows them on a photo.
struct ListFiltersCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the filters, describe some, or show them on a photo.",
    discussion: """
      With --json, a filter is printed as the JSON that “edit apply” also takes from a file: a \
      start for a look of your own. A lookup table's file can be described too. With --sheet, a \
      picture is written that shows the photo without and with each filter.

      Example:
        edit filters list
        edit filters list noir --json > my-noir.json
        edit filters list --sheet beach.jpg -o looks.jpg
      """)

  @Argument(
    help: "The filters, or their files, to describe or show; all of them without it.",
    completion: .filtersAndFiles)
  var filters: [String] = []

  @Flag(help: "Print JSON: a filter, or one for each line.")
  var json = false

  @Option(help: ArgumentHelp("Show the filters on this photo, in one picture.", valueName: "photo"))
  var sheet: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The picture of --sheet: .jpg, .png, .webp or .tif.", valueName: "path"))
  var output: String?

  @Option(help: "How many thumbnails the sheet has in a row; without it, what makes a good shape.")
  var columns: Int?

  @Option(
    help: ArgumentHelp(
      "Make the longer side of a thumbnail at most this long; 360 without it.",
      valueName: "pixels"))
  var longestSide: Int?

  @Flag(help: "Replace the picture of --sheet if it is there.")
  var overwrite = false

  func validate() throws {
    if let columns { try Limits.check(Double(columns), in: 1...1000, "--columns") }
    if let longestSide { try Limits.check(Double(longestSide), in: 16...4096, "--longest-side") }
    if sheet != nil, output == nil {
      throw ValidationError("--sheet needs a picture to write: -o FILE.")
    }
    if let sheet, let output {
      _ = try RenderDestination(writing: output, of: [FilePath(argument: sheet)])
    }
    if sheet == nil, output != nil || columns != nil || longestSide != nil || overwrite {
      throw ValidationError("--output, --columns, --longest-side and --overwrite need --sheet.")
    }
  }

  func run(on console: Console) async -> ExitCode {
    do throws(EditError) {
      let chosen = try filters.map { name throws(EditError) in
        try Filter.named(name, userFilters: CommandSurroundings.userFilters)
      }
      guard let sheet, let output else {
        for line in try chosen.isEmpty ? list(warningOn: console) : chosen.flatMap(describe) {
          console.result(line)
        }
        return .success
      }
      let photo = FilePath(argument: sheet)
      return await FilterSheet(
        photo: photo,
        destination: RenderDestination(FilePath(argument: output), photos: [photo], format: nil),
        filters: try chosen.isEmpty ? Filter.shipped + own(warningOn: console) : chosen,
        columns: columns, longestSide: longestSide ?? 360, overwrite: overwrite
      ).write(json: json, on: console)
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

  /// The filters that the user saved.
  private func own(warningOn console: Console) throws(EditError) -> [Filter] {
    let own = try CommandSurroundings.userFilters.list()
    for problem in own.problems { console.message("edit: \(problem.message)".onOneLine) }
    return own.filters
  }

  private func list(warningOn console: Console) throws(EditError) -> [String] {
    let filters = try Filter.shipped + own(warningOn: console)
    if json { return filters.map(\.json.text) }
    let width = filters.map(\.name.count).max() ?? 0
    return filters.enumerated().map { index, filter in
      let space = String(repeating: " ", count: width + 2 - filter.name.count)
      let mark = index < Filter.shipped.count ? "" : " (own)"
      return (filter.name + space + filter.summary + mark).onOneLine
    }
  }

  private func describe(_ filter: Filter) -> [String] {
    if json { return [filter.json.text] }
    return ["\(filter.name) (\(filter.title), version \(filter.version))", filter.summary]
      .map(\.onOneLine) + filter.steps.entries.map { "  \($0.summary)".onOneLine }
  }
}
