import PhotoLibraryKit
import Testing

@testable import SafelightEditCommands

@Suite struct LibraryErrorTests {
  private static let errors: [PhotoLibraryError] = [
    .newerCatalog("a", unknown: ["b"]), .damagedCatalog("a", detail: "b"), .busy("a"),
    .notEnoughSpace("a"), .catalog("a", detail: "b"), .identifierNotFound("a"),
    .predicateNotSupported(key: "a", of: "b"), .changeNotSupported("A."),
    .operationInterrupted("A."), .invalidResource("a", detail: "B."), .missingResource("a"),
    .accessUserDenied, .accessRestricted, .accessNotDetermined(client: "a"),
    .missingUsageDescription(client: "a"), .cannotAsk(client: "a"), .persistentChangeTokenExpired,
    .persistentChangeDetailsUnavailable, .userCancelled, .editing(.cancelled(path: "a")),
  ]
  private static let failures: [PhotoFailure] = [
    .cancelled, .noLibrary("a", isNamed: true), .catalogMissing("a"), .libraryFolderTaken("a"),
    .notInLibrary("a"), .notInTrash("a"), .cannotAsk("A?", instead: "B."),
    .noSuchAlbum("a", near: nil), .noSuchFolder("a", near: nil), .ambiguousAlbum("a", ["b", "c"]),
    .albumExists("a"), .folderNotEmpty("a", count: 2), .alreadyInAlbum("a", "b"),
    .fillsItself("a"),
  ]
  private static let kinds: [LibraryProblem.Kind] = [
    .catalogDamaged(detail: "a"), .countsWrong, .exportUnreadable(detail: "a"), .exportOutdated,
    .folderMissing, .photoMissing, .photoChanged, .editOutdated,
  ]

  @Test(arguments: errors.map { PhotoFailure($0) } + failures)
  func everyFailureIsExplainedAndSpeaksInSentences(failure: PhotoFailure) {
    #expect(ErrorExplanation.all.contains { $0.code == failure.code })
    #expect(failure.message.hasSuffix(".") || failure.message.hasSuffix("?"))
    #expect(failure.hint?.hasSuffix(".") ?? true)
  }

  @Test(arguments: kinds)
  func everyProblemIsExplainedAndSaysWhatToDo(kind: LibraryProblem.Kind) {
    let problem = LibraryProblem(kind, "a")
    #expect(ErrorExplanation.all.contains { $0.code == problem.code })
    #expect(problem.description.hasSuffix("."))
    #expect(problem.hint.hasSuffix("."))
  }

  @Test(
    arguments: [
      ("041D0FDE-8FA8-8674-A28E-D6952BF3981D/L0/001", true), ("041D0FDE/L0/001", false),
      ("./041D0FDE-8FA8-8674-A28E-D6952BF3981D/L0/001", false), ("beach.jpg", false),
    ] as [(FilePath, Bool)])
  func identifiersAreToldFromPaths(word: FilePath, isIdentifier: Bool) {
    #expect(word.isLocalIdentifier == isIdentifier)
  }
}
