import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct AssetChangeTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  @Test func allPropertiesChangeTogether() async throws {
    let asset = try await test.create()
    let date = Date(timeIntervalSince1970: 1_000_000)
    let place = Asset.Location(latitude: -33.5, longitude: 151)
    try await test.library.performChanges {
      let request = AssetChangeRequest(for: asset)
      request.isFavorite = true
      request.isHidden = true
      request.creationDate = date
      request.location = place
    }
    let changed = try test.library.asset(asset.localIdentifier)
    #expect(changed.isFavorite && changed.isHidden)
    #expect(changed.creationDate == date && changed.location == place)
    #expect(changed.creationDateSource == .user)
  }

  /// Whoever copies a library goes by this date.
  @Test(arguments: [0, 1, 2, 3])
  func whatTheUserSetsMovesTheModificationDate(which: Int) async throws {
    let asset = try await test.create()
    func set(_ value: Int) async throws -> Asset {
      try await test.library.performChanges {
        let request = AssetChangeRequest(for: asset)
        switch which {
        case 0: request.isFavorite = value == 1
        case 1: request.isHidden = value == 1
        case 2: request.creationDate = Date(timeIntervalSince1970: Double(value))
        default: request.location = Asset.Location(latitude: 1, longitude: Double(value))
        }
      }
      return try test.library.asset(asset.localIdentifier)
    }
    let changed = try await set(1)
    #expect(changed.modificationDate > asset.modificationDate)
    #expect(try await set(1) == changed)
    _ = try await test.library.refresh([asset.path], thoroughly: true)
    #expect(try test.library.asset(asset.localIdentifier) == changed)
    #expect(try await set(0).modificationDate > changed.modificationDate)
  }

  @Test func noDateGoesBackToWhatTheFileSays() async throws {
    let asset = try await test.create("exif-gps-makernote.jpg")
    let date = try #require(asset.creationDate)
    let place = try #require(asset.location)
    try await test.library.performChanges {
      let request = AssetChangeRequest(for: asset)
      request.creationDate = date + 100
      request.location = Asset.Location(latitude: 1, longitude: 2)
    }
    let moved = try test.library.asset(asset.localIdentifier)
    #expect(moved.creationDate == date + 100)
    #expect(moved.location != place)
    try await test.library.performChanges {
      let request = AssetChangeRequest(for: moved)
      request.creationDate = nil
      request.location = nil
    }
    let back = try test.library.asset(asset.localIdentifier)
    #expect(back.creationDate == date && back.location == place)
  }

  @Test func oneBadRequestKeepsAllFromHappening() async throws {
    let assets = try await test.library.addRows(2)
    let token = try test.library.currentChangeToken
    await #expect(throws: PhotoLibraryError.identifierNotFound("asset-1")) {
      try await test.library.performChanges {
        AssetChangeRequest(for: assets[0]).isFavorite = true
        AssetChangeRequest.deleteAssets([assets[1]])
        AssetChangeRequest(for: assets[1]).isFavorite = true
      }
    }
    #expect(try test.library.assets() == assets)
    #expect(try test.library.currentChangeToken == token)
  }

  @Test(arguments: [
    Asset.Location(latitude: 90.1, longitude: 0), Asset.Location(latitude: 0, longitude: -180.1),
    Asset.Location(latitude: .nan, longitude: 0),
  ])
  func aPlaceThatIsNotOnEarthIsRefused(place: Asset.Location) async throws {
    let asset = try await test.library.addRows(1)[0]
    let error = await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges { AssetChangeRequest(for: asset).location = place }
    }
    #expect(error?.errorCode == 3300)
    #expect(try test.library.assets() == [asset])
  }

  @Test(arguments: [1e12, -1e12, .infinity, .nan])
  func aDateThatNobodyCouldShowIsRefused(seconds: Double) async throws {
    let asset = try await test.library.addRows(1)[0]
    await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges {
        AssetChangeRequest(for: asset).creationDate = Date(timeIntervalSince1970: seconds)
      }
    }
    #expect(try test.library.assets() == [asset])
  }

  @Test func anEmptyBlockLeavesNoTrace() async throws {
    let token = try test.library.currentChangeToken
    try await test.library.performChanges {}
    #expect(try test.library.currentChangeToken == token)
  }

  @Test func manyAtOnceAllHappen() async throws {
    let assets = try await test.library.addRows(40)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, asset) in assets.enumerated() {
        group.addTask {
          if number.isMultiple(of: 2) {
            try await test.library.performChanges {
              AssetChangeRequest(for: asset).isFavorite = true
            }
          } else {
            try test.library.performChangesAndWait {
              AssetChangeRequest(for: asset).isFavorite = true
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try test.library.assets().allSatisfy(\.isFavorite))
  }

  @Test func deletedAssetsComeBackAsTheyWere() async throws {
    let asset = try await test.create()
    try await test.library.performChanges { AssetChangeRequest(for: asset).isFavorite = true }
    let favorite = try test.library.asset(asset.localIdentifier)
    let album = try test.album("Beaches", of: [asset])
    try await test.library.performChanges { AssetChangeRequest.deleteAssets([asset]) }
    #expect(try test.library.assets().isEmpty)
    #expect(try test.library.trashedAssets() == [favorite])
    #expect(asset.path.leadsSomewhere)
    try await test.library.performChanges { AssetChangeRequest.restoreAssets([asset]) }
    #expect(try test.library.assets() == [favorite])
    #expect(try test.library.members(of: album) == [asset.localIdentifier])
  }

  @Test func whatIsNotInTheTrashCannotBeRestored() async throws {
    let asset = try await test.library.addRows(1)[0]
    await #expect(throws: PhotoLibraryError.identifierNotFound("asset-0")) {
      try await test.library.performChanges { AssetChangeRequest.restoreAssets([asset]) }
    }
  }
}

@Suite struct MisuseTests {
  @Test func aRequestOutsideOfABlockEndsTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = AssetCreationRequest.forAsset() }
  }

  @Test func aRequestAfterItsBlockEndsTheProgram() async throws {
    let test = try TestLibrary()
    let path = test.library.path.string
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let library = try PhotoLibrary(at: FilePath(path))
      nonisolated(unsafe) var kept: AssetCollectionChangeRequest?
      try library.performChangesAndWait {
        kept = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      }
      kept?.title = "B"
    }
  }

  @Test func aBlockInsideABlockEndsTheProgram() async throws {
    let test = try TestLibrary()
    let path = test.library.path.string
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let library = try PhotoLibrary(at: FilePath(path))
      try library.performChangesAndWait {
        try? library.performChangesAndWait {}
      }
    }
  }

  @Test func aTaskThatABlockBeginsIsNotInsideIt() async throws {
    let test = try TestLibrary()
    let asset = try await test.library.addRows(1)[0]
    let task = Box<Task<Void, any Error>?>(nil)
    try await test.library.performChanges {
      task.value = Task {
        try await test.library.performChanges { AssetChangeRequest(for: asset).isHidden = true }
      }
    }
    try await task.value?.value
    #expect(try test.library.asset("asset-0").isHidden)
  }
}
