import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite(.timeLimit(.minutes(10))) struct RequestTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  @Test(arguments: AccessLevel.allCases)
  func theUserSeesWhoAsksForWhatAndWhy(level: AccessLevel) async throws {
    let user = AskedUser(.allow)
    let library = try test.opened(user)
    #expect(library.authorizationStatus(for: level) == .notDetermined)
    #expect(await library.requestAuthorization(for: level) == .authorized)
    #expect(library.authorizationStatus(for: level) == .authorized)
    let reason =
      level == .readWrite ? "To show your photos in a frame." : "To keep what you frame."
    #expect(
      user.questions.value == [
        .init(
          client: .frames, level: level, usageDescription: reason,
          offersLimit: level == .readWrite)
      ])
    let remembered = try #require(try test.library.clients().first)
    #expect(remembered.usageDescription == reason && remembered.answered != nil)
  }

  @Test(arguments: AccessLevel.allCases)
  func aDenialIsRememberedAndNotAskedAgain(level: AccessLevel) async throws {
    let user = AskedUser(.deny, .allow)
    let library = try test.opened(user)
    #expect(await library.requestAuthorization(for: level) == .denied)
    #expect(await library.requestAuthorization(for: level) == .denied)
    let later = try test.opened(user)
    #expect(await later.requestAuthorization(for: level) == .denied)
    #expect(throws: PhotoLibraryError.accessUserDenied) {
      try later.requestAuthorizationAndWait(for: level)
    }
    #expect(user.questions.value.count == 1)
    // The owner's decision counts.
    try await test.library.setAccess(.notDetermined, level: level, for: Client.name)
    #expect(await later.requestAuthorization(for: level) == .authorized)
  }

  @Test(
    arguments: [
      Client(identifier: "a"), Client(identifier: "a", usageDescription: " \n"),
      Client(identifier: "a", addUsageDescription: "To add photos."),
    ])
  func withoutAReasonNobodyIsAsked(client: Client) async throws {
    let user = AskedUser(.allow)
    let library = try test.opened(by: client, user)
    #expect(throws: PhotoLibraryError.missingUsageDescription(client: "a")) {
      try library.requestAuthorizationAndWait(for: .readWrite)
    }
    #expect(await library.requestAuthorization(for: .readWrite) == .notDetermined)
    #expect(library.authorizationProblem == .missingUsageDescription(client: "a"))
    #expect(user.questions.value.isEmpty)
  }

  @Test func withoutAPromptAskingFailsAtOnce() async throws {
    let library = try test.opened()
    #expect(throws: PhotoLibraryError.cannotAsk(client: Client.name)) {
      try library.requestAuthorizationAndWait(for: .readWrite)
    }
    #expect(await library.requestAuthorization(for: .readWrite) == .notDetermined)
    #expect(library.authorizationProblem == .cannotAsk(client: Client.name))
    #expect(library.authorizationStatus(for: .readWrite) == .notDetermined)
  }

  @Test func theTwoLevelsAreAskedForSeparately() async throws {
    let user = AskedUser(.deny, .allow)
    let library = try test.opened(user)
    #expect(await library.requestAuthorization(for: .addOnly) == .denied)
    #expect(library.authorizationStatus(for: .readWrite) == .notDetermined)
    #expect(await library.requestAuthorization(for: .readWrite) == .authorized)
    // A client that may change everything may add.
    #expect(library.authorizationStatus(for: .addOnly) == .authorized)
    try await test.library.setAccess(.denied, level: .readWrite, for: Client.name)
    #expect(library.authorizationStatus(for: .addOnly) == .denied)
  }

  @Test func whoeverGoesAwayWithoutAnAnswerIsAskedAgain() async throws {
    let user = AskedUser(.undecided, .undecided, .allow)
    let library = try test.opened(user)
    #expect(await library.requestAuthorization(for: .readWrite) == .notDetermined)
    #expect(library.authorizationProblem == nil)
    #expect(throws: PhotoLibraryError.accessNotDetermined(client: Client.name)) {
      try library.requestAuthorizationAndWait(for: .readWrite)
    }
    #expect(try library.requestAuthorizationAndWait(for: .readWrite) == .authorized)
  }

  @Test(arguments: [AuthorizationStatus.authorized, .limited])
  func waitingReturnsAtOnceWhenAccessWasGranted(status: AuthorizationStatus) async throws {
    // The user could not be asked.
    let library = try await test.opened(status, for: .readWrite)
    #expect(try library.requestAuthorizationAndWait(for: .readWrite) == status)
    #expect(try library.requestAuthorizationAndWait(for: .addOnly) == .authorized)
  }

  @Test func whatIsRestrictedIsNotAskedFor() async throws {
    let user = AskedUser(.allow)
    try await test.library.setAccess(.restricted, level: .readWrite, for: Client.name)
    let library = try test.opened(user)
    #expect(await library.requestAuthorization(for: .readWrite) == .restricted)
    #expect(throws: PhotoLibraryError.accessRestricted) {
      try library.requestAuthorizationAndWait(for: .readWrite)
    }
    #expect(user.questions.value.isEmpty)
  }

  @Test func requestsAtTheSameTimeAreOneQuestion() async throws {
    let user = AskedUser(.allow)
    let library = try test.opened(user)
    let granted = await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask { await library.requestAuthorization(for: .readWrite) == .authorized }
      }
      return await group.allSatisfy(\.self)
    }
    #expect(granted)
    #expect(user.questions.value.count == 1)
  }

  @Test func whatTheOwnerDecidesWhileTheQuestionIsOpenCounts() async throws {
    let user = AskedUser(.allow) { [test] in
      try? await test.library.setAccess(.restricted, level: .readWrite, for: Client.name)
    }
    let library = try test.opened(user)
    #expect(await library.requestAuthorization(for: .readWrite) == .restricted)
  }

  @Test func anAnswerThatCannotBeLeavesTheQuestionOpen() async throws {
    let library = try test.opened(AskedUser(.limit(to: []), .limit(to: ["nobody"])))
    #expect(await library.requestAuthorization(for: .addOnly) == .notDetermined)
    #expect(library.authorizationProblem?.errorCode == 3300)
    #expect(await library.requestAuthorization(for: .readWrite) == .notDetermined)
    #expect(library.authorizationProblem == .identifierNotFound("nobody"))
    #expect(try test.library.clients().isEmpty)
  }

  @Test func theOwnerIsNeverAsked() async throws {
    let user = AskedUser(.deny)
    let library = try test.opened(by: .owner, user)
    #expect(await library.requestAuthorization(for: .readWrite) == .authorized)
    #expect(library.authorizationStatus() == .authorized)
    #expect(user.questions.value.isEmpty)
  }

  @Test(
    arguments: [
      (AuthorizationStatus.authorized, [true]), (.limited, [true]), (.denied, [false, false]),
      (.restricted, [false, false]),
    ])
  func theSequenceTellsWhatWasDecided(status: AuthorizationStatus, told: [Bool]) async throws {
    let library = try await test.opened(status, for: .readWrite)
    #expect(await Array(library.authorizationUpdates) == told)
  }

  @Test(
    arguments: [
      (AuthorizationPrompt.Answer.allow, true), (.limit(to: []), true), (.deny, false),
      (.undecided, false),
    ])
  func theSequenceAsksAndTellsTheAnswer(
    answer: AuthorizationPrompt.Answer, isGranted: Bool
  ) async throws {
    let user = AskedUser(answer)
    let library = try test.opened(user)
    var updates = library.authorizationUpdates.makeAsyncIterator()
    #expect(await updates.next() == false)
    #expect(user.questions.value.isEmpty)
    #expect(await updates.next() == isGranted)
    #expect(await updates.next() == nil)
  }

  @Test func theSequenceEndsWhenNobodyCanBeAsked() async throws {
    let library = try test.opened()
    #expect(await Array(library.authorizationUpdates(for: .addOnly)) == [false, false])
  }

  @Test func limitedAccessIsFullAccessToWhoeverDoesNotKnowIt() async throws {
    let library = try await test.opened(.limited, for: .readWrite)
    #expect(library.authorizationStatus() == .authorized)
    #expect(library.authorizationStatus(for: .readWrite) == .limited)
    #expect(library.authorizationStatus(for: .addOnly) == .authorized)
  }

  @Test func theFirstFetchAsksOnceAndDoesNotWait() async throws {
    let asset = try await test.library.addRows(1)[0]
    let gate = AsyncStream<Void>.makeStream()
    let user = AskedUser(.allow, meanwhile: { for await _ in gate.stream {} })
    let library = try test.opened(user)
    var changes = library.changes.makeAsyncIterator()
    let before = try library.fetchAssets()
    #expect(before.isEmpty)
    #expect(try library.fetchAssetCollections(with: .smartAlbum, subtype: .favorites).isEmpty)
    #expect(try await eventually { !user.questions.value.isEmpty })
    gate.continuation.finish()
    let change = try #require(await changes.next())
    let details = try #require(change.changeDetails(for: before))
    #expect(details.insertedIndexes == [0])
    #expect(try library.fetchAssets().identifiers == [asset.localIdentifier])
    #expect(user.questions.value.map(\.level) == [.readWrite])
  }

  @Test func aChangeSetWaitsForTheAnswer() async throws {
    let asset = try await test.library.addRows(1)[0]
    let user = AskedUser(.allow)
    let library = try test.opened(user)
    try await library.performChanges { AssetChangeRequest(for: asset).isFavorite = true }
    #expect(try test.library.asset(asset.localIdentifier).isFavorite)
    #expect(user.questions.value.count == 1)
    let refused = try test.opened(
      by: Client(identifier: "b", usageDescription: "To try."), AskedUser(.deny))
    await #expect(throws: PhotoLibraryError.accessUserDenied) {
      try await refused.performChanges { AssetChangeRequest(for: asset).isFavorite = false }
    }
  }

  @Test func addingAsksForAddingAlone() async throws {
    let user = AskedUser(.allow)
    let library = try test.opened(user)
    let file = try test.file("beach.jpg")
    try await library.performChanges {
      AssetCreationRequest.creationRequestForAsset(fromImageAt: file)
    }
    #expect(user.questions.value.map(\.level) == [.addOnly])
    #expect(try test.library.assets().count == 1)
  }

  @Test func aBlockingChangeSetDoesNotWaitForTheUser() async throws {
    let asset = try await test.library.addRows(1)[0]
    let user = AskedUser(.allow)
    let library = try test.opened(user)
    #expect(throws: PhotoLibraryError.accessNotDetermined(client: Client.name)) {
      try library.performChangesAndWait { AssetChangeRequest(for: asset).isFavorite = true }
    }
    #expect(try await eventually { library.authorizationStatus(for: .readWrite) == .authorized })
    try library.performChangesAndWait { AssetChangeRequest(for: asset).isFavorite = true }
    #expect(user.questions.value.count == 1)
  }

  @Test func whoGivesNoAnswerIsNotAskedByItselfAgain() async throws {
    let asset = try await test.library.addRows(1)[0]
    let user = AskedUser(.undecided)
    let library = try test.opened(user)
    for _ in 0..<3 {
      _ = try library.fetchAssets()
      await #expect(throws: PhotoLibraryError.accessNotDetermined(client: Client.name)) {
        try await library.performChanges { AssetChangeRequest(for: asset).isFavorite = true }
      }
    }
    #expect(user.questions.value.count == 1)
  }

  @Test func aClientWithoutAReasonIsToldSo() async throws {
    let asset = try await test.library.addRows(1)[0]
    let user = AskedUser(.allow)
    let library = try test.opened(by: Client(identifier: "a"), user)
    #expect(try library.fetchAssets().isEmpty)
    await #expect(throws: PhotoLibraryError.missingUsageDescription(client: "a")) {
      try await library.performChanges { AssetChangeRequest(for: asset).isFavorite = true }
    }
    #expect(
      try await eventually {
        library.authorizationProblem == .missingUsageDescription(client: "a")
      })
    #expect(user.questions.value.isEmpty)
  }
}

extension Array {
  fileprivate init<Elements: AsyncSequence>(_ elements: Elements) async
  where Elements.Element == Element, Elements.Failure == Never {
    self.init()
    for await element in elements { append(element) }
  }
}

extension TestLibrary {
  /// The library for a client that can ask the user.
  func opened(_ user: AskedUser) throws -> PhotoLibrary { try opened(by: .frames, user) }
}
