import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

/// Pictures are shown to whom the photos are.
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
    // What was cached for one is not shown to another.
    _ = try await ImageManager(sample.library).requestImage(for: assets[1], targetSize: size)
    let error = await #expect(throws: SelectionError.self) {
      try await library.loadImages(
        for: assets.map(\.localIdentifier), targetSize: size)
    }
    #expect(error?.index == 1)
    #expect(error?.item == .identifier(assets[1].localIdentifier))
  }
}
