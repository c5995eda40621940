import SafelightArguments

extension HelpTopic {
  /// A topic of some error codes alone.
  init(_ errors: [ErrorExplanation]) {
    self.init(
      name: Self.errors.name, abstract: Self.errors.abstract,
      parts: errors.map { .entry($0.code, $0.meaning + " " + $0.advice) })
  }

  /// The topic for a terminal of 80 characters.
  func text(emphasis: Emphasis = .plain) -> String {
    parts.map { part in
      switch part {
      case .text(let text): wrapped(text, to: 80)
      case .entry(let term, let meaning):
        emphasis.bold(term) + "\n" + wrapped(meaning, to: 80, indent: 4)
      }
    }.joined(separator: "\n\n")
  }
}

extension HelpTopic.Part {
  /// The part as the manual page has it.
  var manualContent: ManualSection.Content {
    switch self {
    case .text(let text): .text(text)
    case .entry(let term, let meaning): .entry(term, meaning)
    }
  }
}
