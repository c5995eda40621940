import Foundation

/// A program that ran to its end.
package struct FinishedProcess {
  /// The number that the process had.
  package let identifier: Int32
  package let status: Int32
  /// What the program printed.
  package let output: Data

  package var text: String { String(decoding: output, as: UTF8.self) }

  /// Runs a program.
  ///
  /// - Parameters:
  ///   - words: The program, looked for in PATH, and its arguments.
  ///   - includesErrors: Whether ``output`` has the messages too.
  package init(_ words: [String], includesErrors: Bool = false) throws {
    let printed = try PrintedText()
    let program = try StartedProgram(
      ["/usr/bin/env"] + words, output: printed.descriptor,
      errors: includesErrors ? printed.descriptor : nil)
    status = program.wait()
    identifier = program.processIdentifier
    output = printed.bytes
  }
}

/// The program exiftool, the reference for metadata.
package enum ExifTool {
  package static let isInstalled =
    (try? FinishedProcess(["sh", "-c", "command -v exiftool"]).status) == 0

  /// Runs exiftool and returns what it prints.
  package static func run(_ arguments: [String]) throws -> Data {
    try FinishedProcess(["exiftool"] + arguments).output
  }
}
