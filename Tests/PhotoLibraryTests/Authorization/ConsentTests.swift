import Foundation
import Testing

@testable import PhotoLibraryKit
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
    #expect(clients.map(\.client) == ["a", "b"])
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
    #expect(try owner.clients().map(\.client) == ["a"])
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
