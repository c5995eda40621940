import SafelightArguments
import Testing

/// Runs whole processes, as only they have exit codes and streams.
@Suite struct MainTests {
  @Test func aMistakeEndsIn64WithItsMessageOnStandardError() async {
    let end = await #expect(
      processExitsWith: .exitCode(64),
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) { await Edit.main(["apply", "noir", "a.jpg", "--exposure"]) }
    let output = text(end?.standardOutputContent)
    let errors = text(end?.standardErrorContent)
    #expect(
      errors.contains(
        """
        Error: Missing value for '--exposure <exposure>'. Write it behind the name, as in \
        '--exposure=<exposure>'.
        Usage: edit apply <filter> <photo> ... [--intensity <intensity>]
               [--exposure <exposure>] [--json] [--quiet]
          See 'edit apply --help' for more information.

        """))
    #expect(!output.contains("Usage"))
  }

  @Test func helpEndsIn0OnStandardOutput() async {
    let end = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) { await Edit.main(["help", "rotate"]) }
    let output = text(end?.standardOutputContent)
    let errors = text(end?.standardErrorContent)
    #expect(output.contains(Edit.helpMessage(for: Rotate.self) + "\n"))
    #expect(!errors.contains("OVERVIEW"))
  }

  @Test func aFailingCommandEndsIn1() async {
    let end = await #expect(
      processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
    ) { await Edit.main(["apply", "broken", "a.jpg"]) }
    let errors = text(end?.standardErrorContent)
    #expect(errors.contains("Error: The filter cannot be read.\n"))
  }

  @Test func aRunningCommandMayRefuseItsArguments() async {
    let end = await #expect(
      processExitsWith: .exitCode(64), observing: [\.standardErrorContent]
    ) { await Edit.main(["apply", "refused", "a.jpg"]) }
    let errors = text(end?.standardErrorContent)
    #expect(
      errors.contains(
        "Error: This filter is not for photos.\nUsage: edit apply "))
  }

  @Test func anExitCodeEndsWithoutAMessage() async {
    let end = await #expect(
      processExitsWith: .exitCode(130), observing: [\.standardErrorContent]
    ) { await Edit.main(["apply", "interrupted", "a.jpg"]) }
    let errors = text(end?.standardErrorContent)
    #expect(!errors.contains("Error"))
  }

  @Test func aCommandWithNothingToDoEndsWithItsHelp() async {
    let end = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { await Library.main(["albums"]) }
    let output = text(end?.standardOutputContent)
    #expect(output.contains("OVERVIEW: List albums.\n\nUSAGE: library albums\n"))
  }

  @Test func aCommandThatSucceedsGoesOn() async {
    let end = await #expect(
      processExitsWith: .exitCode(7), observing: [\.standardOutputContent]
    ) {
      await Edit.main(["apply", "noir", "a.jpg", "b.jpg"])
      Edit.exit(withError: ExitCode(7))
    }
    let output = text(end?.standardOutputContent)
    #expect(output.contains("noir on 2\n"))
  }
}

/// What a process wrote, as text.
private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }
