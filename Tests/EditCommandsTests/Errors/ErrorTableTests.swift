import Glibc
import PhotoEditing
import PhotoLibraryKit
import SafelightEditServer
import Testing

@testable import SafelightEditCommands

/// The table of errors: what it says of each code, and that it has every code.
@Suite struct ErrorTableTests {
  private let folder = CommandFolder()

  /// Every code that a library or a command can throw or report.
  private static let codes = Set(
    EditError.codes + RelinkError.Code.allCases.map(\.rawValue)
      + PhotoProblem.Code.allCases.map(\.rawValue)
      + PhotoLibraryError.Code.allCases.map(\.rawValue)
      + LibraryProblem.Code.allCases.map(\.rawValue)
      + EditCommandError.Code.allCases.map(\.rawValue)
      + AgentError.Code.allCases.map(\.rawValue)
      + ServerError.Code.allCases.map(\.rawValue))

  @Test func everyCodeHasARowAndEveryRowACode() {
    let rows = ErrorExplanation.all.map(\.code)
    #expect(Set(rows).count == rows.count, "A code stands twice.")
    #expect(Set(rows).subtracting(Self.codes).sorted() == [], "No error has these codes.")
    #expect(Self.codes.subtracting(rows).sorted() == [], "These codes have no row.")
  }

  @Test(arguments: ErrorExplanation.all)
  func everyCodeIsExplainedInSentences(error: ErrorExplanation) {
    for text in [error.meaning, error.advice.text] {
      #expect(text.hasSuffix("."))
      #expect(text.first?.isUppercase == true || text.hasPrefix("“edit "))
    }
    #expect((error.meaning + error.advice.text).count < 320, "One short paragraph is read.")
  }

  // MARK: - What is thrown

  private static let editErrors: [EditError] = [
    .storage(.busy("a", waited: .seconds(1), process: nil)),
    .storage(.recordUnreadable("a", .newerVersion(9))),
    .storage(.versionMissing("a", "b", present: [])), .fileSystem(path: "a", disk(ENOSPC)),
    .fileSystem(path: "a", disk(EXDEV)), .render(path: "a", .missingDecoder(.heic, package: "b")),
    .render(path: "a", .failed(detail: "b")), .adjustments(path: "a", .malformed("b")),
    .outputRefused(path: "a", problem: .noRender), .inputOutdated("a"), .renderMissing("a"),
    .baseMissing("a", base: "b"),
    .originalTurned("a"), .originalElsewhere("a", found: "b"),
    .targetHasAnEdit(record: "a", target: "b"),
    .cropOutside(path: "a", size: PixelSize(width: 1, height: 1), .malformed("b")),
    .notLossless("a", .edit), .notAdoptable("a", .noRender),
    .invalidOperation(.nothingToDo("auto")), .unknownFilter("zzzzzz"),
    .unusableFilter(path: "a", detail: "b."),
    .unusableLookupTable(path: "a", .invalid("b")), .filterName("a", .invalid),
    .filterName("a", .exists), .unknownPreset("a"), .unusablePreset(path: "a", reason: "b"),
    .presetName("a", .invalid), .presetName("a", .exists),
    .nothingToCopy(path: "a", reason: .noEdit), .nothingToCompare("a"),
    .noVideo("a"),
    .notAConflictCopy("a", photo: "b"),
    .stepUnavailable(path: "a", .missing(2, last: 1)), .stepUnavailable(path: "a", .otherBase),
    .versionUnusable(path: "a", name: "b", .otherBase), .destinationTaken("a", .exists),
    .cancelled(path: "a"), .unexpected(path: "a", detail: "B."),
  ]
  private static let libraryErrors: [PhotoLibraryError] = [
    .newerCatalog("a", unknown: ["b"]), .olderCatalog("a"), .damagedCatalog("a", detail: "b"),
    .damagedExport("a", detail: "b"),
    .libraryOfAnotherUser("a"), .busy("a"),
    .notEnoughSpace("a"), .catalog("a", detail: "b"), .identifierNotFound("a"),
    .objectOfAnotherLibrary("a"), .invalidValue("A."),
    .predicateNotSupported(key: "a", of: "b"), .changeNotSupported("A."),
    .operationInterrupted("A."), .invalidResource("a", detail: "B."), .missingResource("a"),
    .accessUserDenied, .accessRestricted, .accessNotDetermined(client: "a"),
    .missingUsageDescription(client: "a"), .cannotAsk(client: "a"), .persistentChangeTokenExpired,
    .persistentChangeDetailsUnavailable, .userCancelled, .editing(.cancelled(path: "a")),
  ]
  private static let commandErrors: [EditCommandError] = [
    .folder("a"), .interrupted("a"), .timedOut("a", after: .seconds(2)),
    .badJob("it is no object."), .cancelled,
    .noLibrary("a", isNamed: true), .catalogMissing("a"), .libraryFolderTaken("a"),
    .exportUnreadable("a"), .cannotAsk("A?", instead: "B."), .noSuchClient("a", nearest: nil),
    .notInLibrary("a"), .notInTrash("a"), .invalidOrder("a"), .noSuchAlbum("a", nearest: nil),
    .noSuchAlbumFolder("a", nearest: "b"), .ambiguousAlbum("a", identifiers: ["b", "c"]),
    .albumExists("a"), .albumFolderNotEmpty("a", count: 2),
    .notInAlbum("a", album: "b"), .fillsItself(album: "a"),
  ]

  private static func disk(_ errno: Int32) -> FileSystemError {
    FileSystemError(.init(.write, "a"), errno: errno)
  }

  @Test(
    arguments: editErrors.map { PhotoFailure($0) } + libraryErrors.map { PhotoFailure($0) }
      + commandErrors.map { PhotoFailure($0) })
  func everyFailureSpeaksInSentencesAndHasAdvice(failure: PhotoFailure) {
    #expect(ErrorExplanation.all.contains { $0.code == failure.code })
    #expect(failure.message.hasSuffix(".") || failure.message.hasSuffix("?"))
    #expect(failure.hint.map { $0.hasSuffix(".") || $0.hasSuffix("?") } ?? true)
  }

  @Test(arguments: editErrors)
  func everyErrorOfThePhotoHasAdvice(error: EditError) {
    #expect(PhotoFailure(error).hint != nil)
  }

  @Test func commandsThrowEveryCodeOfTheirs() {
    let missing = Set(EditCommandError.Code.allCases.map(\.rawValue))
      .subtracting(Self.commandErrors.map(\.code))
    #expect(missing.isEmpty)
  }

  @Test(arguments: ServerError.samples)
  func everyErrorOfTheServerHasAdvice(error: ServerError) {
    #expect(PhotoFailure(error).hint != nil)
  }

  @Test func theServerThrowsEveryCodeOfItsOwn() {
    let missing = Set(ServerError.Code.allCases.map(\.rawValue))
      .subtracting(ServerError.samples.map(\.code))
    #expect(missing.isEmpty)
  }

  @Test func librariesThrowEveryCodeOfTheirs() {
    #expect(
      Set(Self.libraryErrors.map(\.code)).isSuperset(
        of: PhotoLibraryError.Code.allCases.map(\.rawValue)))
    #expect(
      Set(Self.editErrors.map(\.code)).isSuperset(of: EditError.Code.allCases.map(\.rawValue)))
  }

  @Test(arguments: [
    RelinkError.originalNotFound(record: "a"), .ambiguous(record: "a", candidates: ["b", "c"]),
    .failed(.targetHasAnEdit(record: "a", target: "b")), .failed(.cancelled(path: "a")),
  ])
  func whatRelinkFailsWithHasAdvice(error: RelinkError) {
    #expect(PhotoFailure(error).hint?.hasSuffix(".") == true)
  }

  @Test(arguments: [
    PhotoProblem.Kind.originalChanged, .metadataWritten, .metadataOutdated, .originalTurned,
    .originalMissing,
    .editUnreadable(.present, .tooManyAdjustments(501, limit: 500)),
    .recordOfAnotherPhoto(recorded: "a"),
    .renderChanged, .renderMissing, .versionMissing("a"), .baseChanged, .baseMissing,
    .recordUnreadable(.empty), .recordNewer(version: 2), .orphanRender(original: "a"),
    .renderCopy(of: "a"),
    .interrupted(canBeFinished: true), .interrupted(canBeFinished: false),
    .leftover(canBeRemoved: true), .leftover(canBeRemoved: false), .failed(.cancelled(path: "a")),
  ])
  func whatVerifyFindsHasAdvice(kind: PhotoProblem.Kind) {
    #expect(PhotoProblem(kind, "a").hint?.text.hasSuffix(".") == true)
  }

  @Test func anotherProgramsSidecarIsANoteWithoutAdvice() {
    #expect(PhotoProblem(.foreignSidecar, "a").hint == nil)
  }

  @Test(arguments: [
    LibraryProblem.Kind.catalogDamaged(detail: "a"), .countsWrong, .exportUnreadable(detail: "a"),
    .exportOutdated, .folderMissing, .photoMissing, .photoChanged, .editOutdated,
    .changeUnfinished, .changeUnproven,
  ])
  func whatTheCheckOfALibraryFindsHasAdvice(kind: LibraryProblem.Kind) {
    let problem = LibraryProblem(kind, "a")
    #expect(problem.description.hasSuffix("."))
    #expect(problem.message.count > problem.description.count)
  }

  @Test(arguments: [
    ENOSPC, EDQUOT, EACCES, EPERM, EROFS, EIO, ENOENT, ENOTDIR, EISDIR, EEXIST, ENAMETOOLONG,
    EMFILE, ENFILE, ELOOP,
  ])
  func everyUsualReasonOfTheSystemHasAdvice(reason: Int32) {
    #expect(Self.disk(reason).hint?.text.hasSuffix(".") == true)
  }

  @Test func somethingUnknownKeepsItsDetail() {
    let error = EditError.unexpected(path: "a.jpg", detail: "The moon is full.")
    #expect(error.code == "unexpected")
    #expect(error.description == "a.jpg: Something unexpected failed: The moon is full.")
  }

  // MARK: - edit help errors

  /// Whether a text names an option outside of a whole command in quotation marks.
  private static func namesAnOption(_ text: String) -> Bool {
    text.replacing(/“edit [^”]*”/, with: "").contains(/(^|[ (“])-{1,2}[a-z]/)
  }

  @Test(arguments: ErrorExplanation.all)
  func adviceForProgramsNamesNoOptionsAndIsASentence(row: ErrorExplanation) {
    let elsewhere = row.advice.elsewhere
    #expect(elsewhere.map { $0.hasSuffix(".") || $0.hasSuffix("?") } ?? true)
    #expect(elsewhere.map(Self.namesAnOption) != true, "say something else behind ⇒")
    #expect(
      elsewhere == row.advice.text || Self.namesAnOption(row.advice.text)
        || row.code == "has-versions")
  }

  @Test(
    arguments: editErrors.map { PhotoFailure($0) } + libraryErrors.map { PhotoFailure($0) }
      + commandErrors.map { PhotoFailure($0) })
  func failuresOfProgramsNameNoOptions(failure: PhotoFailure) {
    #expect(failure.elsewhere.hint.map(Self.namesAnOption) != true)
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
      #expect(json["advice"]?.string == error.advice.text)
    }
    await #expect(
      folder.edit("help", "errors", "busy", "damaged", "--json").results.count == 2)
  }
}
