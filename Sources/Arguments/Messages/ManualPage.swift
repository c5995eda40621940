/// A part of a manual page that the commands' own descriptions do not hold.
package struct ManualSection: Sendable {
  /// What a section is made of.
  package enum Content: Sendable {
    /// Lines that are filled, those that start with a space kept as they are.
    case text(String)
    /// A term in bold, such as an exit code or a file's name, and what it means.
    case entry(String, String)
  }

  /// The heading, in capitals.
  package let title: String
  /// What stands under it.
  package let content: [Content]

  package init(_ title: String, _ content: [Content]) {
    self.title = title
    self.content = content
  }
}

extension CommandDescription {
  /// The manual page of the command and all below it, as roff with the macros of man(7).
  ///
  /// - Parameters:
  ///   - number: The manual's section; 1 is for commands.
  ///   - date: The day of the version, as `2026-01-31`.
  ///   - source: The program with its version, for the foot of the page.
  ///   - sections: What follows the commands.
  package func manualPage(
    section number: Int = 1, date: String, source: String, sections: [ManualSection] = []
  ) -> String {
    var page = ManualPage()
    // mandoc reads the date only as it stands.
    page.lines.append(
      ".TH \(name.uppercased()) \(number) \"\(date)\" \"\(source)\" \"User Commands\"")
    page.request("SH", ["NAME"])
    page.text("\(name) \\- ", abstract.asPhrase)
    page.request("SH", ["SYNOPSIS"])
    page.synopsis(of: self)
    page.request("SH", ["DESCRIPTION"])
    page.add(discussion)
    page.request("SH", ["COMMANDS"])
    page.add("Every command also has the option --help.")
    for command in allCommands { page.add(command) }
    for section in sections {
      page.request("SH", [section.title])
      for (index, part) in section.content.enumerated() {
        switch part {
        case .text(let text):
          // Without this, the text would belong to the entry before it.
          if index > 0 { page.lines.append(".PP") }
          page.add(text)
        case .entry(let term, let meaning): page.add(term, meaning)
        }
      }
    }
    return page.lines.joined(separator: "\n")
  }

  /// The commands below this one, each before its own subcommands.
  private var allCommands: [CommandDescription] {
    subcommands.filter { !$0.isHidden }.flatMap { [$0] + $0.allCommands }
  }
}

/// Lines of roff as they are put together.
private struct ManualPage {
  var lines: [String] = []

  /// A macro with its arguments, in quotes where they need them.
  mutating func request(_ macro: String, _ arguments: [String] = []) {
    let words = arguments.map { argument in
      let text = argument.roff
      return text.contains(" ") || text.isEmpty ? "\"\(text)\"" : text
    }
    lines.append((["." + macro] + words).joined(separator: " "))
  }

  /// A line of text after `marks`, which is roff already.
  mutating func text(_ marks: String = "", _ text: String) {
    let line = marks + text.roff
    // A point at its start would make it a request.
    lines.append(line.hasPrefix(".") ? "\\&" + line : line)
  }

  /// A text that is filled, over as many lines as keep the source legible.
  mutating func filledText(_ text: String) {
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, (line + word).roff.count > 78 {
        self.text("", line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { self.text("", line) }
  }

  mutating func synopsis(of command: CommandDescription) {
    guard let usage = command.usage("", columns: .max) else { return }
    for (index, line) in usage.split(separator: "\n").enumerated() {
      if index > 0 { lines.append(".br") }
      filledText(String(line))
    }
  }

  mutating func add(_ command: CommandDescription) {
    request("SS", [command.path.joined(separator: " ")])
    filledText(command.abstract)
    lines.append(".PP")
    synopsis(of: command)
    if !command.discussion.isEmpty {
      lines.append(".PP")
      add(command.discussion)
    }
    var title = ""
    for argument in command.arguments where !argument.isBuiltIn && !argument.isHidden {
      if argument.section != title, argument.kind != .positional {
        title = argument.section
        lines.append(".PP")
        text("", (title.isEmpty ? "Other options" : title) + ":")
      }
      add(argument.helpLabel, argument.explanation)
    }
  }

  /// A term and its meaning.
  mutating func add(_ term: String, _ meaning: String) {
    lines.append(".TP")
    text("\\fB", term)
    lines[lines.count - 1] += "\\fR"
    for (index, paragraph) in meaning.split(separator: "\n").enumerated() {
      if index > 0 { lines.append(".IP") }
      filledText(String(paragraph))
    }
  }

  /// Paragraphs, filled but for lines that start with a space.
  mutating func add(_ paragraphs: String) {
    var isExample = false
    var isStart = true
    for line in paragraphs.split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = line.first == " "
      if isIndented != isExample {
        lines += isIndented ? [".RS 2", ".nf"] : [".fi", ".RE"]
        isExample = isIndented
      }
      if line.isEmpty {
        if !isStart, lines.last != ".PP" { lines.append(".PP") }
      } else {
        isIndented ? text("", String(line.dropFirst(2))) : filledText(String(line))
        isStart = false
      }
    }
    if isExample { lines += [".fi", ".RE"] }
    if lines.last == ".PP" { lines.removeLast() }
  }
}

extension String {
  /// The text in ASCII, with the characters escaped that mean something to roff.
  fileprivate var roff: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "\"": "\\(dq"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "“": "\\(lq"
      case "”": "\\(rq"
      case _ where scalar.isASCII: String(scalar)
      default: "\\[u\(hexadecimal(scalar))]"
      }
    }.joined()
  }

  /// The sentence without its capital and period, for the first line of a manual.
  fileprivate var asPhrase: String { prefix(1).lowercased() + String(dropFirst()).withoutPeriod }
}

/// A scalar's number with at least four digits, as roff wants it.
private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
  let digits = String(scalar.value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
