import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoEditing
@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct CachingImageManagerTests {
  private let size = PixelSize.square(60)
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  /// A caching manager without a cache on disk, so that all pictures come from memory.
  private func manager(_ test: TestLibrary) -> CachingImageManager {
    test.library.imageCacheLimit = 0
    return CachingImageManager(test.library)
  }

  private func assets(_ test: TestLibrary) async throws -> [Asset] {
    [try await test.create(), try await test.create("progressive.jpg")]
  }

  /// Asks for pictures, and waits for those that are being made.
  private func images(
    _ assets: [Asset], _ manager: ImageManager
  ) async throws -> [DisplayImage] {
    var images: [DisplayImage] = []
    for asset in assets {
      images.append(try await manager.requestImage(for: asset, targetSize: size, options: .good))
    }
    return images
  }

  @Test func picturesMadeAheadAreInMemoryUntilTheyAreStopped() async throws {
    let assets = try await assets(test)
    let manager = manager(test)
    #expect(manager.memoryUse == 0)
    manager.startCachingImages(for: assets, targetSize: size, options: .good)
    let images = try await images(assets, manager)
    #expect(manager.memoryUse == 2 * 60 * 40 * 3)
    #expect(try await self.images(assets, manager) == images)
    manager.stopCachingImages(for: [assets[0]], targetSize: size, options: .good)
    #expect(manager.memoryUse == 60 * 40 * 3)
    manager.stopCachingImagesForAllAssets()
    #expect(manager.memoryUse == 0)
  }

  @Test func whatIsInMemoryIsWhatIsShown() async throws {
    let asset = try await test.create()
    let manager = manager(test)
    let memory = try #require(manager.source.memory)
    manager.startCachingImages(for: [asset], targetSize: size, options: .good)
    _ = try await images([asset], manager)
    let request = PictureRequest(
      targetSize: size, contentMode: .aspectFit, options: .good)
    let key = request.key(of: try test.library.stamp(of: .asset(asset)))
    let marker = DisplayImage.plain([1, 2, 3])
    memory.keep(
      marker, of: PictureMemory.Entry(asset.localIdentifier, request), key, isDegraded: false)
    #expect(try await images([asset], manager) == [marker])
    #expect(manager.memoryUse == marker.pixels.count)
  }

  @Test func picturesThatWereNotStartedAreNotKept() async throws {
    let assets = try await assets(test)
    let manager = manager(test)
    manager.startCachingImages(for: [assets[0]], targetSize: .square(30), options: .good)
    _ = try await images(assets, manager)
    #expect(manager.memoryUse <= 30 * 20 * 3)
  }

  @Test func anEditShowsThoughThePictureWasMadeAhead() async throws {
    let asset = try await test.create()
    let manager = manager(test)
    manager.startCachingImages(for: [asset], targetSize: size, options: .good)
    #expect(try await !images([asset], manager)[0].isGray)
    try await test.edit(asset)
    #expect(try await images([asset], manager)[0].isGray)
    #expect(manager.memoryUse == 60 * 40 * 3)
  }

  @Test func memoryIsBounded() async throws {
    let assets = try await assets(test)
    let manager = manager(test)
    manager.memoryLimit = 60 * 40 * 3 + 10
    manager.startCachingImages(for: assets, targetSize: size, options: .good)
    _ = try await images(assets, manager)
    #expect(manager.memoryUse == 60 * 40 * 3)
    manager.memoryLimit = 0
    #expect(manager.memoryUse == 0)
  }

  @Test func withoutHighQualityOnlyThumbnailsAreMadeAhead() async throws {
    let asset = try await test.create()
    let held = HeldQueue()
    test.library.imageCacheLimit = 0
    let memory = PictureMemory(limit: 1 << 20)
    let manager = CachingImageManager(
      source: ImageSource(test.library, memory: memory, making: held.queue), memory)
    manager.allowsCachingHighQualityImages = false
    manager.startCachingImages(for: [asset], targetSize: size, options: .good)
    let fast = ImageRequestOptions.good.copy()
    fast.deliveryMode = .fastFormat
    // The picture comes from memory; none is made.
    let image = try await manager.requestImage(for: asset, targetSize: size, options: fast)
    #expect(image.width == 160 && manager.memoryUse == image.pixels.count)
    await held.finish()
  }

  @Test func stoppingEndsWhatWaitsForItsTurn() async throws {
    let asset = try await test.create("progressive.jpg")
    let held = HeldQueue()
    test.library.imageCacheLimit = 0
    let memory = PictureMemory(limit: 1 << 20)
    let manager = CachingImageManager(
      source: ImageSource(test.library, memory: memory, making: held.queue), memory)
    manager.startCachingImages(for: [asset], targetSize: size, options: .good)
    manager.stopCachingImages(for: [asset], targetSize: size, options: .good)
    await held.finish()
    #expect(manager.memoryUse == 0 && manager.waitingCount == 0)
  }
}
