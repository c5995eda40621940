/// Where the explanations of arguments start, in characters.
private let explanationColumn = 26

/// A space at which a line is not broken.
private let noBreak = "\u{A0}"

extension CommandDescription {
  /// The help of the command, without a last line break.
  ///
  /// - Parameters:
  ///   - columns: Where lines are wrapped, in characters.
  ///   - emphasis: Whether headings are bold.
  package func helpText(columns: Int = 80, emphasis: Emphasis = .plain) -> String {
    let shown = arguments.filter { !$0.isHidden }
    let named = shown.filter { $0.kind != .positional }
    var sections: [String] = []
    func add(startingWith heading: String, _ text: String?) {
      if let text { sections.append(emphasis.bold(heading) + text.dropFirst(heading.count)) }
    }
    func add(_ heading: String, _ rows: [String]) {
      guard !rows.isEmpty else { return }
      sections.append(emphasis.bold(heading + ":") + "\n" + rows.joined(separator: "\n"))
    }
    if !abstract.isEmpty {
      add(startingWith: "OVERVIEW:", wrapped("OVERVIEW: " + abstract, to: columns))
    }
    if !discussion.isEmpty { sections.append(wrapped(discussion, to: columns)) }
    add(startingWith: "USAGE:", usage("USAGE: ", columns: columns))

    let positional = shown.filter { $0.kind == .positional }
    add("ARGUMENTS", positional.map { $0.helpRow(columns: columns) })
    for title in named.map(\.section).grouped {
      let rows = named.filter { $0.section == title }.map { $0.helpRow(columns: columns) }
      add(title.isEmpty ? "OPTIONS" : title.uppercased(), rows)
    }

    let commands = subcommands.filter { !$0.isHidden }
    for group in commands.map(\.section).grouped {
      let rows = commands.filter { $0.section == group }.map { command in
        let isDefault = command.name == defaultCommand?.name
        return row(
          command.name + (isDefault ? " (default)" : ""), command.abstract, columns: columns)
      }
      add(group.isEmpty ? "SUBCOMMANDS" : group.uppercased(), rows)
    }
    if !commands.isEmpty {
      let name = (path.prefix(1) + ["help"] + path.dropFirst()).joined(separator: " ")
      sections.append("  See '\(name) <subcommand>' for detailed help.")
    }
    return sections.joined(separator: "\n\n")
  }

  /// The lines below an error: the usage, and where to read more.
  func usageHint(columns: Int) -> [String] {
    let usage = usage("Usage: ", columns: columns).map { [$0] } ?? []
    return usage + ["  See '\(path.joined(separator: " ")) --help' for more information."]
  }

  /// How the command is called: `edit apply <filter> <photo> ... [--intensity <intensity>]`.
  func usage(_ heading: String, columns: Int) -> String? {
    guard customUsage != "" else { return nil }
    let usage = wrapped(heading + (customUsage ?? synopsis), to: columns, hanging: heading.count)
    return usage.replacing(noBreak, with: " ")
  }

  private var synopsis: String {
    var shown = arguments.filter { !$0.isHidden && !$0.isBuiltIn }
    var words = path
    // More than a dozen would hide what must be given.
    if shown.count > 12 {
      shown.removeAll { $0.isOptional && $0.kind != .positional }
      words.append("[<options>]")
    }
    words += shown.map(\.synopsis)
    if !subcommands.isEmpty { words.append("<subcommand>") }
    return words.joined(separator: " ")
  }
}

extension ArgumentDescription {
  /// How the argument stands in a usage line: `[--quality <quality>]`, `<photo> ...`.
  fileprivate var synopsis: String {
    let repeated = label() + (isRepeating ? " ..." : "")
    // An option and its value stay on one line.
    return (isOptional ? "[\(repeated)]" : repeated).replacing(" ", with: noBreak)
  }

  /// All names with the value: `-o, --output <path>`.
  var helpLabel: String {
    let value = kind == .flag ? "" : "<\(valueName)>"
    let names = names.joined(separator: ", ")
    return names.isEmpty || value.isEmpty ? names + value : names + " " + value
  }

  /// What the argument is for, which values it takes, and which one without it.
  var explanation: String {
    var notes: [String] = []
    if !allowedValues.isEmpty { notes.append("values: " + allowedValues.joined(separator: ", ")) }
    if let defaultValue { notes.append("default: " + defaultValue) }
    let note = notes.isEmpty ? "" : "(\(notes.joined(separator: "; ")))"
    return [abstract, note].filter { !$0.isEmpty }.joined(separator: " ")
  }

  fileprivate func helpRow(columns: Int) -> String {
    row(helpLabel, explanation, columns: columns)
  }
}

extension [String] {
  /// Titles in the order in which they are listed: the empty one first, since what only one command
  /// has comes before what many have, then each in the order of its first use.
  var grouped: [String] {
    var seen: Set<String> = [""]
    return (contains("") ? [""] : []) + filter { seen.insert($0).inserted }
  }
}

/// A name and its explanation, beside each other if the name is short enough.
private func row(_ label: String, _ explanation: String, columns: Int) -> String {
  let start = "  " + label
  guard !explanation.isEmpty else { return start }
  let text = wrapped(explanation, to: columns, indent: explanationColumn)
  guard start.count < explanationColumn else { return start + "\n" + text }
  return start + text.dropFirst(start.count)
}

/// A text with its lines broken between words so that they fit.
///
/// Lines that start with a space are examples or tables and stay as they are; so does a word that
/// is too long for a line of its own.
///
/// - Parameters:
///   - columns: The longest line, in characters, the indent included; at least 20 stay for text.
///   - indent: Spaces before every line.
///   - hanging: Spaces before every line but the first of each paragraph.
package func wrapped(_ text: String, to columns: Int, indent: Int = 0, hanging: Int? = nil)
  -> String
{
  let margin = String(repeating: " ", count: indent)
  let hangingMargin = String(repeating: " ", count: hanging ?? indent)
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.map { line in
    if line.isEmpty { return "" }
    if line.first == " " { return margin + line }
    var filled: [String] = []
    var current = margin
    var isEmpty = true
    for word in line.split(separator: " ") {
      let limit = max(columns, indent + 20)
      if !isEmpty, current.count + 1 + word.count > limit {
        filled.append(current)
        current = hangingMargin
        isEmpty = true
      }
      current += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (filled + [current]).joined(separator: "\n")
  }.joined(separator: "\n")
}
