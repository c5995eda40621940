import PhotoEditing
import Photos

/// Three ways to ask for access.
enum Access {
  static func ask(_ done: @escaping @Sendable (Bool) -> Void) {
    PHPhotoLibrary.requestAuthorization(for: .readWrite) { status in
      switch status {
      case .authorized, .limited: done(true)
      case .denied, .restricted, .notDetermined: done(false)
      }
    }
  }

  static func ask() async -> Bool {
    let status = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
    return status == .authorized || status == .limited
  }

  static func askAsBefore(_ done: @escaping @Sendable (Bool) -> Void) {
    if PHPhotoLibrary.authorizationStatus() == .authorized { return done(true) }
    PHPhotoLibrary.requestAuthorization { status in done(status == .authorized) }
  }
}

/// The albums of the library and the photos of one of them, kept up to date.
@MainActor final class AlbumGrid: NSObject, PHPhotoLibraryChangeObserver {
  private(set) var smartAlbums: PHFetchResult<PHAssetCollection>
  private(set) var userCollections: PHFetchResult<PHCollection>
  private(set) var photos = PHFetchResult<PHAsset>()
  private(set) var inserted: [Int] = []
  private let imageManager = PHCachingImageManager()
  var reload: () -> Void = {}

  override init() {
    smartAlbums = PHAssetCollection.fetchAssetCollections(
      with: .smartAlbum, subtype: .albumRegular, options: nil)
    userCollections = PHCollectionList.fetchTopLevelUserCollections(with: nil)
    super.init()
    PHPhotoLibrary.shared().register(self)
  }

  func close() { PHPhotoLibrary.shared().unregisterChangeObserver(self) }

  func showAllPhotos() {
    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
    photos = PHAsset.fetchAssets(with: options)
  }

  func showUserCollection(at index: Int) {
    let collection = userCollections.object(at: index)
    guard let album = collection as? PHAssetCollection else { return }
    photos = PHAsset.fetchAssets(in: album, options: nil)
  }

  var favorites: PHFetchResult<PHAsset> {
    let albums = PHAssetCollection.fetchAssetCollections(
      with: .smartAlbum, subtype: .smartAlbumFavorites, options: nil)
    guard let album = albums.firstObject else { return PHFetchResult() }
    let options = PHFetchOptions()
    options.fetchLimit = 100
    options.sortDescriptors = [
      NSSortDescriptor(keyPath: \PHAsset.creationDate, ascending: false)
    ]
    return PHAsset.fetchAssets(in: album, options: options)
  }

  @discardableResult
  func thumbnail(
    at index: Int, size: CGSize, show: @escaping @Sendable (DisplayImage, Bool) -> Void
  ) -> PHImageRequestID {
    let options = PHImageRequestOptions()
    options.deliveryMode = .opportunistic
    options.resizeMode = .fast
    options.isNetworkAccessAllowed = true
    return imageManager.requestImage(
      for: photos.object(at: index), targetSize: size, contentMode: .aspectFill, options: options
    ) { image, info in
      let isDegraded = (info?[PHImageResultIsDegradedKey] as? Bool) ?? false
      if let image = image { show(image, isDegraded) }
    }
  }

  func prepareThumbnails(size: CGSize) {
    var assets: [PHAsset] = []
    photos.enumerateObjects { asset, index, stop in
      assets.append(asset)
      if index == 99 { stop.pointee = true }
    }
    imageManager.startCachingImages(
      for: assets, targetSize: size, contentMode: .aspectFill, options: nil)
  }

  nonisolated func photoLibraryDidChange(_ changeInstance: PHChange) {
    DispatchQueue.main.async { self.update(changeInstance) }
  }

  private func update(_ changeInstance: PHChange) {
    if let details = changeInstance.changeDetails(for: userCollections) {
      userCollections = details.fetchResultAfterChanges
    }
    if let details = changeInstance.changeDetails(for: photos) {
      photos = details.fetchResultAfterChanges
      if details.hasIncrementalChanges, let indexes = details.insertedIndexes {
        inserted = indexes.map { $0 }
      }
    }
    reload()
  }
}

/// What the buttons below a photo do.
enum PhotoActions {
  static func toggleFavorite(
    _ asset: PHAsset, done: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    guard asset.canPerform(.properties) else { return done(false, nil) }
    PHPhotoLibrary.shared().performChanges(
      {
        let request = PHAssetChangeRequest(for: asset)
        request.isFavorite = !asset.isFavorite
      }, completionHandler: done)
  }

  static func makeAlbum(named title: String, with assets: [PHAsset]) async throws -> String? {
    var placeholder: PHObjectPlaceholder?
    try await PHPhotoLibrary.shared().performChanges {
      let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(
        withTitle: title)
      request.addAssets(assets as NSArray)
      placeholder = request.placeholderForCreatedAssetCollection
    }
    return placeholder?.localIdentifier
  }

  static func importPhoto(at url: URL, into album: PHAssetCollection) throws {
    try PHPhotoLibrary.shared().performChangesAndWait {
      guard
        let creation = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url),
        let placeholder = creation.placeholderForCreatedAsset
      else { return }
      PHAssetCollectionChangeRequest(for: album)?.addAssets([placeholder] as NSArray)
    }
  }
}

/// A filter that can be undone.
struct FilterEditor: Sendable {
  private let formatIdentifier = "com.example.sample.filter"
  private let formatVersion = "1.0"

  func apply(
    _ filterName: String, to asset: PHAsset,
    done: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    guard asset.canPerform(.content) else { return done(false, nil) }
    let options = PHContentEditingInputRequestOptions()
    options.canHandleAdjustmentData = { data in
      data.formatIdentifier == formatIdentifier && data.formatVersion == formatVersion
    }
    options.isNetworkAccessAllowed = true
    asset.requestContentEditingInput(with: options) { input, info in
      guard let input = input else {
        return done(false, info[PHContentEditingInputErrorKey] as? any Error)
      }
      let output = PHContentEditingOutput(contentEditingInput: input)
      output.adjustmentData = PHAdjustmentData(
        formatIdentifier: formatIdentifier, formatVersion: formatVersion,
        data: filterName.data(using: .utf8)!)
      Task {
        do {
          try await output.renderContent(applying: Filter.named(filterName).applied())
        } catch { return done(false, error) }
        PHPhotoLibrary.shared().performChanges(
          {
            let request = PHAssetChangeRequest(for: asset)
            request.contentEditingOutput = output
          }, completionHandler: done)
      }
    }
  }

  func undo(_ asset: PHAsset, done: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    PHPhotoLibrary.shared().performChanges(
      {
        let request = PHAssetChangeRequest(for: asset)
        request.revertAssetContentToOriginal()
      }, completionHandler: done)
  }
}

/// The photos that the user picked, in the order of picking.
enum PickedPhotos {
  static func assets(for identifiers: [String]) -> [PHAsset] {
    let fetched = PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: nil)
    var found: [String: PHAsset] = [:]
    fetched.enumerateObjects { asset, _, _ in found[asset.localIdentifier] = asset }
    return identifiers.compactMap { found[$0] }
  }

  @MainActor static func chooseMore() async throws -> [String] {
    try await PHPhotoLibrary.shared().requestLimitedSelection()
  }

  static func backUp(_ asset: PHAsset, to folder: URL) async throws {
    for resource in PHAssetResource.assetResources(for: asset) {
      let url = folder.appendingPathComponent(resource.originalFilename)
      let options = PHAssetResourceRequestOptions()
      options.isNetworkAccessAllowed = true
      try await PHAssetResourceManager.default().writeData(
        for: resource, toFile: url, options: options)
    }
  }
}
