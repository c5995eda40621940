import PhotoEditing
import SafelightArguments

/// `edit presets`: lists the user's presets, saves one, and removes one.
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "List your presets for “edit render --preset”, or save one.",
    discussion: """
      A preset is what “edit render” can be told of a picture, under a name: format, size, quality, sharpening, profile, \
      watermark. Presets are JSON files in $XDG_DATA_HOME/safelight/presets, or in ~/.local/share/safelight/presets. The \
      files that a preset names, such as a profile, are kept in it. What is said beside --preset counts before what is \
      kept. What no picture can be written by is not saved.

      Example:
        edit presets save web --longest-side 1600 --quality 82 --sharpen screen
        edit presets
        edit render *.jpg -o site --preset web
        edit presets remove web
      """,
    subcommands: [
      ListPresetsCommand.self, SavePresetCommand.self, RemovePresetCommand.self,
    ],
    defaultSubcommand: ListPresetsCommand.self)
}

/// `edit presets list`: lists the presets.
struct ListPresetsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List your presets.",
    discussion: """
      Example:
        edit presets list
        edit presets list --json
      """)

  @Flag(help: "Print JSON, one preset for each line.")
  var json = false

  func run(on console: Console) -> ExitCode {
    do {
      let (presets, problems) = try CommandSurroundings.presets.list()
      for problem in problems { console.fail(PhotoFailure(problem)) }
      for preset in presets {
        console.result(json ? preset.json.text : "\(preset.name): \(preset.summary)".onOneLine)
      }
      return problems.isEmpty ? .success : .failure
    } catch {
      return console.fail(PhotoFailure(error))
    }
  }
}

/// `edit presets save`: keeps an output under a name as a preset.
struct SavePresetCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save a preset.",
    discussion: """
      Example:
        edit presets save web --longest-side 1600 --quality 82 --sharpen screen
        edit presets save signed --preset web --watermark "© Ann" --replace
      """)

  @Argument(help: "The preset's name: lower case letters, digits and hyphens.")
  var name: String

  @OptionTable(OperationOptions.rows(of: RenderOutput.self)) var described

  @Flag(help: "Replace the preset of this name.")
  var replace = false

  func validate() throws { _ = try OperationOptions.output(described) }

  func run(on console: Console) throws -> ExitCode {
    let (output, given) = try OperationOptions.output(described)
    do {
      let path = try CommandSurroundings.presets.save(
        output, named: name, replacing: replace, given: given)
      console.result("\(name): saved to \(path)".onOneLine)
      return .success
    } catch {
      return console.fail(PhotoFailure(error))
    }
  }
}

/// `edit presets remove`: removes a preset.
struct RemovePresetCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a preset.",
    discussion: """
      Example:
        edit presets remove web
      """)

  @Argument(help: "The preset's name.")
  var name: String

  func run(on console: Console) -> ExitCode {
    do {
      let path = try CommandSurroundings.presets.remove(named: name)
      console.result("\(name): removed \(path)".onOneLine)
      return .success
    } catch {
      return console.fail(PhotoFailure(error))
    }
  }
}
