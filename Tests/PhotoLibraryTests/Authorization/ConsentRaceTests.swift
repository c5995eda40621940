import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite(.timeLimit(.minutes(2))) struct ConsentRaceTests {
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
    // The owner has begun to write, so that the client can be checked and has to wait then.
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
      // Files are copied once the change set was checked.
      #expect(try await eventually { !test.stagedFiles.isEmpty || isOver.value })
      try database.run("UPDATE client SET addOnly = 2, readWrite = 2")
      let wasInTime = !isOver.value
      try database.run(script: wasInTime ? "COMMIT" : "ROLLBACK")
      refusal = await work.value
      // On a busy machine it may have given up waiting before anybody looked.
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
