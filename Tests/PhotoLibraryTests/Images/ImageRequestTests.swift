import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct ImageRequestTests {
  private let size = PixelSize.square(150)
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  /// The pictures that a request gives.
  private func deliveries(
    of asset: Asset, in test: TestLibrary, _ mode: ImageRequestOptions.DeliveryMode,
    _ side: Int = 150
  ) async throws -> [ImageDelivery] {
    let options = ImageRequestOptions.good.copy()
    options.deliveryMode = mode
    var deliveries: [ImageDelivery] = []
    let images = test.manager().images(for: asset, targetSize: .square(side), options: options)
    for try await delivery in images { deliveries.append(delivery) }
    return deliveries
  }

  @Test func aDegradedPictureComesFirst() async throws {
    let asset = try await test.create()
    let first = try await deliveries(of: asset, in: test, .opportunistic)
    try #require(first.map(\.isDegraded) == [true, false])
    #expect(first[0].image.width < first[1].image.width || first[0].image.width == 160)
    // The second time the good picture comes at once.
    #expect(try await deliveries(of: asset, in: test, .opportunistic).map(\.isDegraded) == [false])
  }

  /// A photo that was in a grid shows the grid's picture while the large one is made, also when it is edited
  /// and has no thumbnail of use. The grid's picture comes from the disk, for another manager.
  @Test(arguments: ["progressive.jpg", "beach.jpg"])
  func aSmallerPictureOfBeforeComesFirst(fixture: String) async throws {
    let asset = try await test.create(fixture)
    try await test.edit(asset)
    for side in [24, 40] { _ = try await deliveries(of: asset, in: test, .highQualityFormat, side) }
    let found = try await deliveries(of: asset, in: test, .opportunistic, 80)
    try #require(found.map(\.isDegraded) == [true, false])
    #expect(max(found[0].image.width, found[0].image.height) == 40)
    #expect(max(found[1].image.width, found[1].image.height) == 80)
    // In the fastest mode half the size is enough.
    let fast = try await deliveries(of: asset, in: test, .fastFormat, 78)
    #expect(fast.map(\.isDegraded) == [true] && fast[0].image == found[0].image)
    // The edit is another one now, and nothing of the old is shown.
    try await test.edit(asset) { edit throws(AdjustmentError) in
      try edit.adjust(Adjustments.Saturation.self) { $0.amount = -50 }
    }
    #expect(
      try await deliveries(of: asset, in: test, .opportunistic, 84).map(\.isDegraded) == [false])
  }

  /// A picture that is cut to another shape does not stand for the whole photo.
  @Test func aCutPictureIsNoSmallerOne() async throws {
    let asset = try await test.create("progressive.jpg")
    let options = ImageRequestOptions.exact
    _ = try await test.manager().requestImage(
      for: asset, targetSize: .square(30), contentMode: .aspectFill, options: options)
    #expect(
      try await deliveries(of: asset, in: test, .opportunistic, 60).map(\.isDegraded) == [false])
    let cut = ImageRequestOptions.exact.copy()
    cut.deliveryMode = .opportunistic
    var found: [ImageDelivery] = []
    let images = test.manager().images(
      for: asset, targetSize: .square(50), contentMode: .aspectFill, options: cut)
    for try await delivery in images { found.append(delivery) }
    #expect(found.map(\.image.size) == [.square(30), .square(50)])
  }

  /// Other modes give one picture, and so do photos without a thumbnail of use.
  @Test(arguments: [
    ("beach.jpg", ImageRequestOptions.DeliveryMode.highQualityFormat, 150, false),
    ("beach.jpg", .fastFormat, 150, true), ("beach.jpg", .fastFormat, 600, false),
    ("orientation/6.jpg", .opportunistic, 150, false),
    ("progressive.jpg", .opportunistic, 150, false), ("rgb.tif", .opportunistic, 150, false),
    ("photo.heic", .opportunistic, 150, false),
  ])
  func onePictureComes(
    fixture: String, mode: ImageRequestOptions.DeliveryMode, side: Int, isDegraded: Bool
  ) async throws {
    let asset = try await test.create(fixture)
    let found = try await deliveries(of: asset, in: test, mode, side)
    #expect(found.map(\.isDegraded) == [isDegraded])
  }

  @Test func theThumbnailOfAnEditedPhotoIsNotShown() async throws {
    let asset = try await test.create()
    try await test.edit(asset)
    let deliveries = try await deliveries(of: asset, in: test, .fastFormat)
    #expect(deliveries.count == 1 && deliveries[0].image.isGray && !deliveries[0].isDegraded)
  }

  @Test func aHandlerHearsTheSamePicturesOffTheCallersThread() async throws {
    let asset = try await test.create()
    let manager = test.manager()
    let heard = Heard()
    let options = ImageRequestOptions.good.copy()
    options.deliveryMode = .opportunistic
    let id = await withCheckedContinuation { done in
      manager.requestImage(
        for: asset, targetSize: size, contentMode: .aspectFit, options: options
      ) { image, info in
        heard.add(image, info)
        if !info.isDegraded { done.resume(returning: info.requestID) }
      }
    }
    #expect(id != invalidImageRequestID)
    #expect(heard.calls.map(\.info.isDegraded) == [true, false])
    #expect(heard.calls.allSatisfy { $0.image != nil && $0.info.error == nil })
    #expect(manager.requests.count == 0)
  }

  @Test func aSynchronousRequestIsOverWhenItReturns() async throws {
    let asset = try await test.create()
    let manager = test.manager()
    let heard = Box<[Bool]>([])
    let size = size
    // The call blocks, so it needs a thread that may wait.
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        let thread = Heard()
        manager.requestImage(
          for: asset, targetSize: size, contentMode: .aspectFit,
          options: .with { ($0.isSynchronous, $0.deliveryMode) = (true, .fastFormat) }
        ) { image, info in thread.add(image, info) }
        manager.requestImageData(for: asset, options: .with { $0.isSynchronous = true }) {
          data, info in thread.add(data == nil ? nil : .plain([0, 0, 0]), info)
        }
        heard.value = thread.calls.map { $0.isOnThread && $0.image != nil && !$0.info.isDegraded }
        done.resume()
      }
    }
    #expect(heard.value == [true, true])
  }

  @Test func requestsHaveDifferentNumbers() throws {
    let requests = RunningRequests()
    let ids = Set((0..<1000).map { _ in requests.newID() })
    #expect(ids.count == 1000 && !ids.contains(invalidImageRequestID) && ids.min()! > 0)
  }

  @Test func aMissingPhotoIsToldOf() async throws {
    let asset = try await test.create()
    try FileManager.default.removeItem(at: asset.path.fileURL)
    let manager = test.manager()
    let expected = PhotoLibraryError.editing(.storage(.originalMissing(asset.path)))
    await #expect(throws: expected) {
      _ = try await manager.requestImage(for: asset, targetSize: size)
    }
    await #expect(throws: expected) { _ = try await manager.requestImageData(for: asset) }
    let error = await withCheckedContinuation { done in
      manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFit) {
        done.resume(returning: $0 == nil ? $1.error : nil)
      }
    }
    #expect(error == expected)
  }

  @Test func aDamagedPhotoIsToldOf() async throws {
    let asset = try await test.create()
    try Data(contentsOf: asset.path.fileURL).prefix(20_000).write(to: asset.path.fileURL)
    let error = await #expect(throws: PhotoLibraryError.self) {
      _ = try await test.manager().requestImage(for: asset, targetSize: size, options: .good)
    }
    guard case .editing(.render(asset.path, .damaged)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

/// A client gets pictures of the photos that it may see, and no others.
@Suite struct ImageAccessTests {
  private let size = PixelSize(width: 40, height: 40)

  @Test(arguments: [AuthorizationStatus.denied, .restricted, .notDetermined])
  func nothingIsShownToWhoMaySeeNothing(status: AuthorizationStatus) async throws {
    let sample = try TestLibrary()
    let asset = try await sample.create()
    let library = try await sample.opened(status, for: .readWrite)
    let refusal = try #require(status.refusal(of: .frames))
    await #expect(throws: refusal) {
      try await ImageManager(library).requestImage(for: asset, targetSize: size)
    }
    await #expect(throws: refusal) {
      try await ImageManager(library).requestImageData(for: asset)
    }
    let error = await #expect(throws: SelectionError.self) {
      try await library.loadImages(for: [asset], targetSize: size)
    }
    #expect(error?.description.contains("may not be seen") == true)
  }

  @Test func aSelectionIsShownAndNothingElse() async throws {
    let sample = try TestLibrary()
    let assets = [try await sample.create("beach.jpg"), try await sample.create("alpha.png")]
    let library = try await sample.opened(seeing: [assets[0].localIdentifier])
    let manager = ImageManager(library)
    #expect(try await manager.requestImage(for: assets[0], targetSize: size).width > 0)
    await #expect(throws: PhotoLibraryError.identifierNotFound(assets[1].localIdentifier)) {
      try await manager.requestImage(for: assets[1], targetSize: size)
    }
    // A picture in the owner's cache is not shown to the client.
    _ = try await ImageManager(sample.library).requestImage(for: assets[1], targetSize: size)
    let error = await #expect(throws: SelectionError.self) {
      try await library.loadImages(
        for: assets.map(\.localIdentifier), targetSize: size)
    }
    #expect(error?.index == 1)
    #expect(error?.item == .identifier(assets[1].localIdentifier))
  }
}
