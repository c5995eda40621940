import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct ConsentExportTests {
  private let tree = PhotoTree()

  private func library() async throws -> PhotoLibrary {
    for name in ["a.jpg", "b.jpg", "c.jpg"] { tree.photo(FilePath(name)) }
    let library = try tree.open()
    try await library.add([tree.photos])
    return library
  }

  @Test func aRebuiltLibraryRemembersWhoWasAllowedWhat() async throws {
    let identifiers: [String]
    do {
      let library = try await library()
      identifiers = try library.fetchAssets().identifiers
      try await library.limitAccess(of: "limited", to: [identifiers[0], identifiers[2]])
      try await library.setAccess(.denied, level: .readWrite, for: "denied")
      try await library.setAccess(.authorized, level: .addOnly, for: "denied")
      try await library.setAccess(.restricted, level: .addOnly, for: "restricted")
      let client = Client(identifier: "asked", usageDescription: "To see.")
      let asked = try PhotoLibrary(
        at: tree.library, client: client, prompt: AuthorizationPrompt { _ in .allow })
      #expect(await asked.requestAuthorization(for: .readWrite) == .authorized)
    }
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library)
    let clients = try rebuilt.clients()
    #expect(clients.map(\.client) == ["asked", "denied", "limited", "restricted"])
    #expect(clients.map(\.readWrite) == [.authorized, .denied, .limited, .notDetermined])
    #expect(clients.map(\.addOnly) == [.notDetermined, .authorized, .notDetermined, .restricted])
    #expect(clients[0].usageDescription == "To see." && clients[0].answered != nil)
    #expect(
      Set(try rebuilt.limitedSelection(of: "limited")) == [identifiers[0], identifiers[2]])
    #expect(
      try PhotoLibrary(at: tree.library, client: Client(identifier: "limited")).fetchAssets()
        .count == 2)
  }

  @Test func aPhotoThatComesBackIsSeenAgain() async throws {
    let library = try await library()
    let one = try await library.identifier("a.jpg")
    try await library.limitAccess(of: "a", to: [one])
    tree.move("a.jpg", to: "../away.jpg")
    try await library.scan()
    #expect(try library.limitedSelection(of: "a").isEmpty)
    tree.move("../away.jpg", to: "a.jpg")
    try await library.scan()
    #expect(try library.limitedSelection(of: "a") == [one])
  }

  @Test(arguments: [true, false])
  func aPhotoThatComesBackIsNotSeenByWhomItWasTakenFrom(stillLimited: Bool) async throws {
    let library = try await library()
    let one = try await library.identifier("a.jpg")
    let other = try await library.identifier("b.jpg")
    try await library.limitAccess(of: "a", to: [one, other])
    tree.move("a.jpg", to: "../away.jpg")
    try await library.scan()
    if stillLimited {
      try await library.limitAccess(of: "a", to: [other])
    } else {
      try await library.revokeAccess(of: "a")
    }
    tree.move("../away.jpg", to: "a.jpg")
    try await library.scan()
    try await library.setAccess(.limited, level: .readWrite, for: "a")
    #expect(try library.limitedSelection(of: "a") == (stillLimited ? [other] : []))
    #expect(try library.asset(one).localIdentifier == one)
  }
}
