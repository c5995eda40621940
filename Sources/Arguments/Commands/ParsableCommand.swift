/// A type whose wrapped properties are read from the words of a command line.
///
/// Properties without a wrapper keep the value that `init()` gives them. As in
/// swift-argument-parser, conforming types get `Decodable` and `init()` from the compiler.
package protocol ParsableArguments: Decodable, SendableMetatype {
  /// Creates the declaration of the arguments. Values without a default cannot be read from it.
  init()

  /// Checks whether the values fit together. Runs after every property has its value.
  ///
  /// - Throws: ``ValidationError`` to end in exit code 64 with the usage line.
  mutating func validate() throws
}

extension ParsableArguments {
  package mutating func validate() throws {}

  /// Reads the arguments from words, without any subcommands.
  ///
  /// - Parameter arguments: The words after the program's name; `nil` takes this process's own.
  /// - Throws: ``CommandError``.
  package static func parse(_ arguments: [String]? = nil) throws -> Self {
    var parser = CommandParser(root: Self.self as? any ParsableCommand.Type)
    return try parser.parse(self, from: arguments ?? Array(CommandLine.arguments.dropFirst()))
  }
}

extension ParsableArguments {
  /// Creates the values of all properties from scanned words.
  ///
  /// - Parameter prefix: Where this type's properties stand in `words`, as `group.`; empty at the top.
  init(words: ScannedWords, prefix: String = "") throws {
    var properties: [String: Any] = [:]
    for child in Mirror(reflecting: Self()).children {
      guard let label = child.label else { continue }
      if let property = child.value as? any ArgumentProperty {
        let name = propertyName(label)
        properties[name] = try property.filled(from: words, key: prefix + name)
      } else {
        properties[label] = child.value
      }
    }
    self = try Self(from: PropertyDecoder(properties: properties))
    try validate()
  }

  /// Every argument of this type and of its option groups, in the order they are written.
  static func definitions(prefix: String = "") -> [Definition] {
    Mirror(reflecting: Self()).children.flatMap { child -> [Definition] in
      guard let label = child.label, let property = child.value as? any ArgumentProperty else {
        return []
      }
      return property.definitions(key: prefix + propertyName(label))
    }
  }
}

/// The name a wrapped property has in the source: the compiler stores `quiet` as `_quiet`.
private func propertyName(_ label: String) -> String {
  label.hasPrefix("_") ? String(label.dropFirst()) : label
}

/// A command, or a subcommand, with arguments and something to do.
package protocol ParsableCommand: ParsableArguments {
  /// The command's name, texts and subcommands.
  static var configuration: CommandConfiguration { get }

  /// Runs the command. By default it shows the command's help.
  ///
  /// - Throws: Any error; ``ExitCode`` ends with that code and no message.
  mutating func run() throws
}

extension ParsableCommand {
  /// A configuration whose name comes from the type's: `ColorTable` is called `color-table`.
  package static var configuration: CommandConfiguration { CommandConfiguration() }

  package mutating func run() throws { throw CleanExit.helpRequest(self) }

  /// Reads a command line and returns the subcommand it names, ready to run.
  ///
  /// - Parameter arguments: The words after the program's name; `nil` takes this process's own.
  /// - Throws: ``CommandError``, also for a request for help or for the version.
  package static func parseAsRoot(_ arguments: [String]? = nil) throws -> any ParsableCommand {
    var parser = CommandParser(root: self)
    return try parser.parse(arguments ?? Array(CommandLine.arguments.dropFirst()))
  }

  /// Reads a command line, runs the command it names, and ends the process if either fails.
  ///
  /// - Parameter arguments: The words after the program's name; `nil` takes this process's own.
  package static func main(_ arguments: [String]?) {
    do {
      var command = try parseAsRoot(arguments)
      do { try command.run() } catch {
        throw CommandError(error, from: type(of: command), under: self)
      }
    } catch {
      exit(withError: error)
    }
  }

  package static func main() { main(nil) }

  /// The name by which the command is called.
  static var name: String {
    configuration.commandName ?? kebabCased(String(describing: Self.self))
  }
}

/// A command that does its work asynchronously.
///
/// The root must be one too for asynchronous subcommands to run.
package protocol AsyncParsableCommand: ParsableCommand {
  /// As ``ParsableCommand/run()``.
  mutating func run() async throws
}

extension AsyncParsableCommand {
  package mutating func run() async throws { throw CleanExit.helpRequest(self) }

  /// As ``ParsableCommand/main(_:)``.
  package static func main(_ arguments: [String]?) async {
    do {
      var command = try parseAsRoot(arguments)
      do {
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
      } catch {
        throw CommandError(error, from: type(of: command), under: self)
      }
    } catch {
      exit(withError: error)
    }
  }

  package static func main() async { await main(nil) }
}

/// What a command is called, what its help says, and which subcommands it has.
package struct CommandConfiguration: Sendable {
  /// The name on the command line; `nil` derives it from the type's name.
  package var commandName: String?
  /// Other names that work as well.
  package var aliases: [String]
  /// One line on what the command does.
  package var abstract: String
  /// The usage line without `USAGE:`; `nil` makes it from the arguments, an empty text hides it.
  package var usage: String?
  /// More on the command, such as examples; lines that start with a space are never wrapped.
  package var discussion: String
  /// What `--version` prints; when empty, the option exists only if a parent command has a version.
  package var version: String
  /// Whether the parent's help lists the command.
  package var shouldDisplay: Bool
  /// The commands that may follow this one's name, those outside groups first. Setting them removes
  /// the groups.
  package var subcommands: [any ParsableCommand.Type] {
    get { ungroupedSubcommands + groupedSubcommands.flatMap(\.subcommands) }
    set { (ungroupedSubcommands, groupedSubcommands) = (newValue, []) }
  }
  /// The subcommands that help lists under “SUBCOMMANDS”.
  package var ungroupedSubcommands: [any ParsableCommand.Type]
  /// The subcommands that help lists under titles of their own.
  package var groupedSubcommands: [CommandGroup]
  /// The subcommand that is meant when none is named; `nil` runs the command itself.
  package var defaultSubcommand: (any ParsableCommand.Type)?

  package init(
    commandName: String? = nil, abstract: String = "", usage: String? = nil,
    discussion: String = "", version: String = "", shouldDisplay: Bool = true,
    subcommands: [any ParsableCommand.Type] = [], groupedSubcommands: [CommandGroup] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil, aliases: [String] = []
  ) {
    self.commandName = commandName
    self.abstract = abstract
    self.usage = usage
    self.discussion = discussion
    self.version = version
    self.shouldDisplay = shouldDisplay
    ungroupedSubcommands = subcommands
    self.groupedSubcommands = groupedSubcommands
    self.defaultSubcommand = defaultSubcommand
    self.aliases = aliases
  }
}

/// Subcommands that help lists under a title.
package struct CommandGroup: Sendable {
  /// The title, such as `For programs`. Help shows it in capitals.
  package let name: String
  /// The commands of the group, in the order of the help.
  package let subcommands: [any ParsableCommand.Type]

  package init(name: String, subcommands: [any ParsableCommand.Type]) {
    self.name = name
    self.subcommands = subcommands
  }
}

/// A command as data: what help, a manual page and shell completions are made from.
package struct CommandDescription: Sendable {
  /// The name, after those of the commands it stands under: `["edit", "apply"]`.
  package let path: [String]
  /// Other names that work as well as the last of `path`.
  package let aliases: [String]
  /// One line on what the command does.
  package let abstract: String
  /// More on the command, such as examples.
  package let discussion: String
  /// The version that `--version` prints; `nil` when there is none.
  package let version: String?
  /// Whether help leaves the command out.
  package let isHidden: Bool
  /// The arguments in the order they are declared, then `--version` and `--help`.
  package let arguments: [ArgumentDescription]
  /// The commands below this one.
  package let subcommands: [CommandDescription]
  /// The name of the subcommand that is meant when none is named.
  package let defaultSubcommand: String?
  /// The title of the group that the parent lists the command in; empty when there is none.
  package let section: String
  let customUsage: String?

  /// The name by which the parent knows the command.
  package var name: String { path.last ?? "" }

  /// The command below this one that has a name or an alias; `nil` when none has.
  package func subcommand(named name: String) -> CommandDescription? {
    subcommands.first { $0.name == name || $0.aliases.contains(name) }
  }

  init(path types: [any ParsableCommand.Type], section: String = "") {
    let configuration = types.last?.configuration ?? CommandConfiguration()
    let version = Definition.version(of: types)
    path = types.map { $0.name }
    aliases = configuration.aliases
    abstract = configuration.abstract
    discussion = configuration.discussion
    self.version = version.isEmpty ? nil : version
    isHidden = !configuration.shouldDisplay
    arguments = Definition.all(for: types).map(\.description)
    subcommands =
      configuration.ungroupedSubcommands.map { CommandDescription(path: types + [$0]) }
      + configuration.groupedSubcommands.flatMap { group in
        group.subcommands.map { CommandDescription(path: types + [$0], section: group.name) }
      }
    defaultSubcommand = configuration.defaultSubcommand?.name
    self.section = section
    customUsage = configuration.usage
  }
}

/// An argument, an option or a flag as data.
package struct ArgumentDescription: Sendable {
  /// How an argument is recognized.
  package enum Kind: Sendable, Hashable {
    /// By its place.
    case positional
    /// By its name, which a value follows.
    case option
    /// By its name alone.
    case flag
  }

  /// How the argument is recognized.
  package let kind: Kind
  /// The names with their dashes, short ones first; empty for a positional argument.
  package internal(set) var names: [String]
  /// What the value is called, without angle brackets.
  package let valueName: String
  /// One line on what the argument is for.
  package let abstract: String
  /// More on the argument.
  package let discussion: String
  /// The default as help shows it; `nil` when there is none to show.
  package let defaultValue: String?
  /// Every word that is allowed as a value; empty when they cannot be listed.
  package let allowedValues: [String]
  /// Whether the argument may be left out.
  package let isOptional: Bool
  /// Whether the argument may be given more than once.
  package let isRepeating: Bool
  /// Whether help leaves the argument out.
  package internal(set) var isHidden: Bool
  /// What shells offer for the value.
  package let completion: CompletionKind
  /// Whether every command has it, as `--help`.
  package internal(set) var isBuiltIn = false
  /// The title of the option group it stands in; empty when there is none.
  package internal(set) var section = ""

  /// The argument as messages show it: `--quality <quality>`, `--quiet` or `<photo>`.
  ///
  /// - Parameter spelled: The name that was used; `nil` takes the first long one.
  func label(spelled: String? = nil) -> String {
    let name = spelled ?? names.first { $0.hasPrefix("--") } ?? names.first
    let value = kind == .flag ? nil : "<\(valueName)>"
    return [name, value].compactMap { $0 }.joined(separator: " ")
  }
}
