import Foundation
import Glibc
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct AssetCreationTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  @Test func aCopyGoesIntoTheFolderOfItsMonth() async throws {
    let asset = try await test.create("exif-gps-makernote.jpg")
    let date = try #require(asset.creationDate)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month], from: date)
    let month = try #require(parts.month)
    let folder = "originals/\(try #require(parts.year))/\(month < 10 ? "0" : "")\(month)"
    #expect(
      asset.path == test.library.path.appending(folder).appending("exif-gps-makernote.jpg"))
    let original = try Data(contentsOf: Fixture.url("exif-gps-makernote.jpg"))
    #expect(try Data(contentsOf: asset.path.fileURL) == original)
    #expect(asset.location != nil && asset.camera != nil && asset.format == .jpeg)
    #expect(asset.pixelWidth > 0 && asset.pixelHeight > 0)
    #expect(test.stagedFiles.isEmpty)
  }

  @Test func aLibraryBehindALinkKnowsItsOriginalsByTheirOwnPaths() async throws {
    let link = test.folder.appending("link")
    try FileManager.default.createSymbolicLink(
      atPath: link.string, withDestinationPath: test.library.path.string)
    let path = try test.file("beach.jpg")
    try await PhotoLibrary(at: link).performChanges {
      _ = AssetCreationRequest.creationRequestForAsset(fromImageAt: path)
    }
    let asset = try #require(try test.library.assets().first)
    #expect(asset.path.string.hasPrefix(test.library.path.appending("originals/").string))
    let roots = try test.library.rows("SELECT path FROM folder WHERE isRoot = 1") {
      FilePath(bytes: $0[0] as [UInt8])
    }
    #expect(roots == [test.library.path.appending("originals")])
  }

  @Test func sidewaysPhotosAreMeasuredUpright() async throws {
    let upright = try await test.create("orientation/1.jpg")
    let turned = try await test.create("orientation/6.jpg")
    #expect(turned.pixelWidth == upright.pixelWidth)
    #expect(turned.pixelHeight == upright.pixelHeight)
  }

  @Test func aNewAssetGoesIntoAnAlbumOfTheSameBlock() async throws {
    let path = try test.file("beach.jpg")
    let placeholder = Box<ObjectPlaceholder?>(nil)
    try await test.library.performChanges {
      let request = AssetCreationRequest.creationRequestForAsset(fromImageAt: path)
      request.isFavorite = true
      request.location = Asset.Location(latitude: 1, longitude: 2)
      placeholder.value = request.placeholderForCreatedAsset
      AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
        .addAssets([request.placeholderForCreatedAsset])
    }
    let asset = try #require(try test.library.assets().first)
    #expect(try #require(placeholder.value) == asset)
    #expect(asset.isFavorite && asset.location == Asset.Location(latitude: 1, longitude: 2))
    let albums = try test.library.rows("SELECT count(*) FROM member") { $0[0] as Int }
    #expect(albums == [1])
    #expect(path.leadsSomewhere)
  }

  @Test func takenNamesGetNumbers() async throws {
    let first = try await test.create("beach.jpg")
    let path = FilePath(Fixture.url("beach.jpg").path)
    try await test.library.performChanges {
      for _ in 0..<2 { _ = AssetCreationRequest.creationRequestForAsset(fromImageAt: path) }
    }
    let names = try test.library.assets().map { $0.path.lastComponent }
    #expect(names == ["beach.jpg", "beach-2.jpg", "beach-3.jpg"])
    #expect(try test.library.asset(first.localIdentifier) == first)
  }

  @Test func bytesGetANameByTheirContent() async throws {
    let data = try Data(contentsOf: Fixture.url("alpha.png"))
    try await test.library.performChanges {
      AssetCreationRequest.forAsset().addResource(with: .photo, data: data)
      let options = AssetResourceCreationOptions()
      options.originalFilename = "Mine.png"
      AssetCreationRequest.forAsset().addResource(with: .photo, data: data, options: options)
    }
    let assets = try test.library.assets()
    #expect(assets.map { $0.path.lastComponent } == ["photo.png", "Mine.png"])
  }

  @Test func aMovedFileLeavesItsPlaceOnceItIsSafe() async throws {
    let path = try test.file("beach.jpg")
    let options = AssetResourceCreationOptions()
    options.shouldMoveFile = true
    try await test.library.performChanges {
      AssetCreationRequest.forAsset().addResource(with: .photo, path: path, options: options)
    }
    #expect(!path.leadsSomewhere)
    let asset = try #require(try test.library.assets().first)
    #expect(
      try Data(contentsOf: asset.path.fileURL) == Data(contentsOf: Fixture.url("beach.jpg")))
  }

  @Test func whatFailsConsumesNothing() async throws {
    let (good, bad) = (try test.file("beach.jpg"), try test.file("README.md", as: "bad.jpg"))
    let options = AssetResourceCreationOptions()
    options.shouldMoveFile = true
    let error = await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges {
        AssetCreationRequest.forAsset().addResource(with: .photo, path: good, options: options)
        AssetCreationRequest.forAsset().addResource(with: .photo, path: bad, options: options)
      }
    }
    #expect(error?.errorCode == 3302)
    #expect(good.leadsSomewhere && bad.leadsSomewhere)
    #expect(try test.library.assets().isEmpty)
    #expect(test.stagedFiles.isEmpty)
  }

  @Test func aRequestWithoutAPhotoIsRefused() async throws {
    let missing = test.folder.appending("nothing.jpg")
    let none = await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges { _ = AssetCreationRequest.forAsset() }
    }
    let gone = await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges {
        _ = AssetCreationRequest.creationRequestForAsset(fromImageAt: missing)
      }
    }
    #expect(none?.errorCode == 3303 && gone?.errorCode == 3303)
  }

  @Test(arguments: [
    ([AssetResource.ResourceType.photo], true),
    ([.photo, .adjustmentData], true),
    ([.photo, .adjustmentData, .fullSizePhoto], true),
    ([.photo, .adjustmentData, .fullSizePhoto, .adjustmentBasePhoto], true),
    ([.photo, .adjustmentData, .fullSizePhoto, .alternatePhoto, .alternatePhoto], true),
    ([.photo, .alternatePhoto], false),
    ([.photo, .adjustmentData, .adjustmentBasePhoto], false),
    ([.photo, .photo], false),
    ([.photo, .fullSizePhoto], false),
    ([.adjustmentData], false),
    ([], false),
  ])
  func onlySomeFilesGoTogether(types: [AssetResource.ResourceType], isSupported: Bool) async throws
  {
    #expect(AssetCreationRequest.supportsAssetResourceTypes(types) == isSupported)
    guard !isSupported, types.contains(.photo) else { return }
    let path = try test.file("beach.jpg")
    let error = await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges {
        let request = AssetCreationRequest.forAsset()
        for type in types { request.addResource(with: type, path: path) }
      }
    }
    #expect(error?.errorCode == 3300)
  }

  @Test(arguments: [".hidden.jpg", "a/b.jpg", "", String(repeating: "x", count: 201)])
  func namesThatNoPhotoCanHaveAreRefused(name: String) async throws {
    let path = try test.file("beach.jpg")
    let options = AssetResourceCreationOptions()
    options.originalFilename = name
    let error = await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges {
        AssetCreationRequest.forAsset().addResource(with: .photo, path: path, options: options)
      }
    }
    #expect(error?.errorCode == 3300)
    #expect(test.stagedFiles.isEmpty)
  }

  @Test func manyCanBeMadeAtTheSameTime() async throws {
    let path = FilePath(Fixture.url("alpha.png").path)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          try? await test.library.performChanges {
            _ = AssetCreationRequest.creationRequestForAsset(fromImageAt: path)
          }
        }
      }
    }
    let assets = try test.library.assets()
    #expect(assets.count == 100)
    #expect(Set(assets.map(\.path)).count == 100)
    let missing = assets.filter { !$0.path.leadsSomewhere }
    #expect(missing.isEmpty)
  }
}
