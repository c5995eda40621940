import Foundation
import SafelightTestSupport
import Synchronization
import Testing

@testable import Photos

/// Two sample programs for PhotoKit, ported: how many lines changed, and whether it works.
@MainActor @Suite struct PortedSampleTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The lines of a Swift file without empty lines and indentation, which the port may change freely.
  private static func lines(_ name: String) throws -> [String] {
    try String(contentsOf: tests.appendingPathComponent(name), encoding: .utf8)
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// One line in ten, as promised in ComingFromPhotoKit. A line counts when the port does not have it in
  /// this place: by the longest common subsequence of the two files.
  @Test(arguments: ["Sample", "Models"])
  func atMostOneLineInTenChanged(sample: String) throws {
    let original = try Self.lines("Documentation/PhotoKit\(sample).txt")
    let port = try Self.lines("PhotosTests/Ported\(sample).swift")
    // Source of the recurrence: Wagner and Fischer, The String-to-String Correction Problem, 1974.
    var longest = [Int](repeating: 0, count: port.count + 1)
    for line in original {
      var next = longest
      for (index, other) in port.enumerated() {
        next[index + 1] = line == other ? longest[index] + 1 : max(next[index], longest[index + 1])
      }
      longest = next
    }
    let changed = original.count - longest[port.count]
    print("ported \(sample): \(changed) of \(original.count) lines changed")
    #expect(original.count > 150)
    #expect(Double(changed) / Double(original.count) <= 0.1)
  }

  @Test func theModelsWork() async throws {
    let folder = TemporaryFolder()
    let path = folder.path.string
    let photos = [Fixture.url("beach.jpg").path, Fixture.url("orientation/6.jpg").path]
    await #expect(processExitsWith: .success) {
      [path = path as String, photos = photos as [String]] in
      setenv("XDG_DATA_HOME", path, 1)
      try await ModelsRun(photos: photos).run()
    }
  }

  @Test func theSampleWorks() async throws {
    let folder = TemporaryFolder()
    let path = folder.path.string
    let photos = [Fixture.url("beach.jpg").path, Fixture.url("orientation/6.jpg").path]
    await #expect(processExitsWith: .success) {
      [path = path as String, photos = photos as [String]] in
      setenv("XDG_DATA_HOME", path, 1)
      try await SampleRun(photos: photos, folder: URL(fileURLWithPath: path)).run()
    }
  }
}

/// Uses the whole sample, in a process whose shared library is empty.
@MainActor private struct SampleRun {
  let photos: [String]
  let folder: URL

  private func asked(_ ask: (@escaping @Sendable (Bool) -> Void) -> Void) async -> Bool {
    await withCheckedContinuation { done in ask { done.resume(returning: $0) } }
  }

  /// What an action's handler hears.
  private func done(
    _ action: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
  ) async -> Bool {
    await withCheckedContinuation { done in action { isDone, _ in done.resume(returning: isDone) } }
  }

  /// Waits until the grid has heard of a change.
  private func updated(_ grid: AlbumGrid, _ isSo: () -> Bool) async throws {
    let (reloads, reload) = AsyncStream.makeStream(of: Void.self)
    grid.reload = { reload.yield() }
    if isSo() { return }
    for await _ in reloads where isSo() { return }
  }

  func run() async throws {
    #expect(await Access.ask())
    #expect(await asked { Access.ask($0) })
    #expect(await asked { Access.askAsBefore($0) })

    let grid = AlbumGrid()
    #expect(grid.smartAlbums.count == AssetCollection.SmartAlbum.allCases.count)
    let identifier = try #require(try await PhotoActions.makeAlbum(named: "Wall", with: []))
    let album = try #require(
      PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: nil)
        .firstObject)
    grid.showAllPhotos()
    for photo in photos {
      try PhotoActions.importPhoto(at: URL(fileURLWithPath: photo), into: album)
    }
    try await updated(grid) { grid.photos.count == 2 && grid.userCollections.count == 1 }
    #expect(!grid.inserted.isEmpty)
    grid.showUserCollection(at: 0)
    #expect(grid.photos.count == 2 && grid.photos[0].path.lastComponent == "beach.jpg")

    let asset = grid.photos[0]
    #expect(await done { PhotoActions.toggleFavorite(asset, done: $0) })
    #expect(grid.favorites.map(\.localIdentifier) == [asset.localIdentifier])

    grid.prepareThumbnails(size: CGSize(width: 40, height: 40))
    let size = CGSize(width: 48, height: 48)
    let shown: PixelSize = await withCheckedContinuation { done in
      grid.thumbnail(at: 0, size: size) { image, isDegraded in
        if !isDegraded { done.resume(returning: image.size) }
      }
    }
    #expect(min(shown.width, shown.height) == 48)

    #expect(await done { FilterEditor().apply("noir", to: asset, done: $0) })
    let edited = PickedPhotos.assets(for: [asset.localIdentifier])
    #expect(edited.first?.adjustmentFormatIdentifier == "com.example.sample.filter")
    let backup = folder.appendingPathComponent("backup")
    try FileManager.default.createDirectory(at: backup, withIntermediateDirectories: false)
    try await PickedPhotos.backUp(asset, to: backup)
    let names = try FileManager.default.contentsOfDirectory(atPath: backup.path)
    #expect(names.sorted() == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
    #expect(
      try Data(contentsOf: backup.appendingPathComponent("beach.jpg"))
        == Data(contentsOf: URL(fileURLWithPath: photos[0])))
    #expect(await done { FilterEditor().undo(asset, done: $0) })
    #expect(PickedPhotos.assets(for: [asset.localIdentifier]).first?.hasAdjustments == false)

    let order = [grid.photos[1], grid.photos[0]].map(\.localIdentifier)
    #expect(PickedPhotos.assets(for: order).map(\.localIdentifier) == order)
    // The owner's access is never limited.
    #expect(try await PickedPhotos.chooseMore().isEmpty)
    grid.close()
  }
}

/// Uses all of the models, in a process whose shared library is empty.
@MainActor private struct ModelsRun {
  let photos: [String]

  /// Waits until observers have told the models; the main thread is theirs.
  private func waits(until isSo: () -> Bool) async throws {
    while !isSo() { try await Task.sleep(for: .milliseconds(5)) }
  }

  func run() async throws {
    let access = AccessModel()
    await access.ask()
    #expect(access.canSeePhotos)
    #expect(
      await withCheckedContinuation { done in access.askForAdding { done.resume(returning: $0) } })

    let token = PHPhotoLibrary.shared().currentChangeToken
    var model: AlbumsModel? = AlbumsModel()
    #expect(model?.rows.isEmpty == true)
    try await PHPhotoLibrary.shared().performChanges {
      _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Wall")
    }
    let album = try #require(Searches.album(named: "Wall"))
    let start = Date(timeIntervalSince1970: 1_000_000_000)
    var saved: [String] = []
    for (index, photo) in photos.enumerated() {
      let date = start.addingTimeInterval(Double(index) * 60)
      let data = try Data(contentsOf: URL(fileURLWithPath: photo))
      saved.append(try #require(try await Pictures.save(data, to: album, at: date)))
    }
    #expect(try Pictures.added(since: token) == Set(saved))
    model?.load()
    try await waits { model?.rows.first?.count == 2 }
    #expect(model?.rows.map(\.title) == ["Wall"])
    try await model?.rename(0, to: "Hall")
    try await waits { model?.rows.map(\.title) == ["Hall"] }

    let all = Searches.photos(from: start, to: start.addingTimeInterval(3600))
    #expect(all.map(\.localIdentifier) == saved.reversed())
    #expect(Searches.photos(from: start, to: start).isEmpty && Searches.screenshots().isEmpty)
    #expect(Searches.photo(after: all[0], in: all) == all[1])
    #expect(Searches.photo(after: all[1], in: all) == nil)
    #expect(Searches.last(1, of: all) == [all[1]])
    let none = PHFetchResult<PHAsset>()
    #expect(none.index(of: all[0]) == NSNotFound)

    let photo = PhotoModel(asset: all[1])
    photo.load(targetSize: CGSize(width: 32, height: 32))
    #expect(photo.isLoading)
    try await waits { !photo.isLoading }
    #expect(photo.image != nil)
    #expect(Searches.largeFavorites().isEmpty)
    photo.toggleFavorite()
    try await waits { photo.asset?.isFavorite == true }
    #expect(Searches.largeFavorites().map(\.localIdentifier) == [saved[0]])
    #expect(photo.problem == nil)

    let square = try await Pictures.image(of: all[0], size: CGSize(width: 20, height: 20))
    #expect(square.size == PixelSize(width: 20, height: 20))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photos[0]))
    #expect(Pictures.original(of: all[1]) == bytes)

    let members = PHAsset.fetchAssets(in: album, options: nil)
    #expect(members.map(\.localIdentifier) == saved.reversed())
    try await model?.remove(IndexSet(integer: 0), of: members, from: 0)
    try await waits { model?.rows.first?.count == 1 }
    try await photo.delete()
    try await waits { photo.asset == nil }
    #expect(photo.image == nil)
    model = nil
  }
}
