extension String {
  /// The text with its control characters spelled out, as `\n` or `\u{1B}`: a file's name may hold
  /// any, and must neither break the line nor speak to the terminal.
  var onOneLine: String {
    // Asking Unicode about every character takes long where a million lines are printed.
    if utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return self }
    var line = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch (scalar, scalar.properties.generalCategory) {
      case (_, .control), (_, .lineSeparator), (_, .paragraphSeparator):
        line.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      default: line.append(scalar)
      }
    }
    return String(line)
  }
}
