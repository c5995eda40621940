import Glibc
import PhotoEditing
import Testing

@testable import SafelightEditCommands

@Suite struct ErrorHelpTests {
  private let folder = CommandFolder()

  /// Failures that only the command line has, which are no ``EditError``.
  private static let failures: [PhotoFailure] = [
    .folder("a"), .interrupted("a.jpg"), .timedOut("a.jpg", after: .seconds(2)),
    .crashed("a.jpg", .signal(number: SIGSEGV), nil, memoryLimit: 0), .badJob("it is no object."),
    .workerUnavailable(SystemCallError(code: EAGAIN)),
  ]

  @Test(arguments: ErrorExplanation.all)
  func everyCodeIsExplainedInSentences(error: ErrorExplanation) {
    for text in [error.meaning, error.advice] {
      #expect(text.hasSuffix("."))
      #expect(text.first?.isUppercase == true || text.hasPrefix("“edit "))
    }
    #expect((error.meaning + error.advice).count < 320, "One short paragraph is read.")
  }

  @Test func noCodeStandsTwice() {
    let codes = ErrorExplanation.all.map(\.code)
    #expect(Set(codes).count == codes.count)
  }

  @Test(arguments: failures)
  func failuresOfTheCommandLineAreExplainedToo(failure: PhotoFailure) {
    #expect(ErrorExplanation.all.contains { $0.code == failure.code })
  }

  @Test(arguments: [
    RelinkError.originalNotFound(record: "a"), .ambiguous(record: "a", candidates: ["b", "c"]),
    .targetHasAnEdit(record: "a", target: "b"),
  ])
  func whatRelinkFailsWithIsExplained(error: RelinkError) {
    #expect(ErrorExplanation.all.contains { $0.code == error.code })
  }

  @Test(arguments: [
    PhotoProblem.Kind.originalChanged, .originalMissing, .recordOfAnotherPhoto(recorded: "a"),
    .renderChanged, .renderMissing, .baseChanged, .baseMissing, .recordNewer(version: 2),
    .foreignSidecar,
    .orphanRender(original: "a"), .interrupted(canBeFinished: true),
    .leftover(canBeRemoved: true),
  ])
  func whatVerifyFindsIsExplained(kind: PhotoProblem.Kind) {
    #expect(ErrorExplanation.all.contains { $0.code == PhotoProblem(kind, "a").code })
  }

  @Test func oneCodeCanBeAskedFor() async {
    await #expect(
      folder.edit("help", "errors", "busy")
        == Transcript(results: [
          """
          busy
              Another program has worked on the same photo for as long as this one waited.
              Try again when the other program is done.
          """
        ]))
  }

  @Test func allAreListedInText() async throws {
    let text = try #require(await folder.edit("help", "errors").results.first)
    for error in ErrorExplanation.all { #expect(text.contains("\n\n\(error.code)\n    ")) }
  }

  @Test func programsGetALineOfJSONForEach() async throws {
    let lines = await folder.edit("help", "errors", "--json").results
    #expect(lines.count == ErrorExplanation.all.count)
    for (line, error) in zip(lines, ErrorExplanation.all) {
      let json = try JSONValue(parsing: line.utf8)
      #expect(json["code"]?.string == error.code)
      #expect(json["meaning"]?.string == error.meaning)
      #expect(json["advice"]?.string == error.advice)
    }
    await #expect(
      folder.edit("help", "errors", "busy", "damaged", "--json").results.count == 2)
  }
}
