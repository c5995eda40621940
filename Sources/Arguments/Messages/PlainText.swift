extension String {
  /// The text with every character spelled out that could break the line, speak to the terminal or
  /// change the direction of writing, as `\n` or `\u{1B}`: names and metadata may hold any.
  ///
  /// A byte of an argument that is not UTF-8 travels as a private character, U+10FF00 plus the byte,
  /// and is shown as `\x9B`.
  package var onOneLine: String {
    // Asking Unicode about every character takes long where a million lines are printed.
    if utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return self }
    var line = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.value >= 0x10FF80 {
        let byte = String(scalar.value - 0x10FF00, radix: 16, uppercase: true)
        line.append(contentsOf: "\\x\(byte)".unicodeScalars)
      } else if scalar.mustBeSpelled {
        line.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      } else {
        line.append(scalar)
      }
    }
    return String(line)
  }
}

extension Unicode.Scalar {
  fileprivate var mustBeSpelled: Bool {
    switch properties.generalCategory {
    // C0, DEL and C1; U+2028; U+2029.
    case .control, .lineSeparator, .paragraphSeparator: true
    // Unicode's annex 9 has these controls of direction, and no others.
    case .format: properties.isBidiControl
    default: false
    }
  }
}
