/// What a shell offers for the value of an argument.
///
/// Spelled like swift-argument-parser's type of this name; `anyOf(_:)`, the endings to ignore and
/// the candidates' explanations are additions.
package enum CompletionKind: Sendable {
  /// Makes candidates from the words of the command line, the place of the unfinished word, and this
  /// word up to the cursor.
  package typealias Source = @Sendable ([String], Int, String) async -> [CompletionCandidate]

  /// The words that the value's type allows, when they can be listed.
  case `default`
  case candidates([CompletionCandidate])
  case files(CompletionFiles)
  /// What a function finds. The first word that it gets is the program's name.
  case custom(Source)
  /// What any of several kinds offers; of files, only the last kind counts.
  case anyOf([CompletionKind])

  package static func list(_ words: [String]) -> CompletionKind {
    .candidates(words.map { CompletionCandidate($0) })
  }

  /// Files, and folders on the way to them.
  ///
  /// - Parameters:
  ///   - extensions: Endings without the dot, in any case of letters; empty takes every file.
  ///   - ignoring: Ends of names that are offered only when nothing else is, such as `_edited.jpg`;
  ///     a star stands for any characters.
  package static func file(
    extensions: [String] = [], ignoring: [String] = []
  ) -> CompletionKind {
    .files(CompletionFiles(extensions: extensions, ignoring: ignoring))
  }

  package static let directory = CompletionKind.files(CompletionFiles(isFoldersOnly: true))
}

/// A word that a shell offers.
package struct CompletionCandidate: Sendable, Hashable {
  /// The word, without any shell's quotes.
  package let word: String
  /// A few words on what it stands for, beside it in zsh and fish; empty for none.
  package let explanation: String
  /// The heading that zsh lists it under; empty for none.
  package let section: String

  package init(_ word: String, _ explanation: String = "", section: String = "") {
    self.word = word
    self.explanation = explanation
    self.section = section
  }
}

/// Which files a shell offers; folders are always offered as the way to them.
package struct CompletionFiles: Sendable, Hashable {
  /// Endings without the dot, in any case of letters; empty for every file.
  package let extensions: [String]
  /// Ends of names that are offered only when nothing else is; a star stands for any characters.
  package let ignoring: [String]
  /// Whether nothing but folders is offered.
  package let isFoldersOnly: Bool

  init(extensions: [String] = [], ignoring: [String] = [], isFoldersOnly: Bool = false) {
    self.extensions = extensions
    self.ignoring = ignoring
    self.isFoldersOnly = isFoldersOnly
  }
}
