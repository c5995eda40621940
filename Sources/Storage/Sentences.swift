extension String {
  /// A sentence as it goes on after a colon: with a small first letter.
  package var continued: String { prefix(1).lowercased() + dropFirst() }

  /// The end of a sentence as a sentence of its own.
  package var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
