import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import Photos

/// PhotoKit's forms of calls, beside those that the ported sample has.
@Suite struct PhotosTests {
  @Test func sizesBecomePixels() {
    #expect(PixelSize(PHImageManagerMaximumSize) == imageManagerMaximumSize)
    #expect(PixelSize(CGSize(width: 99.6, height: 0.2)) == PixelSize(width: 100, height: 0))
    let huge = PixelSize(CGSize(width: CGFloat.infinity, height: .nan))
    #expect(huge == PixelSize(width: Int(Int32.max), height: 0))
  }

  /// Functions of these names make the library's values, although this file imports Foundation.
  @Test func predicatesAndOrdersHaveTheirOldNames() throws {
    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: "favorite = %@ AND pixelWidth > %d", true, 100)
    options.sortDescriptors = [
      NSSortDescriptor(key: "modificationDate", ascending: false),
      NSSortDescriptor(keyPath: \PHAsset.pixelWidth, ascending: true),
    ]
    #expect(
      options.predicate
        == (try FetchPredicate(format: "favorite = %@ AND pixelWidth > %d", true, 100)))
    #expect(
      options.sortDescriptors == [
        FetchSortDescriptor(.modificationDate, ascending: false), FetchSortDescriptor(.pixelWidth),
      ])
    let albums = PHFetchOptions()
    albums.sortDescriptors = [
      NSSortDescriptor(keyPath: \PHAssetCollection.localizedTitle, ascending: true)
    ]
    #expect(albums.sortDescriptors == [FetchSortDescriptor(.title)])
  }

  @Test func informationHasPhotoKitsKeys() {
    let good = ImageRequestInfo(requestID: 7, isDegraded: true, error: nil).dictionary
    #expect(good[PHImageResultRequestIDKey] as? PHImageRequestID == 7)
    #expect(good[PHImageResultIsDegradedKey] as? Bool == true)
    #expect(good[PHImageErrorKey] == nil && good[PHImageCancelledKey] as? Bool == false)
    let failed = ImageRequestInfo(requestID: 7, isDegraded: false, error: .accessUserDenied)
    #expect(failed.dictionary[PHImageErrorKey] as? PHPhotosError == .accessUserDenied)
    let cancelled = ImageRequestInfo(requestID: 7, isDegraded: false, error: .userCancelled)
    #expect(cancelled.dictionary[PHImageErrorKey] == nil)
    #expect(cancelled.dictionary[PHImageCancelledKey] as? Bool == true)
    let input = ContentEditingInputRequestInfo(requestID: 1, error: .accessRestricted)
    #expect(input[PHContentEditingInputErrorKey] as? PHPhotosError == .accessRestricted)
    #expect(input[PHContentEditingInputCancelledKey] as? Bool == false)
    #expect(input["another"] == nil)
  }

  @Test func wrongKeysEndTheProgramAsInPhotoKit() async {
    let folder = TemporaryFolder()
    let path = folder.path.string
    await #expect(processExitsWith: .failure) { [path = path as String] in
      setenv("XDG_DATA_HOME", path, 1)
      let options = PHFetchOptions()
      options.predicate = NSPredicate(format: "birthday = 1")
      _ = PHAsset.fetchAssets(with: options)
    }
  }

  @Test func aLibraryThatCannotBeReadHasNothing() async throws {
    let folder = TemporaryFolder()
    let path = folder.path.string
    await #expect(processExitsWith: .success) { [path = path as String] in
      try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/file"))
      setenv("XDG_DATA_HOME", path + "/file", 1)
      #expect(PHAsset.fetchAssets(with: nil).isEmpty)
      #expect(PHCollection.fetchTopLevelUserCollections(with: nil).isEmpty)
      #expect(PHPhotoLibrary.shared().unavailabilityReason != nil)
    }
  }

  private final class Shelf: PHPhotoLibraryAvailabilityObserver {
    let told: AsyncStream<Bool>
    private let tell: AsyncStream<Bool>.Continuation
    init() { (told, tell) = AsyncStream.makeStream() }
    func photoLibraryDidBecomeUnavailable(_ library: PHPhotoLibrary) {
      tell.yield(library.unavailabilityReason != nil)
    }
  }

  enum Obstacle: String, CaseIterable {
    case damagedCatalog, fileInsteadOfFolder, noPlaceForTemporaryFiles, noHome
  }

  /// No file ends the program, which is told.
  @Test(arguments: Obstacle.allCases)
  func aLibraryThatCannotBeOpenedIsThere(obstacle: Obstacle) async throws {
    let folder = TemporaryFolder()
    let path = folder.path.string
    let name = obstacle.rawValue
    await #expect(processExitsWith: .success) { [path = path as String, name = name as String] in
      setenv("XDG_DATA_HOME", path, 1)
      switch try #require(Obstacle(rawValue: name)) {
      case .damagedCatalog:
        let library = URL(fileURLWithPath: path + "/safelight/library")
        try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
        try Data(repeating: 7, count: 9000).write(
          to: library.appendingPathComponent("catalogue.sqlite"))
      case .fileInsteadOfFolder:
        try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/safelight"))
      case .noPlaceForTemporaryFiles:
        setenv("XDG_DATA_HOME", "/proc/nothing", 1)
        setenv("TMPDIR", "/proc/nothing", 1)
      case .noHome:
        unsetenv("XDG_DATA_HOME")
        setenv("HOME", "/proc/nothing", 1)
      }
      let library = PHPhotoLibrary.shared()
      #expect(library.unavailabilityReason != nil)
      #expect(PHAsset.fetchAssets(with: nil).isEmpty)
      #expect(
        PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil).isEmpty)
      let shelf = Shelf()
      library.register(shelf)
      for await hasReason in shelf.told {
        #expect(hasReason)
        break
      }
      await #expect(throws: PhotoLibraryError.self) {
        try await library.performChanges {
          _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
        }
      }
      let token = library.currentChangeToken
      #expect(throws: PhotoLibraryError.self) { try library.fetchPersistentChanges(since: token) }
    }
  }

  @Test func aTokenCanBeKept() async throws {
    let folder = TemporaryFolder()
    let path = folder.path.string
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("XDG_DATA_HOME", path, 1)
      let token = PHPhotoLibrary.shared().currentChangeToken
      try await PHPhotoLibrary.shared().performChanges {
        _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      }
      for isSecure in [true, false] {
        let data = try NSKeyedArchiver.archivedData(
          withRootObject: token, requiringSecureCoding: isSecure)
        let kept = try #require(
          try NSKeyedUnarchiver.unarchivedObject(ofClass: PHPersistentChangeToken.self, from: data))
        #expect(kept == token && Set([kept, token]).count == 1)
        let changes = try PHPhotoLibrary.shared().fetchPersistentChanges(since: kept)
        let last = try #require(changes.first).changeToken
        #expect(last == PHPhotoLibrary.shared().currentChangeToken)
      }
      let text = try JSONEncoder().encode(token)
      #expect(try JSONDecoder().decode(PHPersistentChangeToken.self, from: text) == token)
    }
  }

  @Test func aCollectionIsAnAlbumOrAList() async throws {
    let folder = TemporaryFolder()
    let path = folder.path.string
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("XDG_DATA_HOME", path, 1)
      try await PHPhotoLibrary.shared().performChanges {
        _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
        _ = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "L")
      }
      var albums: [PHAssetCollection] = []
      var lists: [PHCollectionList] = []
      let all = PHCollectionList.fetchTopLevelUserCollections(with: nil)
      all.enumerateObjects { collection, _, _ in
        if let album = collection as? PHAssetCollection { albums.append(album) }
        if let list = collection as? PHCollectionList { lists.append(list) }
      }
      #expect(albums.map(\.localizedTitle) == ["A"] && lists.map(\.localizedTitle) == ["L"])
      let collections = albums as [PHCollection] + (lists as [PHCollection])
      #expect(collections == Array(all) && all.index(of: albums[0]) == 0)
      let again = PHAssetCollection.fetchAssetCollections(
        withLocalIdentifiers: [albums[0].localIdentifier], options: nil)
      #expect(again.firstObject == albums[0] && Set(collections).contains(albums[0]))
    }
  }

  @Test func picturesBytesAndPositionsComeInPhotoKitsForms() async throws {
    let folder = TemporaryFolder()
    let path = folder.path.string
    let photo = Fixture.url("orientation/6.jpg").path
    await #expect(processExitsWith: .success) {
      [path = path as String, photo = photo as String] in
      setenv("XDG_DATA_HOME", path, 1)
      let url = URL(fileURLWithPath: photo)
      try await PHPhotoLibrary.shared().performChanges {
        for _ in 0..<3 { _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url) }
        _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      }
      let photos = PHAsset.fetchAssets(with: .image, options: nil)
      #expect(PHAsset.fetchAssets(with: .video, options: nil).isEmpty && photos.count == 3)
      let album = try #require(
        PHAssetCollection.fetchAssetCollections(
          with: .album, subtype: .albumRegular, options: nil
        ).firstObject)
      try await PHPhotoLibrary.shared().performChanges {
        let request = PHAssetCollectionChangeRequest(for: album)
        request?.addAssets(photos)
        request?.moveAssets(at: IndexSet(integer: 2), to: 0)
        request?.removeAssets(at: IndexSet(integer: 1))
      }
      let members = PHAsset.fetchAssets(in: album, options: nil)
      #expect(members.objects(at: IndexSet(0..<2)) == [photos[2], photos[1]])
      #expect(PHAsset.fetchKeyAssets(in: album, options: nil)?.count == 2)
      let albums = PHAssetCollection.fetchAssetCollectionsContaining(
        photos[1], with: .album, options: nil)
      #expect(albums.map(\.localIdentifier) == [album.localIdentifier])

      let manager = PHImageManager.default()
      let options = PHImageRequestOptions()
      options.isSynchronous = true
      var count = 0
      photos.enumerateObjects { _, index, stop in
        count += 1
        if index == 1 { stop.pointee = true }
      }
      #expect(count == 2)
      let found: (String?, CGImagePropertyOrientation) = await withCheckedContinuation { done in
        manager.requestImageDataAndOrientation(for: photos[0], options: options) {
          _, type, orientation, _ in done.resume(returning: (type, orientation))
        }
      }
      #expect(found == ("public.jpeg", .right))
      let size: PixelSize? = await withCheckedContinuation { done in
        manager.requestImage(
          for: photos[0], targetSize: PHImageManagerMaximumSize, contentMode: .default,
          options: options
        ) { image, _ in done.resume(returning: image?.size) }
      }
      #expect(size == PixelSize(width: 96, height: 64))
    }
  }

  @Test func livePhotosComeInPhotoKitsForm() async throws {
    let folder = TemporaryFolder()
    let path = folder.path.string
    var movie = SampleMovie()
    movie.isQuickTime = false
    let still = [UInt8](try Data(contentsOf: Fixture.url("beach.jpg")))
    folder.put(SampleMovie.motionPhoto(still, video: movie.bytes), at: "PXL_1.jpg")
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("XDG_DATA_HOME", path, 1)
      let url = URL(fileURLWithPath: path + "/PXL_1.jpg")
      try await PHPhotoLibrary.shared().performChanges {
        _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
      }
      let photo = try #require(PHAsset.fetchAssets(with: .image, options: nil).firstObject)
      #expect(photo.playbackStyle == .livePhoto)
      let found: (Double?, Bool) = await withCheckedContinuation { done in
        PHImageManager.default().requestLivePhoto(
          for: photo, targetSize: PHImageManagerMaximumSize, contentMode: .default, options: nil
        ) { live, info in
          done.resume(returning: (live?.video.duration, info?[PHImageErrorKey] == nil))
        }
      }
      #expect(found == (1.5, true))
    }
    withExtendedLifetime(folder) {}
  }

  @Test(.enabled(if: FFmpeg.isInstalled))
  func livePhotosAreEditedInPhotoKitsForm() async throws {
    let folder = TemporaryFolder()
    let path = folder.path.string
    let movie = folder["made.mov"]
    try FFmpeg.makeMovie(at: movie.string, identifier: "A1B2C3D4-0001-4A00-8B00-000000009001")
    let still = [UInt8](try Data(contentsOf: Fixture.url("beach.jpg")))
    folder.put(SampleMovie.motionPhoto(still, video: try #require(movie.contents)), at: "PXL_1.jpg")
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("XDG_DATA_HOME", path, 1)
      let url = URL(fileURLWithPath: path + "/PXL_1.jpg")
      try await PHPhotoLibrary.shared().performChanges {
        _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
      }
      let photo = try #require(PHAsset.fetchAssets(with: .image, options: nil).firstObject)
      let input = try await photo.contentEditingInput()
      let context = try #require(PHLivePhotoEditingContext(livePhotoEditingInput: input))
      #expect(context.photoTime == 0.8 && context.orientation == .up && context.audioVolume == 1)
      #expect(context.fullSizeImage?.width == photo.pixelWidth)
      context.frameProcessor = { frame, error in
        if frame.type == .video { error?.pointee = NSError(domain: "test", code: 7) }
        return frame.type == .video ? nil : frame.image
      }
      let output = PHContentEditingOutput(contentEditingInput: input)
      output.adjustmentData = PHAdjustmentData(
        formatIdentifier: "com.example.a", formatVersion: "1", data: Data([1]))
      let refused: Int? = await withCheckedContinuation { done in
        context.saveLivePhoto(to: output) { isSaved, error in
          done.resume(returning: isSaved ? nil : (error as NSError?)?.code)
        }
      }
      #expect(refused == 7)
      context.frameProcessor = { frame, _ in frame.image }
      let saved: Bool = await withCheckedContinuation { done in
        context.saveLivePhoto(to: output, options: nil) { isSaved, _ in
          done.resume(returning: isSaved)
        }
      }
      #expect(saved)
      let width: Int? = await withCheckedContinuation { done in
        context.prepareLivePhotoForPlayback(
          withTargetSize: CGSize(width: 60, height: 60), options: nil
        ) { live, _ in done.resume(returning: live?.video.pixelWidth) }
      }
      #expect(width == 60)
      try await PHPhotoLibrary.shared().performChanges {
        PHAssetChangeRequest(for: photo).contentEditingOutput = output
      }
      let live = try await photo.livePhoto(showsEdit: true)
      #expect(live?.imagePath != photo.path && live?.video.frameCount == 5)
    }
    withExtendedLifetime(folder) {}
  }
}
