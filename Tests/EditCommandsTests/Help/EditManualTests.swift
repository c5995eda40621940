import Foundation
import Testing

@testable import SafelightEditCommands

@Suite struct EditManualTests {
  private let folder = CommandFolder()

  @Test func theManualHasEveryCommandTopicAndSection() async throws {
    let page = try #require(await folder.edit("help", "--man").results.first)
    for section in [
      "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "FILES", "EXIT STATUS", "ENVIRONMENT",
      "ERRORS", "EXAMPLES",
    ] {
      #expect(
        page.contains(".SH \(section)\n") || page.contains(".SH \"\(section)\"\n"),
        "\(section) is missing.")
    }
    for command in EditCommand.commandDescription.subcommands {
      #expect(page.contains("\n.SS \"edit \(command.name)\"\n"))
    }
    for error in ErrorExplanation.all {
      #expect(page.contains(error.code.replacing("-", with: "\\-")))
    }
  }

  @Test(
    .enabled("groff is not installed.") { access("/usr/bin/groff", X_OK) == 0 },
    arguments: [["/usr/bin/groff", "-ww", "-z", "-man", "-Tascii"]])
  func groffHasNothingToSay(command: [String]) throws {
    try folder.put(EditCommand.manualPage, as: "edit.1")
    let groff = Process()
    groff.executableURL = URL(fileURLWithPath: command[0])
    groff.arguments = command.dropFirst() + [folder.path + "/edit.1"]
    let errors = Pipe()
    groff.standardError = errors
    try groff.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    groff.waitUntilExit()
    #expect(String(decoding: said, as: UTF8.self) == "")
    #expect(groff.terminationStatus == 0)
  }
}
