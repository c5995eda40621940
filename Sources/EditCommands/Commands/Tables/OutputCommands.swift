import PhotoEditing
import SafelightArguments

/// `edit outputs`: lists the outputs that the user keeps, keeps one, and removes one.
struct OutputsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outputs",
    abstract: "List the outputs that you keep for “edit render --preset”, or keep one.",
    discussion: """
      An output is what “edit render” can be told of a picture: format, size, quality, sharpening, profile, watermark. \
      Outputs are JSON files in $XDG_DATA_HOME/safelight/outputs, or in ~/.local/share/safelight/outputs. The files that \
      an output names, such as a profile, are kept in it. What is said beside --preset counts before what is kept.

      Example:
        edit outputs save web --longest-side 1600 --quality 82 --sharpen screen
        edit outputs
        edit render *.jpg -o site --preset web
        edit outputs remove web
      """,
    subcommands: [
      ListOutputsCommand.self, SaveOutputCommand.self, RemoveOutputCommand.self,
    ],
    defaultSubcommand: ListOutputsCommand.self)
}

extension OutputPresets {
  /// Those of the user.
  fileprivate static var own: OutputPresets {
    OutputPresets(beside: CommandSurroundings.userFilters)
  }
}

/// `edit outputs list`: lists the outputs.
struct ListOutputsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the outputs that you keep.",
    discussion: """
      Example:
        edit outputs list
        edit outputs list --json
      """)

  @Flag(help: "Print JSON, one output for each line.")
  var json = false

  func run(on console: Console) -> ExitCode {
    do {
      let (presets, problems) = try OutputPresets.own.list()
      for problem in problems { console.fail(PhotoFailure(problem)) }
      for preset in presets {
        let members = preset.json["output"]?.members ?? []
        let words = members.map { "\($0.key) \($0.value.string ?? $0.value.text)" }
        console.result(
          json
            ? preset.json.text : "\(preset.name): \(words.joined(separator: ", "))".onOneLine)
      }
      return problems.isEmpty ? .success : .failure
    } catch {
      return console.fail(PhotoFailure(error))
    }
  }
}

/// `edit outputs save`: keeps an output under a name.
struct SaveOutputCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Keep an output under a name.",
    discussion: """
      Example:
        edit outputs save web --longest-side 1600 --quality 82 --sharpen screen
        edit outputs save signed --preset web --watermark "© Ann" --replace
      """)

  @Argument(help: "The output's name: lower case letters, digits and hyphens.")
  var name: String

  @OptionTable(OperationOptions.rows(of: RenderOutput.self)) var described

  @Flag(help: "Replace the output of this name.")
  var replace = false

  func validate() throws { _ = try OperationOptions.output(described) }

  func run(on console: Console) throws -> ExitCode {
    let (output, given) = try OperationOptions.output(described)
    do {
      let path = try OutputPresets.own.save(output, named: name, replacing: replace, given: given)
      console.result("\(name): saved to \(path)".onOneLine)
      return .success
    } catch {
      return console.fail(PhotoFailure(error))
    }
  }
}

/// `edit outputs remove`: removes an output.
struct RemoveOutputCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an output that you keep.",
    discussion: """
      Example:
        edit outputs remove web
      """)

  @Argument(help: "The output's name.")
  var name: String

  func run(on console: Console) -> ExitCode {
    do {
      let path = try OutputPresets.own.remove(named: name)
      console.result("\(name): removed \(path)".onOneLine)
      return .success
    } catch {
      return console.fail(PhotoFailure(error))
    }
  }
}
