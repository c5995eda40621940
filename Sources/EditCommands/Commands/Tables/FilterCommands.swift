import PhotoEditing
import SafelightArguments

/// `edit filters`: lists the filters, shows them on a photo, saves edits as filters, and removes these.
struct FiltersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters",
    abstract: "List the filters, show them on a photo, or save one of your own.",
    usage: """
      edit filters [<filters> ...] [--json]
             edit filters [<filters> ...] --sheet <photo> --output <path>
             edit filters <subcommand>
      """,
    discussion: """
      Filters of your own are JSON files in $XDG_DATA_HOME/safelight/filters, or in \
      ~/.local/share/safelight/filters. They are used by name like those that ship.

      Example:
        edit filters
        edit filters noir --json > my-noir.json
        edit filters --sheet beach.jpg -o looks.jpg
        edit filters save beach-look --from beach.jpg
        edit filters remove beach-look

      A filter that is called like a subcommand is described by “edit filters list NAME”.
      """,
    subcommands: [
      ListFiltersCommand.self, SaveFilterCommand.self, RemoveFilterCommand.self,
    ],
    defaultSubcommand: ListFiltersCommand.self)
}

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
    help: "The filters, or their files, to describe or show; without names, all filters.",
    completion: .filtersAndFiles)
  var filters: [String] = []

  @Flag(help: "Print JSON: a filter, or one for each line.")
  var json = false

  @Option(help: ArgumentHelp("Show the filters on this photo, in one picture.", valueName: "photo"))
  var sheet: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The picture of --sheet: .jpg, .png, .webp or .tif.", valueName: "path"))
  var output: OutputPath?

  @Option(
    help: "How many thumbnails the sheet has in a row; by default chosen for a good shape.",
    in: 1...1000)
  var columns: Int?

  @Option(
    help: ArgumentHelp(
      "Make the longer side of a thumbnail at most this long; 360 without it.",
      valueName: "pixels"), in: 16...4096)
  var longestSide: Int?

  @Flag(help: "Replace the picture of --sheet if it is there.")
  var overwrite = false

  func validate() throws {
    if sheet != nil, output == nil {
      throw ValidationError("--sheet needs a picture to write: -o FILE.")
    }
    try output?.checkIsFile()
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
      return await write(
        try chosen.isEmpty ? Filter.shipped + own(warningOn: console) : chosen,
        on: FilePath(argument: sheet), to: output.path, console)
    } catch {
      // “edit filters sav” comes here, because this is the default subcommand.
      if case .unknownFilter(let name) = error, EditError.filter(like: name) == nil,
        let near = nearest(to: name, among: ["save", "remove"])
      {
        return console.fail(
          PhotoFailure(
            code: error.code, message: error.description,
            hint: Advice(meaning: "edit filters \(near)")))
      }
      return console.fail(PhotoFailure(error))
    }
  }

  /// Writes a picture of a photo with each of some filters, and says so.
  private func write(
    _ filters: [Filter], on photo: FilePath, to output: FilePath, _ console: Console
  ) async -> ExitCode {
    let start = ContinuousClock.now
    let destination = RenderDestination(
      output, photos: [photo], as: RenderOutput(), hasFormat: false)
    let path = destination.paths[0]
    var outcome: Result<PhotoResult, PhotoFailure>
    do throws(EditError) {
      let result = try await PhotoEditor().exportContactSheet(
        of: Photo(path: photo), with: filters, columns: columns, to: path,
        as: RenderOutput(format: destination.format, longestSide: longestSide ?? 360),
        replacing: overwrite)
      outcome = .success(
        PhotoResult(
          status: result.status.rawValue, text: "\(counted(filters.count, "filter")) on \(path)",
          rendered: path, warnings: result.warnings,
          details: JSONValue.members(["filters": filters.map(\.name)])))
    } catch {
      outcome = .failure(PhotoFailure(error))
    }
    ResultPrinter(console: console, json: json, quiet: false)
      .print(PhotoReport(photo: photo, outcome: outcome, since: start))
    return (try? outcome.get()) == nil ? .failure : .success
  }

  /// The filters that the user saved.
  private func own(warningOn console: Console) throws(EditError) -> [Filter] {
    let own = try CommandSurroundings.userFilters.list()
    for problem in own.problems { console.fail(PhotoFailure(problem)) }
    return own.filters
  }

  private func list(warningOn console: Console) throws(EditError) -> [String] {
    let filters = try Filter.shipped + own(warningOn: console)
    if json { return filters.map(\.json.text) }
    let width = filters.map(\.name.count).max() ?? 0
    return filters.enumerated().map { index, filter in
      let mark = index < Filter.shipped.count ? "" : " (own)"
      return (filter.name.filled(to: width + 2) + filter.summary + mark).onOneLine
    }
  }

  private func describe(_ filter: Filter) -> [String] {
    if json { return [filter.json.text] }
    return ["\(filter.name) (\(filter.title), version \(filter.version))", filter.summary]
      .map(\.onOneLine) + filter.steps.entries.map { "  \($0.summary)".onOneLine }
  }
}

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
      return console.fail(PhotoFailure(error))
    }
  }
}

/// `edit filters remove`: removes a filter that the user saved.
struct RemoveFilterCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a filter that you saved.",
    discussion: """
      Photos that have the filter keep it, because an edit holds the steps of its filters.

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
      return console.fail(PhotoFailure(error))
    }
  }
}
