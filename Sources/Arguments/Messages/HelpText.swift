/// Where the explanations of arguments start, in characters.
private let explanationColumn = 26

/// A space at which a line is not broken.
private let noBreak = "\u{A0}"

extension CommandDescription {
  /// The help of the command, without a last line break.
  ///
  /// - Parameter columns: Where lines are wrapped, in characters.
  func helpText(columns: Int, includeHidden: Bool = false) -> String {
    let shown = arguments.filter { includeHidden || !$0.isHidden }
    let named = shown.filter { $0.kind != .positional }
    var sections: [String] = []
    if !abstract.isEmpty { sections.append(wrapped("OVERVIEW: " + abstract, to: columns)) }
    if !discussion.isEmpty { sections.append(wrapped(discussion, to: columns)) }
    if let usage = usage("USAGE: ", columns: columns) { sections.append(usage) }

    func add(_ heading: String, _ rows: [String]) {
      if !rows.isEmpty { sections.append("\(heading):\n" + rows.joined(separator: "\n")) }
    }
    let positional = shown.filter { $0.kind == .positional }
    add("ARGUMENTS", positional.map { $0.helpRow(columns: columns) })
    var titles: [String] = []
    for title in named.map(\.section) where !title.isEmpty && !titles.contains(title) {
      titles.append(title)
    }
    for title in titles {
      let rows = named.filter { $0.section == title }.map { $0.helpRow(columns: columns) }
      add(title.uppercased(), rows)
    }
    let untitled = named.filter(\.section.isEmpty)
    add("OPTIONS", untitled.map { $0.helpRow(columns: columns) })

    let commands = subcommands.filter { includeHidden || !$0.isHidden }
    add(
      "SUBCOMMANDS",
      commands.map { command in
        let names = ([command.name] + command.aliases).joined(separator: ", ")
        let isDefault = command.name == defaultSubcommand
        return row(names + (isDefault ? " (default)" : ""), command.abstract, columns: columns)
      })
    if !commands.isEmpty {
      let name = (path.prefix(1) + ["help"] + path.dropFirst()).joined(separator: " ")
      sections.append("  See '\(name) <subcommand>' for detailed help.")
    }
    return sections.joined(separator: "\n\n")
  }

  /// The lines below an error: the usage, and where to read more.
  func usageHint(columns: Int) -> [String] {
    guard !path.isEmpty else { return [] }
    let usage = usage("Usage: ", columns: columns).map { [$0] } ?? []
    return usage + ["  See '\(path.joined(separator: " ")) --help' for more information."]
  }

  /// How the command is called: `edit apply <filter> <photo> ... [--intensity <intensity>]`.
  private func usage(_ heading: String, columns: Int) -> String? {
    guard customUsage != "" else { return nil }
    let usage = wrapped(heading + (customUsage ?? synopsis), to: columns, hanging: heading.count)
    return usage.replacing(noBreak, with: " ")
  }

  private var synopsis: String {
    var shown = arguments.filter { !$0.isHidden && !$0.isBuiltIn }
    var words = path
    // More than a dozen would bury what must be given.
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

  fileprivate func helpRow(columns: Int) -> String {
    let value = kind == .flag ? "" : "<\(valueName)>"
    let names = names.joined(separator: ", ")
    let label = names.isEmpty || value.isEmpty ? names + value : names + " " + value
    var notes: [String] = []
    if !allowedValues.isEmpty { notes.append("values: " + allowedValues.joined(separator: ", ")) }
    if let defaultValue { notes.append("default: " + defaultValue) }
    let note = notes.isEmpty ? "" : "(\(notes.joined(separator: "; ")))"
    let explanation = [abstract, note].filter { !$0.isEmpty }.joined(separator: " ")
    let text = row(label, explanation, columns: columns)
    return discussion.isEmpty
      ? text : text + "\n" + wrapped(discussion, to: columns, indent: explanationColumn)
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
