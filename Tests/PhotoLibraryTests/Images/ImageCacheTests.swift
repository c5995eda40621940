import Foundation
import Glibc
import SafelightTestSupport
import Testing

@testable import PhotoEditing
@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct ImageCacheTests {
  private let marker = DisplayImage.plain([250, 10, 240], width: 60, height: 40)

  /// A cache in a folder of its own, which is removed after the test.
  private let test: TestLibrary
  private var cache: PictureDisk { test.library.imageCache }

  init() throws { test = try TestLibrary() }

  private func key(_ number: UInt8) -> PictureKey {
    PictureKey(digest: Digest(bytes: [UInt8](repeating: number, count: 32)))
  }

  @Test func whatIsKeptIsFoundByOtherProcesses() throws {
    #expect(cache.image(for: key(1)) == nil)
    cache.store(marker, for: key(1))
    let found = try #require(try test.reopened().imageCache.image(for: key(1)))
    #expect(found.difference(from: marker) < 3)
    #expect(cache.image(for: key(2)) == nil)
  }

  @Test func theSameRequestComesFromDisk() async throws {
    let asset = try await test.create()
    let first = try await test.manager().requestImage(
      for: asset, targetSize: .square(60), options: .good)
    #expect(first.size == marker.size && test.cachedFiles.count == 1)
    // The picture on the screen is the picture in the file.
    let stamp = try test.library.stamp(of: .asset(asset))
    let recipe = PictureRequest(targetSize: .square(60), contentMode: .aspectFit, options: .good)
    test.library.imageCache.store(marker, for: recipe.key(of: stamp))
    let second = try await ImageManager(try test.reopened()).requestImage(
      for: asset, targetSize: .square(60), options: .good)
    #expect(second.difference(from: marker) < 3)
  }

  @Test func allThatMakesThePixelsMakesTheKey() async throws {
    let asset = try await test.create()
    var keys: Set<PictureKey> = []
    func add(
      _ size: PixelSize = .square(60), _ mode: ImageContentMode = .aspectFit,
      change: (ImageRequestOptions) -> Void = { _ in }
    ) throws {
      let recipe = PictureRequest(targetSize: size, contentMode: mode, options: .with(change))
      #expect(keys.insert(recipe.key(of: try test.library.stamp(of: .asset(asset)))).inserted)
    }
    try add()
    try add(.square(61))
    try add(PixelSize(width: 60, height: 61))
    try add(.square(60), .aspectFill)
    try add { $0.version = .unadjusted }
    try add { $0.resizeMode = .fast }
    try add { $0.resizeMode = .exact }
    try add {
      $0.resizeMode = .exact
      $0.normalizedCropRect = NormalizedRect(x: 0, y: 0, width: 0.5, height: 1)
    }
    try await test.edit(asset)
    try add()
    try await test.edit(asset) { edit throws(AdjustmentError) in
      try edit.adjust(Adjustments.Exposure.self) { $0.amount = 1 }
    }
    try add()
    try Data(contentsOf: asset.path.fileURL).write(to: asset.path.fileURL)
    try add()
  }

  @Test func anEditLeavesThePicturesWithoutItWhereTheyAre() async throws {
    let asset = try await test.create()
    let recipe = PictureRequest(
      targetSize: .square(60), contentMode: .aspectFit, options: .with { $0.version = .original })
    let before = recipe.key(of: try test.library.stamp(of: .asset(asset)))
    try await test.edit(asset)
    #expect(recipe.key(of: try test.library.stamp(of: .asset(asset))) == before)
  }

  @Test(arguments: [0.0, 0.02, 0.5, 0.999])
  func aDamagedPictureIsMadeAnew(place: Double) async throws {
    let asset = try await test.create()
    let manager = test.manager()
    let first = try await manager.requestImage(
      for: asset, targetSize: .square(60), options: .good)
    let file = try #require(test.cachedFiles.first)
    let whole = try Data(contentsOf: file.fileURL)
    var bytes = whole
    bytes[Int(place * Double(bytes.count))] ^= 0x40
    try bytes.write(to: file.fileURL)
    let second = try await manager.requestImage(
      for: asset, targetSize: .square(60), options: .good)
    // The damaged file was not used: this picture did not come from a JPEG.
    #expect(second == first)
    #expect(try Data(contentsOf: file.fileURL) == whole)
  }

  @Test(arguments: [0, 1, 50, 300])
  func aPictureThatIsCutOffIsNotShown(length: Int) throws {
    cache.store(marker, for: key(1))
    let file = cache.path(of: key(1))
    try Data(contentsOf: file.fileURL).prefix(length).write(to: file.fileURL)
    #expect(cache.image(for: key(1)) == nil)
  }

  @Test func aPictureUnderAnothersNameIsNotShown() throws {
    cache.store(marker, for: key(1))
    let wrong = cache.path(of: key(2))
    wrong.removingLastComponent().makeFolder()
    try FileManager.default.moveItem(at: cache.path(of: key(1)).fileURL, to: wrong.fileURL)
    #expect(cache.image(for: key(2)) == nil)
  }

  @Test func aFileOfTheCacheIsAnOrdinaryJPEG() async throws {
    cache.store(marker, for: key(1))
    let images = try await test.library.loadImages(for: [cache.path(of: key(1)).fileURL])
    #expect(images[0].difference(from: marker) < 3)
  }

  @Test func whatWasNotUsedForTheLongestTimeGoesFirst() throws {
    for number in 0..<8 { cache.store(marker, for: key(UInt8(number))) }
    let size = try Data(contentsOf: cache.path(of: key(0)).fileURL).count
    for number in 0..<8 {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: Double(number - 100) * 3600)],
        ofItemAtPath: cache.path(of: key(UInt8(number))).string)
    }
    // A read of the oldest picture makes it the newest.
    #expect(cache.image(for: key(0)) != nil)
    cache.limit = size * 5
    cache.trim()
    let left = (0..<8).filter { cache.image(for: key(UInt8($0))) != nil }
    #expect(left == [0, 5, 6, 7])
  }

  @Test func theCacheStaysBelowItsLimit() throws {
    cache.store(marker, for: key(0))
    let size = try Data(contentsOf: cache.path(of: key(0)).fileURL).count
    cache.limit = size * 20
    for number in 1..<100 {
      cache.store(marker, for: key(UInt8(number)))
      cache.finishTrimming()
      // A sixteenth of the limit may be written before the files are counted again.
      #expect(test.cachedFiles.count <= 22)
    }
    #expect(test.cachedFiles.count > 10)
  }

  @Test func whatADeadProgramWasWritingGoes() throws {
    cache.store(marker, for: key(1))
    let folder = cache.path(of: key(1)).removingLastComponent()
    let (old, new) = (folder.appending(".writing-1-1"), folder.appending(".writing-1-2"))
    for file in [old, new] { try Data([1]).write(to: file.fileURL) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: old.string)
    cache.trim()
    #expect(old.status == nil && new.status != nil)
    #expect(cache.image(for: key(1)) != nil)
  }

  @Test func aCacheThatCannotBeWrittenKeepsNothing() async throws {
    let asset = try await test.create()
    try Data().write(to: test.library.imageCache.folder.fileURL)
    let manager = test.manager()
    let image = try await manager.requestImage(
      for: asset, targetSize: .square(60), options: .good)
    #expect(image.size == marker.size && test.cachedFiles.isEmpty)
  }

  @Test func nothingIsKeptWhenTheLimitIsZero() async throws {
    let asset = try await test.create()
    let manager = test.manager()
    test.library.imageCacheLimit = 0
    _ = try await manager.requestImage(for: asset, targetSize: .square(60), options: .good)
    #expect(test.cachedFiles.isEmpty)
  }

  @Test func picturesOfWhatChangedJustNowAreNotKept() async throws {
    let asset = try await test.create()
    let manager = test.manager()
    test.library.imageCache.settlingTime = 3600
    _ = try await manager.requestImage(for: asset, targetSize: .square(60), options: .good)
    #expect(test.cachedFiles.isEmpty)
  }

  @Test func removingAllLeavesNothing() async throws {
    let asset = try await test.create()
    let manager = test.manager()
    _ = try await manager.requestImage(for: asset, targetSize: .square(60), options: .good)
    #expect(test.cachedFiles.count == 1)
    test.library.removeCachedImages()
    #expect(test.cachedFiles.isEmpty)
  }

  /// A folder of somebody's files, old enough to be the first that a cache would remove.
  private func victim() throws -> FilePath {
    let folder = test.folder.appending("documents")
    let names = [
      "thesis.txt", ".writing-thesis", "11.jpg", String(repeating: "a", count: 62) + ".txt",
      String(repeating: "x", count: 62) + ".jpg",
    ]
    try FileSystem.real.createFolders(folder)
    for name in names {
      let file = folder.appending(FilePath(name))
      try Data(repeating: 1, count: 5000).write(to: file.fileURL)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -1e7)], ofItemAtPath: file.string)
    }
    return folder
  }

  @Test(arguments: ["cache", "cache/01", "cache/zz"])
  func nothingBehindALinkIsWrittenOrRemoved(name: FilePath) throws {
    let folder = try victim()
    let before = try Set(FileSystem.real.names(in: folder))
    let link = test.library.path.appending(name)
    try FileSystem.real.createFolders(link.removingLastComponent())
    #expect(symlink(folder.string, link.string) == 0)
    cache.limit = 6000
    cache.store(marker, for: key(1))
    cache.trim()
    cache.removeAll()
    #expect(try Set(FileSystem.real.names(in: folder)) == before)
    #expect((test.library.imageCacheProblem != nil) == (name == "cache"))
  }

  @Test func filesWithNamesOfOthersAreNotRemoved() throws {
    let folder = try victim()
    cache.store(marker, for: key(1))
    let inner = cache.path(of: key(1)).removingLastComponent()
    let names = try Set(FileSystem.real.names(in: folder))
    for name in names {
      _ = try FileSystem.real.renameWithoutReplacing(
        folder.appending(name), to: inner.appending(name))
    }
    test.library.removeCachedImages()
    #expect(try Set(FileSystem.real.names(in: inner)) == names)
  }

  @Test func aLibraryThatIsOnlyReadKeepsNoPictures() async throws {
    let asset = try await test.create()
    let reader = try PhotoLibrary(at: test.library.path, readOnly: true)
    reader.imageCache.settlingTime = -3600
    let image = try await ImageManager(reader).requestImage(
      for: asset, targetSize: .square(60), options: .good)
    #expect(image.size == marker.size && test.cachedFiles.isEmpty)
  }
}
