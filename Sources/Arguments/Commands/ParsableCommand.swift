/// A type whose wrapped properties are read from the words of a command line.
///
/// Properties without a wrapper keep the value that `init()` gives them. Conforming types get `init()`
/// from the compiler.
package protocol ParsableArguments: SendableMetatype {
  /// Creates the declaration of the arguments. Values without a default cannot be read from it.
  init()

  /// Checks whether the values fit together. Runs after every property has its value.
  ///
  /// - Throws: ``ValidationError`` to end in exit code 64 with the usage line.
  mutating func validate() throws
}

extension ParsableArguments {
  package mutating func validate() throws {}

  /// Reads the arguments from words, for a type that is no command: without subcommands and help.
  ///
  /// - Throws: ``UsageError``, or what ``validate()`` throws.
  package static func parse(_ words: [String]) throws -> Self {
    var scanner = CommandLineScanner(Self().arguments(), words: words[...])
    _ = try scanner.scan(stopAtArgument: false)
    return try Self(words: scanner.finished())
  }
}

extension ParsableArguments {
  /// Creates the values of all properties from scanned words.
  ///
  /// - Parameter prefix: Where this type's properties stand in `words`, as `group.`; empty at the top.
  init(words: ScannedWords, prefix: String = "") throws {
    self.init()
    for (name, property) in properties { try property.fill(from: words, key: prefix + name) }
    try validate()
  }

  /// Every argument of this type and of its option groups, in the order they are written.
  func arguments(prefix: String = "") -> [ArgumentDescription] {
    properties.flatMap { name, property in property.arguments(key: prefix + name) }
  }

  /// The wrapped properties with the names that they have in the source: the compiler stores `quiet`
  /// as `_quiet`.
  private var properties: [(name: String, property: any ArgumentProperty)] {
    Mirror(reflecting: self).children.compactMap { child in
      guard let label = child.label, let property = child.value as? any ArgumentProperty else {
        return nil
      }
      return (label.hasPrefix("_") ? String(label.dropFirst()) : label, property)
    }
  }
}

/// A command, or a subcommand, with arguments and something to do.
package protocol ParsableCommand: ParsableArguments {
  /// The command's name, texts and subcommands.
  static var configuration: CommandConfiguration { get }

  /// Runs the command. By default it shows the command's help.
  ///
  /// - Throws: Any error; ``ExitCode`` ends with that code and no message.
  mutating func run() async throws
}

extension ParsableCommand {
  /// A configuration whose name comes from the type's: `ColorTable` is called `color-table`.
  package static var configuration: CommandConfiguration { CommandConfiguration() }

  package mutating func run() async throws { throw CleanExit.helpRequest }

  /// Reads a command line and returns the subcommand it names, ready to run.
  ///
  /// - Parameter words: The words after the program's name.
  /// - Throws: ``CommandError``, also for a request for help or for the version.
  package static func parseAsRoot(_ words: [String]) throws(CommandError) -> any ParsableCommand {
    var parser = CommandParser(root: self)
    return try parser.parse(words)
  }

  /// Reads a command line, and runs the command it names.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name.
  ///   - run: Runs the command, where it is not run as usual.
  /// - Throws: ``CommandError``.
  package static func run(
    _ words: [String],
    by run: (inout any ParsableCommand) async throws -> Void = { try await $0.run() }
  ) async throws(CommandError) {
    var parser = CommandParser(root: self)
    var command = try parser.parse(words)
    do { try await run(&command) } catch { throw CommandError(error, in: parser.command) }
  }

  /// Reads a command line, runs the command it names, and ends the process if either fails.
  ///
  /// - Parameter words: The words after the program's name.
  package static func main(_ words: [String]) async {
    do { try await run(words) } catch { exit(withError: error) }
  }

  /// The name by which the command is called.
  static var name: String {
    configuration.commandName ?? kebabCased(String(describing: Self.self))
  }
}

/// What a command is called, what its help says, and which subcommands it has.
package struct CommandConfiguration: Sendable {
  /// The name on the command line; `nil` derives it from the type's name.
  package let commandName: String?
  /// One line on what the command does.
  let abstract: String
  /// The usage line without `USAGE:`; `nil` makes it from the arguments, an empty text hides it.
  let usage: String?
  /// More on the command, such as examples; lines that start with a space are never wrapped.
  let discussion: String
  /// What `--version` prints, made when it is asked for; with `nil`, the option exists only if a parent command has a
  /// version.
  let version: (@Sendable () -> String)?
  /// Whether the parent's help lists the command.
  let shouldDisplay: Bool
  /// The commands that may follow this one's name, under the titles that help lists them under; those
  /// without a title come first.
  let groups: [CommandGroup]
  /// The subcommand that is meant when none is named; `nil` runs the command itself.
  let defaultSubcommand: (any ParsableCommand.Type)?

  package init(
    commandName: String? = nil, abstract: String = "", usage: String? = nil,
    discussion: String = "", version: (@Sendable () -> String)? = nil, shouldDisplay: Bool = true,
    subcommands: [any ParsableCommand.Type] = [], groupedSubcommands: [CommandGroup] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    (self.commandName, self.abstract, self.usage) = (commandName, abstract, usage)
    (self.discussion, self.version, self.shouldDisplay) = (discussion, version, shouldDisplay)
    groups = [CommandGroup(name: "", subcommands: subcommands)] + groupedSubcommands
    self.defaultSubcommand = defaultSubcommand
  }

  /// The commands that may follow this one's name.
  package var subcommands: [any ParsableCommand.Type] { groups.flatMap(\.subcommands) }
}

/// Subcommands that help lists under a title.
package struct CommandGroup: Sendable {
  /// The title, such as `For programs`. Help shows it in capitals.
  let name: String
  /// The commands of the group, in the order of the help.
  let subcommands: [any ParsableCommand.Type]

  package init(name: String, subcommands: [any ParsableCommand.Type]) {
    (self.name, self.subcommands) = (name, subcommands)
  }
}

/// A command under the commands that lead to it: what the parser, help, the manual page and shells
/// know of it.
package struct CommandDescription: Sendable {
  /// The command after those it stands under; at least one.
  let types: [any ParsableCommand.Type]
  /// The title of the group that the parent lists the command in; empty when there is none.
  package let section: String

  init(_ types: [any ParsableCommand.Type], section: String = "") {
    (self.types, self.section) = (types, section)
  }

  var type: any ParsableCommand.Type { types[types.count - 1] }
  private var configuration: CommandConfiguration { type.configuration }

  /// The name, after those of the commands it stands under: `["edit", "apply"]`.
  package var path: [String] { types.map { $0.name } }
  /// The name by which the parent knows the command.
  package var name: String { type.name }
  /// One line on what the command does.
  package var abstract: String { configuration.abstract }
  /// More on the command, such as examples.
  package var discussion: String { configuration.discussion }
  /// The usage line that stands in place of the one made from the arguments.
  var customUsage: String? { configuration.usage }
  /// Whether help leaves the command out.
  package var isHidden: Bool { !configuration.shouldDisplay }

  /// What `--version` prints, of the innermost command that has one; `nil` when there is none.
  package var version: (@Sendable () -> String)? {
    types.compactMap { $0.configuration.version }.last
  }

  /// The commands below this one.
  package var subcommands: [CommandDescription] {
    configuration.groups.flatMap { group in
      group.subcommands.map { CommandDescription(types + [$0], section: group.name) }
    }
  }

  /// The subcommand that is meant when none is named.
  var defaultCommand: CommandDescription? {
    configuration.defaultSubcommand.map { CommandDescription(types + [$0]) }
  }

  /// The command below this one that has a name; `nil` when none has.
  package func subcommand(named name: String) -> CommandDescription? {
    subcommands.first { $0.name == name }
  }

  /// This command or the one below it, at any depth, that is of a type.
  func command(of type: any ParsableCommand.Type) -> CommandDescription? {
    if self.type == type { return self }
    return subcommands.lazy.compactMap { $0.command(of: type) }.first
  }

  /// The arguments in the order they are declared, then `--version` and `--help`, without names that
  /// the command uses itself.
  package var arguments: [ArgumentDescription] {
    let own = type.init().arguments()
    let taken = Set(own.flatMap(\.names))
    let version = ArgumentDescription.builtIn(
      ArgumentDescription.versionKey, names: ["--version"], "Show the version.")
    let help = ArgumentDescription.builtIn(
      ArgumentDescription.helpKey, names: ["-h", "--help"], "Show help information.")
    return own
      + ((self.version == nil ? [] : [version]) + [help]).compactMap { argument in
        var argument = argument
        argument.names.removeAll(where: taken.contains)
        return argument.names.isEmpty ? nil : argument
      }
  }
}
