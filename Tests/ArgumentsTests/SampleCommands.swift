import SafelightArguments

/// A small photo program, enough to meet every kind of argument.
struct Edit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit photos without touching the originals.",
    version: { "1.2.0" },
    subcommands: [Apply.self, Render.self, Rotate.self, Worker.self, Library.self])
}

struct Common: ParsableArguments {
  @Flag(help: "Print one JSON object for each photo.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print results only.")
  var quiet = false
}

struct Apply: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put a filter on photos.",
    discussion: """
      The filter replaces the one that a photo has. Its strength goes from nothing at all to what \
      its author had in mind.

      EXAMPLES
        edit apply noir harbour.jpg --intensity 0.8 --output a-rather-long-name-of-a-folder/
      """)

  @Argument(help: "A filter's name, or the path of a .cube file.")
  var filter: String

  @Argument(help: ArgumentHelp("The photos to edit.", valueName: "photo"))
  var photos: [String]

  @Option(name: .shortAndLong, help: "How much of the filter to use.")
  var intensity = 1.0

  @Option(name: [.customShort("x"), .long], help: "Light to add in stops.")
  var exposure: Double?

  @OptionGroup(title: "Common options") var common: Common

  mutating func validate() throws {
    guard (0...1).contains(intensity) else {
      throw ValidationError("The intensity must be between 0 and 1.")
    }
  }

  mutating func run() async throws {
    if filter == "broken" { throw FilterFailure() }
    if filter == "refused" { throw ValidationError("This filter is not for photos.") }
    if filter == "interrupted" { throw ExitCode(130) }
    print("\(filter) on \(photos.count)")
  }
}

struct FilterFailure: Error, CustomStringConvertible {
  let description = "The filter cannot be read."
}

enum Format: String, CaseIterable, ExpressibleByArgument {
  case jpeg, png, tiff
}

struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write rendered photos.")

  @Argument(help: ArgumentHelp("The photo to render.", valueName: "photo")) var photo: String
  @Option(name: .shortAndLong, help: "Where to write.") var output: String
  @Option(help: "How to write.") var format = Format.jpeg
  @Option(help: ArgumentHelp("Limit of the longer side in pixels.", valueName: "pixels"))
  var longestSide: Int?
  @Option(help: "JPEG quality.", in: 1...100) var quality = 95
  @Option(name: [.short, .customLong("tag")], help: "A keyword to add.") var tags: [String] = []
  @Flag(name: .customShort("0"), help: "Names are separated by NUL.") var separatesByNul = false
  @Flag(name: .shortAndLong, help: "Tell more.") var verbose = false
  @Option(help: .hidden) var seed = 0
}

struct Rotate: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Turn a photo.")
  @Argument var degrees: Double
  @Argument var photo: String?
  var turns = 4
  var name: String?
}

struct Worker: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Serve jobs.", shouldDisplay: false)
}

struct Library: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look after a library.", subcommands: [Albums.self, FetchAssets.self],
    defaultSubcommand: FetchAssets.self)
}

struct Albums: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "List albums.")
}

struct FetchAssets: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "List photos.")
  @Argument(help: "What to look for.") var words: [String] = ["everything", "new"]
  @Option var limit: Int?
}

/// Reads a command line of ``Edit`` as the command that it should name.
func parse<Command: ParsableCommand>(
  _ type: Command.Type = Command.self, _ words: String...
) throws -> Command? {
  try Edit.parseAsRoot(words) as? Command
}

/// The error of a command line of ``Edit``; `nil` when it is right.
func mistake(in words: [String]) -> CommandError? {
  do {
    _ = try Edit.parseAsRoot(words)
    return nil
  } catch { return error }
}

/// Everything that would be printed for a wrong command line.
func message(of words: [String], columns: Int = 80) -> String? {
  mistake(in: words).map { Edit.fullMessage(for: $0, columns: columns) }
}
