import PhotoEditing
import SafelightArguments

/// `edit help`: explains commands, and what is not about one command alone.
struct HelpCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Explain a command, the error codes, the files or the JSON.",
    usage: """
      edit help [<command> ...]
             edit help errors [<code>] [--json]
             edit help formats [--json]
             edit help files | exclude | json | sandbox | environment
             edit help --man
      """,
    discussion: """
      Example:
        edit help apply
        edit help errors
        edit help errors original-missing
        edit help formats
        edit help json
        edit help --man > edit.1
      """)

  @Argument(
    help: ArgumentHelp(
      "A command, or a topic: errors, files, formats, exclude, json, sandbox or environment.",
      valueName: "command"),
    completion: .custom { words, index, _ in HelpCommand.candidates(words, index) })
  var words: [String] = []

  @Flag(help: "Print the manual page of all commands, for man.")
  var man = false

  @Flag(help: "Print the error codes or the formats as JSON, one for each line.")
  var json = false

  func validate() throws {
    if json, ![HelpTopic.errors.name, HelpTopic.formats.name].contains(words.first) {
      throw ValidationError("--json goes with “edit help errors” and “edit help formats”.")
    }
    if man, !words.isEmpty { throw ValidationError("--man prints all commands; name none.") }
  }

  func run(on console: Console) throws -> ExitCode {
    if man {
      console.result(EditCommand.manualPage)
      return .success
    }
    let root = EditCommand.commandDescription
    if let name = words.first, root.subcommand(named: name) == nil,
      let topic = HelpTopic.all.first(where: { $0.name == name })
    {
      for line in try lines(of: topic, console.resultStyle) { console.result(line) }
      return .success
    }
    var command = root
    for word in words {
      guard let next = command.subcommand(named: word) else {
        let topics = command.path == root.path ? HelpTopic.all.map(\.name) : []
        let names = command.subcommands.filter { !$0.isHidden }.map(\.name) + topics
        throw UsageError.unknownSubcommand(word, nearest: nearest(to: word, among: names))
      }
      command = next
    }
    console.result(command.helpText(emphasis: console.resultStyle))
    return .success
  }

  private func lines(of topic: HelpTopic, _ emphasis: Emphasis) throws -> [String] {
    let codes = words.dropFirst()
    if topic.name == HelpTopic.formats.name, codes.isEmpty {
      let abilities = try PhotoDarkroom.current.abilities()
      if json { return abilities.map(\.json.text) }
      return [HelpTopic.formats(abilities).text(emphasis: emphasis)]
    }
    guard topic.name == HelpTopic.errors.name else {
      if codes.isEmpty { return [topic.text(emphasis: emphasis)] }
      throw UsageError.unexpectedArguments(Array(codes))
    }
    let all = ErrorExplanation.all
    let chosen = try codes.map { code in
      guard let found = all.first(where: { $0.code == code }) else {
        let near = nearest(to: code, among: all.map(\.code))
        throw ValidationError(
          "There is no error code “\(code)”. "
            + (didYouMean(near) ?? "“edit help errors” lists them."))
      }
      return found
    }
    if json { return (chosen.isEmpty ? all : chosen).map(\.json.text) }
    if chosen.isEmpty { return [topic.text(emphasis: emphasis)] }
    return [HelpTopic(chosen).text(emphasis: emphasis)]
  }

  /// What may follow `edit help` and the words there are.
  private static func candidates(_ words: [String], _ index: Int) -> [CompletionCandidate] {
    let root = EditCommand.commandDescription
    let path = words.prefix(index).dropFirst(2).filter { !$0.hasPrefix("-") }
    if path.first == HelpTopic.errors.name {
      return ErrorExplanation.all.map { CompletionCandidate($0.code, section: "error codes") }
    }
    var command: CommandDescription? = root
    for word in path { command = command?.subcommand(named: word) }
    let commands = (command?.subcommands ?? []).filter { !$0.isHidden }.map {
      CompletionCandidate($0.name, $0.abstract, section: "commands")
    }
    let topics = HelpTopic.all.map { CompletionCandidate($0.name, $0.abstract, section: "topics") }
    return path.isEmpty ? commands + topics : commands
  }
}
