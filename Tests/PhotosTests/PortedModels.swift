import Observation
import Photos

/// The user's albums, with titles and counts, kept up to date.
@MainActor @Observable final class AlbumsModel: NSObject, PHPhotoLibraryChangeObserver {
  struct Row: Identifiable {
    let id: String
    let title: String
    let count: Int
  }

  private(set) var rows: [Row] = []
  @ObservationIgnored private var albums = PHFetchResult<PHAssetCollection>()

  override init() {
    super.init()
    PHPhotoLibrary.shared().register(self)
    load()
  }

  deinit { PHPhotoLibrary.shared().unregisterChangeObserver(self) }

  func load() {
    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: "estimatedAssetCount > 0")
    options.sortDescriptors = [NSSortDescriptor(key: "localizedTitle", ascending: true)]
    albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options)
    show()
  }

  private func show() {
    var rows: [Row] = []
    albums.enumerateObjects { collection, _, _ in
      var count = collection.estimatedAssetCount
      if count == NSNotFound { count = PHAsset.fetchAssets(in: collection, options: nil).count }
      let title = collection.localizedTitle ?? "Untitled"
      rows.append(Row(id: collection.localIdentifier, title: title, count: count))
    }
    self.rows = rows
  }

  func rename(_ index: Int, to title: String) async throws {
    let album = albums.object(at: index)
    guard album.canPerform(.rename) else { return }
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetCollectionChangeRequest(for: album)?.title = title
    }
  }

  func remove(
    _ indexes: IndexSet, of photos: PHFetchResult<PHAsset>, from index: Int
  ) async throws {
    let album = albums.object(at: index)
    try await PHPhotoLibrary.shared().performChanges {
      guard let request = PHAssetCollectionChangeRequest(for: album, assets: photos) else { return }
      request.removeAssets(at: indexes)
    }
  }

  nonisolated func photoLibraryDidChange(_ changeInstance: PHChange) {
    Task { @MainActor in
      guard let details = changeInstance.changeDetails(for: albums) else { return load() }
      albums = details.fetchResultAfterChanges
      show()
    }
  }
}

/// One photo on the screen: its picture and its heart.
@MainActor @Observable final class PhotoModel: NSObject, PHPhotoLibraryChangeObserver {
  private(set) var asset: PHAsset?
  private(set) var image: DisplayImage?
  private(set) var isLoading = false
  private(set) var problem: String?
  @ObservationIgnored private var request = PHInvalidImageRequestID

  init(asset: PHAsset) {
    self.asset = asset
    super.init()
    PHPhotoLibrary.shared().register(self)
  }

  func load(targetSize: CGSize) {
    guard let asset else { return }
    PHImageManager.default().cancelImageRequest(request)
    let options = PHImageRequestOptions()
    options.deliveryMode = .opportunistic
    options.isNetworkAccessAllowed = true
    options.progressHandler = { progress, _, _, _ in print(progress) }
    isLoading = true
    request = PHImageManager.default().requestImage(
      for: asset, targetSize: targetSize, contentMode: .aspectFit, options: options
    ) { [weak self] image, info in
      guard let self else { return }
      if let image { self.image = image }
      let isDegraded = info?[PHImageResultIsDegradedKey] as? Bool ?? false
      if !isDegraded { self.isLoading = false }
    }
  }

  func toggleFavorite() {
    guard let asset, asset.canPerform(.properties) else { return }
    PHPhotoLibrary.shared().performChanges {
      let request = PHAssetChangeRequest(for: asset)
      request.isFavorite.toggle()
    } completionHandler: { [weak self] success, error in
      guard !success else { return }
      let problem = error?.localizedDescription
      Task { @MainActor in self?.problem = problem }
    }
  }

  func delete() async throws {
    guard let asset, asset.canPerform(.delete) else { return }
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetChangeRequest.deleteAssets([asset] as NSArray)
    }
  }

  nonisolated func photoLibraryDidChange(_ changeInstance: PHChange) {
    DispatchQueue.main.async {
      guard let asset = self.asset, let details = changeInstance.changeDetails(for: asset) else {
        return
      }
      self.asset = details.objectAfterChanges
      if details.objectWasDeleted { self.image = nil }
    }
  }
}

/// What the user allowed, and the question for more.
@MainActor @Observable final class AccessModel {
  private(set) var status = PHPhotoLibrary.authorizationStatus(for: .readWrite)
  var canSeePhotos: Bool { status == .authorized || status == .limited }

  func ask() async {
    switch PHPhotoLibrary.authorizationStatus(for: .readWrite) {
    case .notDetermined: status = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
    case .limited: _ = try? await PHPhotoLibrary.shared().requestLimitedSelection()
    case .authorized, .denied, .restricted: break
    }
  }

  func askForAdding(_ done: @escaping @MainActor (Bool) -> Void) {
    PHPhotoLibrary.requestAuthorization(for: .addOnly) { status in
      DispatchQueue.main.async { done(status == .authorized) }
    }
  }
}

/// Fetches that a search screen makes.
enum Searches {
  static func screenshots() -> PHFetchResult<PHAsset> {
    let options = PHFetchOptions()
    options.predicate = NSPredicate(
      format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.photoScreenshot.rawValue)
    return PHAsset.fetchAssets(with: .image, options: options)
  }

  static func photos(from start: Date, to end: Date) -> PHFetchResult<PHAsset> {
    let options = PHFetchOptions()
    options.predicate = NSPredicate(
      format: "creationDate >= %@ AND creationDate < %@", start as NSDate, end as NSDate)
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    options.includeHiddenAssets = false
    return PHAsset.fetchAssets(with: options)
  }

  static func largeFavorites() -> PHFetchResult<PHAsset> {
    var predicates = [NSPredicate(format: "isFavorite == %@", NSNumber(value: true))]
    predicates.append(NSPredicate(format: "pixelWidth >= %d OR pixelHeight >= %d", 300, 300))
    predicates.append(
      NSCompoundPredicate(
        notPredicateWithSubpredicate: NSPredicate(
          format: "mediaSubtypes & %d != 0", PHAssetMediaSubtype.photoPanorama.rawValue)))
    let options = PHFetchOptions()
    options.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
    return PHAsset.fetchAssets(with: options)
  }

  static func album(named title: String) -> PHAssetCollection? {
    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: "title = %@", title)
    return PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options)
      .firstObject
  }

  static func photo(after asset: PHAsset, in photos: PHFetchResult<PHAsset>) -> PHAsset? {
    let index = photos.index(of: asset)
    guard index != NSNotFound, index + 1 < photos.count else { return nil }
    return photos.object(at: index + 1)
  }

  static func last(_ count: Int, of photos: PHFetchResult<PHAsset>) -> [PHAsset] {
    var assets: [PHAsset] = []
    photos.enumerateObjects(options: .reverse) { asset, _, stop in
      assets.append(asset)
      if assets.count == count { stop.pointee = true }
    }
    return assets
  }
}

/// Pictures and files for code that waits.
enum Pictures {
  static func image(of asset: PHAsset, size: CGSize) async throws -> DisplayImage {
    let options = PHImageRequestOptions()
    options.deliveryMode = .highQualityFormat
    options.resizeMode = .exact
    return try await withCheckedThrowingContinuation { continuation in
      PHImageManager.default().requestImage(
        for: asset, targetSize: size, contentMode: .aspectFill, options: options
      ) { image, info in
        if let image { return continuation.resume(returning: image) }
        let error = info?[PHImageErrorKey] as? any Error
        continuation.resume(throwing: error ?? CocoaError(.fileReadUnknown))
      }
    }
  }

  static func original(of asset: PHAsset) -> Data? {
    var original: Data?
    let options = PHImageRequestOptions()
    options.isSynchronous = true
    options.version = .original
    PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) {
      data, _, _, _ in original = data
    }
    return original
  }

  static func save(_ data: Data, to album: PHAssetCollection, at date: Date) async throws
    -> String?
  {
    var identifier: String?
    try await PHPhotoLibrary.shared().performChanges {
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = "saved.jpg"
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: .photo, data: data, options: options)
      request.creationDate = date
      guard let placeholder = request.placeholderForCreatedAsset else { return }
      identifier = placeholder.localIdentifier
      PHAssetCollectionChangeRequest(for: album)?.insertAssets(
        [placeholder] as NSFastEnumeration, at: IndexSet(integer: 0))
    }
    return identifier
  }

  static func added(since token: PHPersistentChangeToken) throws -> Set<String> {
    var identifiers: Set<String> = []
    for change in try PHPhotoLibrary.shared().fetchPersistentChanges(since: token) {
      let details = try change.changeDetails(for: PHObjectType.asset)
      identifiers.formUnion(details?.insertedLocalIdentifiers ?? [])
    }
    return identifiers
  }
}
