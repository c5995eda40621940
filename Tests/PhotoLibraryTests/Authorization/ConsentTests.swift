import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct ConsentTests {
  private let test: TestLibrary
  private var owner: PhotoLibrary { test.library }

  init() throws { test = try TestLibrary() }

  @Test func theOwnerSeesWhoWasAllowedWhat() async throws {
    let assets = try await owner.addRows(3).map(\.localIdentifier)
    try await owner.setAccess(.authorized, level: .addOnly, for: "b")
    try await owner.limitAccess(of: "a", to: [assets[2], assets[0], assets[2]])
    let clients = try owner.clients()
    #expect(clients.map(\.identifier) == ["a", "b"])
    #expect(clients.map(\.readWrite) == [.limited, .notDetermined])
    #expect(clients.map(\.addOnly) == [.notDetermined, .authorized])
    #expect(clients.map(\.selectionCount) == [2, 0])
    #expect(try owner.limitedSelection(of: "a") == [assets[0], assets[2]])
    #expect(try owner.authorizationStatus(of: "a", for: .addOnly) == .authorized)
    #expect(try owner.authorizationStatus(of: "c", for: .readWrite) == .notDetermined)
  }

  @Test func limitingAgainReplacesTheSelection() async throws {
    let assets = try await owner.addRows(3).map(\.localIdentifier)
    try await owner.limitAccess(of: "a", to: [assets[0], assets[1]])
    try await owner.limitAccess(of: "a", to: [assets[1], assets[2]])
    #expect(try owner.limitedSelection(of: "a") == [assets[1], assets[2]])
    await #expect(throws: PhotoLibraryError.identifierNotFound("nobody")) {
      try await owner.limitAccess(of: "a", to: [assets[0], "nobody"])
    }
    #expect(try owner.limitedSelection(of: "a") == [assets[1], assets[2]])
  }

  @Test(arguments: [AuthorizationStatus.authorized, .denied, .restricted, .notDetermined])
  func anyOtherStatusForgetsTheSelection(status: AuthorizationStatus) async throws {
    let assets = try await owner.addRows(1).map(\.localIdentifier)
    try await owner.limitAccess(of: "a", to: assets)
    try await owner.setAccess(status, level: .readWrite, for: "a")
    #expect(try owner.limitedSelection(of: "a").isEmpty)
    try await owner.setAccess(.limited, level: .readWrite, for: "a")
    #expect(try owner.limitedSelection(of: "a").isEmpty)
  }

  @Test func revokingDeniesBothLevelsOfAKnownClient() async throws {
    try await owner.setAccess(.authorized, level: .readWrite, for: "a")
    try await owner.revokeAccess(of: "a")
    #expect(try owner.authorizationStatus(of: "a", for: .readWrite) == .denied)
    #expect(try owner.authorizationStatus(of: "a", for: .addOnly) == .denied)
    await #expect(throws: PhotoLibraryError.identifierNotFound("b")) {
      try await owner.revokeAccess(of: "b")
    }
  }

  @Test func decidingWhatWasDecidedIsNoChange() async throws {
    let assets = try await owner.addRows(2).map(\.localIdentifier)
    try await owner.limitAccess(of: "a", to: assets)
    let token = try owner.currentChangeToken
    try await owner.limitAccess(of: "a", to: assets)
    try await owner.setAccess(.limited, level: .readWrite, for: "a")
    try await owner.setAccess(.notDetermined, level: .addOnly, for: "b")
    #expect(try owner.currentChangeToken == token)
    #expect(try owner.clients().map(\.identifier) == ["a"])
  }

  @Test(arguments: ["", " \t"])
  func whatNamesNobodyIsRefused(client: String) async throws {
    await #expect(throws: PhotoLibraryError.changeNotSupported("A client needs an identifier.")) {
      try await owner.setAccess(.authorized, level: .readWrite, for: client)
    }
    await #expect(processExitsWith: .failure) { _ = Client(identifier: " ") }
  }

  @Test func addingCannotBeLimited() async throws {
    await #expect(throws: PhotoLibraryError.self) {
      try await owner.setAccess(.limited, level: .addOnly, for: "a")
    }
    #expect(try owner.clients().isEmpty)
  }

  @Test func aClientDecidesNothing() async throws {
    let library = try await test.opened(.authorized, for: .readWrite)
    let refusal = PhotoLibraryError.changeNotSupported(
      "Only the library's owner decides who may use it.")
    await #expect(throws: refusal) {
      try await library.setAccess(.authorized, level: .addOnly, for: Client.name)
    }
    await #expect(throws: refusal) { try await library.limitAccess(of: "b", to: []) }
    await #expect(throws: refusal) { try await library.revokeAccess(of: Client.name) }
    #expect(throws: refusal) { try library.clients() }
    #expect(throws: refusal) { try library.authorizationStatus(of: "b", for: .addOnly) }
    #expect(throws: refusal) { try library.limitedSelection(of: Client.name) }
  }

  @Test func aStatusOfANewerProgramAllowsNothing() async throws {
    try await owner.addRows(1)
    try await owner.setAccess(.authorized, level: .readWrite, for: Client.name)
    try await owner.write("UPDATE client SET readWrite = 99")
    let library = try test.opened()
    #expect(library.authorizationStatus(for: .readWrite) == .restricted)
    #expect(try library.fetchAssets().isEmpty)
  }
}

@Suite struct ConsentExportTests {
  private let tree = PhotoTree()

  private func library() async throws -> PhotoLibrary {
    for name in ["a.jpg", "b.jpg", "c.jpg"] { tree.photo(FilePath(name)) }
    let library = try tree.open()
    try await library.add([tree.photos])
    return library
  }

  enum Meanwhile: CaseIterable { case nothing, anotherSelection, revoked }

  @Test(arguments: Meanwhile.allCases)
  func aPhotoThatComesBackIsSeenUnlessItWasTakenAway(meanwhile: Meanwhile) async throws {
    let library = try await library()
    let one = try await library.identifier("a.jpg")
    let other = try await library.identifier("b.jpg")
    try await library.limitAccess(of: "a", to: [one, other])
    tree.move("a.jpg", to: "../away.jpg")
    try await library.scan()
    #expect(try library.limitedSelection(of: "a") == [other])
    switch meanwhile {
    case .nothing: break
    case .anotherSelection: try await library.limitAccess(of: "a", to: [other])
    case .revoked: try await library.revokeAccess(of: "a")
    }
    tree.move("../away.jpg", to: "a.jpg")
    try await library.scan()
    try await library.setAccess(.limited, level: .readWrite, for: "a")
    let seen: [Meanwhile: Set<String>] = [.nothing: [one, other], .anotherSelection: [other]]
    #expect(try Set(library.limitedSelection(of: "a")) == seen[meanwhile, default: []])
    #expect(try library.asset(one).localIdentifier == one)
  }
}

@Suite(.timeLimit(.minutes(10))) struct ConsentRaceTests {
  @Test func aFetchSeesEverythingOrNothingWhileAccessComesAndGoes() async throws {
    let test = try TestLibrary()
    try await test.library.addRows(300)
    let library = try test.opened()
    let isDone = Box(false)
    let owner = Task {
      defer { isDone.value = true }
      for number in 0..<30 {
        try await test.library.setAccess(
          number.isMultiple(of: 2) ? .authorized : .denied, level: .readWrite, for: Client.name)
      }
    }
    var counts: Set<Int> = []
    while !isDone.value {
      let found = try library.fetchAssets()
      #expect(Array(found).count == found.count)
      counts.insert(found.count)
      await Task.yield()
    }
    try await owner.value
    #expect(counts.isSubset(of: [0, 300]))
    #expect(try library.fetchAssets().isEmpty)
  }

  @Test(arguments: [AccessLevel.addOnly, .readWrite])
  func whatIsRevokedBeforeItIsWrittenIsNotWritten(level: AccessLevel) async throws {
    let test = try TestLibrary()
    let library = try await test.opened(.authorized, for: level)
    let photo = try test.file("beach.jpg")
    // The owner has begun to write, so the client is checked and must then wait.
    let database = try Database(test.library.catalog.path, .write)
    var refusal: PhotoLibraryError?
    while true {
      try database.run(script: "BEGIN IMMEDIATE")
      let isOver = Box(false)
      let work = Task { () -> PhotoLibraryError? in
        defer { isOver.value = true }
        do throws(PhotoLibraryError) {
          try await library.performChanges {
            _ = AssetCreationRequest.creationRequestForAsset(fromImageAt: photo)
          }
          return nil
        } catch {
          return error
        }
      }
      // Files are copied after the first check of the change set.
      #expect(try await eventually { !test.stagedFiles.isEmpty || isOver.value })
      try database.run("UPDATE client SET addOnly = 2, readWrite = 2")
      let wasInTime = !isOver.value
      try database.run(script: wasInTime ? "COMMIT" : "ROLLBACK")
      refusal = await work.value
      // On a busy machine the client may have stopped waiting already.
      guard case .busy = refusal else { break }
    }
    #expect(refusal == .accessUserDenied)
    #expect(try test.library.fetchAssets().isEmpty)
    #expect(test.stagedFiles.isEmpty)
  }

  @Test func twoLibrariesThatAskAtTheSameTimeAgree() async throws {
    let test = try TestLibrary()
    let (one, other) = (try test.opened(AskedUser(.allow)), try test.opened(AskedUser(.deny)))
    async let first = one.requestAuthorization(for: .readWrite)
    async let second = other.requestAuthorization(for: .readWrite)
    let answers = await [first, second]
    #expect(answers[0] == answers[1])
    #expect(answers[0] == one.authorizationStatus(for: .readWrite))
  }
}
