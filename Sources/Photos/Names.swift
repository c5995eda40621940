// PhotoKit's names begin with capital letters.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// PhotoKit's names for code that is shared with Apple's systems, and for the first day of a port. The types are
// those of PhotoLibraryKit, whose documentation says what they do; ComingFromPhotoKit says what differs.

// Photos brings Foundation along on Apple's systems, too.
@_exported import Foundation
@_exported import PhotoLibraryKit

// MARK: - The library and its objects

/// `PhotoLibrary` of PhotoLibraryKit.
public typealias PHPhotoLibrary = PhotoLibrary
/// `AuthorizationStatus` of PhotoLibraryKit.
public typealias PHAuthorizationStatus = AuthorizationStatus
/// `AccessLevel` of PhotoLibraryKit.
public typealias PHAccessLevel = AccessLevel

/// An asset, an album, a list or a placeholder. They have no common class.
public typealias PHObject = any PhotoLibraryObject
/// `Asset` of PhotoLibraryKit.
public typealias PHAsset = Asset
/// `AssetMediaType` of PhotoLibraryKit.
public typealias PHAssetMediaType = AssetMediaType
/// `AssetMediaSubtype` of PhotoLibraryKit.
public typealias PHAssetMediaSubtype = AssetMediaSubtype
/// `AssetEditOperation` of PhotoLibraryKit.
public typealias PHAssetEditOperation = AssetEditOperation
/// `UserCollection` of PhotoLibraryKit, an album or a list; `collection as? PHAssetCollection` tells.
public typealias PHCollection = UserCollection
/// `AssetCollection` of PhotoLibraryKit.
public typealias PHAssetCollection = AssetCollection
/// `AssetCollection.CollectionType` of PhotoLibraryKit.
public typealias PHAssetCollectionType = AssetCollection.CollectionType
/// `AssetCollectionSubtype` of PhotoLibraryKit.
public typealias PHAssetCollectionSubtype = AssetCollectionSubtype
/// `CollectionEditOperation` of PhotoLibraryKit.
public typealias PHCollectionEditOperation = CollectionEditOperation
/// `CollectionList` of PhotoLibraryKit.
public typealias PHCollectionList = CollectionList
/// `ObjectPlaceholder` of PhotoLibraryKit.
public typealias PHObjectPlaceholder = ObjectPlaceholder
/// `PhotoLibraryError` of PhotoLibraryKit.
public typealias PHPhotosError = PhotoLibraryError

// MARK: - Fetching

/// `FetchOptions` of PhotoLibraryKit.
public typealias PHFetchOptions = FetchOptions
/// `FetchResult` of PhotoLibraryKit.
public typealias PHFetchResult<Object: PhotoLibraryObject> = FetchResult<Object>

// MARK: - Changing

/// `AssetChangeRequest` of PhotoLibraryKit.
public typealias PHAssetChangeRequest = AssetChangeRequest
/// `AssetCreationRequest` of PhotoLibraryKit.
public typealias PHAssetCreationRequest = AssetCreationRequest
/// `AssetResourceCreationOptions` of PhotoLibraryKit.
public typealias PHAssetResourceCreationOptions = AssetResourceCreationOptions
/// `AssetCollectionChangeRequest` of PhotoLibraryKit.
public typealias PHAssetCollectionChangeRequest = AssetCollectionChangeRequest
/// `CollectionListChangeRequest` of PhotoLibraryKit.
public typealias PHCollectionListChangeRequest = CollectionListChangeRequest

// MARK: - Observing

/// `PhotoLibraryChangeObserver` of PhotoLibraryKit.
public typealias PHPhotoLibraryChangeObserver = PhotoLibraryChangeObserver
/// `PhotoLibraryAvailabilityObserver` of PhotoLibraryKit.
public typealias PHPhotoLibraryAvailabilityObserver = PhotoLibraryAvailabilityObserver
/// `Change` of PhotoLibraryKit.
public typealias PHChange = Change
/// `ObjectChangeDetails` of PhotoLibraryKit.
public typealias PHObjectChangeDetails<Object: PhotoLibraryObject> = ObjectChangeDetails<Object>
/// `FetchResultChangeDetails` of PhotoLibraryKit.
public typealias PHFetchResultChangeDetails<Object: PhotoLibraryObject> =
  FetchResultChangeDetails<FetchResult<Object>>
/// `PersistentChanges` of PhotoLibraryKit.
public typealias PHPersistentChangeFetchResult = PersistentChanges
/// `PersistentChange` of PhotoLibraryKit.
public typealias PHPersistentChange = PersistentChange
/// `PersistentObjectChangeDetails` of PhotoLibraryKit.
public typealias PHPersistentObjectChangeDetails = PersistentObjectChangeDetails
/// `PersistentObjectType` of PhotoLibraryKit.
public typealias PHObjectType = PersistentObjectType

// MARK: - Editing

/// `AdjustmentData` of PhotoLibraryKit.
public typealias PHAdjustmentData = AdjustmentData
/// `ContentEditingInput` of PhotoLibraryKit.
public typealias PHContentEditingInput = ContentEditingInput
/// `ContentEditingInputRequestOptions` of PhotoLibraryKit.
public typealias PHContentEditingInputRequestOptions = ContentEditingInputRequestOptions
/// `ContentEditingInputRequestID` of PhotoLibraryKit.
public typealias PHContentEditingInputRequestID = ContentEditingInputRequestID
/// `ContentEditingOutput` of PhotoLibraryKit.
public typealias PHContentEditingOutput = ContentEditingOutput
/// `LivePhotoFrame` of PhotoLibraryKit.
public typealias PHLivePhotoFrame = LivePhotoFrame
/// `LivePhotoFrame.FrameType` of PhotoLibraryKit.
public typealias PHLivePhotoFrameType = LivePhotoFrame.FrameType
/// `LivePhotoEditingError` of PhotoLibraryKit.
public typealias PHLivePhotoEditingError = LivePhotoEditingError

// MARK: - Pictures and files

/// `ImageManager` of PhotoLibraryKit.
public typealias PHImageManager = ImageManager
/// `CachingImageManager` of PhotoLibraryKit.
public typealias PHCachingImageManager = CachingImageManager
/// `ImageRequestOptions` of PhotoLibraryKit.
public typealias PHImageRequestOptions = ImageRequestOptions
/// `ImageRequestOptions.Version` of PhotoLibraryKit.
public typealias PHImageRequestOptionsVersion = ImageRequestOptions.Version
/// `ImageRequestOptions.DeliveryMode` of PhotoLibraryKit.
public typealias PHImageRequestOptionsDeliveryMode = ImageRequestOptions.DeliveryMode
/// `ImageRequestOptions.ResizeMode` of PhotoLibraryKit.
public typealias PHImageRequestOptionsResizeMode = ImageRequestOptions.ResizeMode
/// `ImageContentMode` of PhotoLibraryKit.
public typealias PHImageContentMode = ImageContentMode
/// `ImageRequestID` of PhotoLibraryKit.
public typealias PHImageRequestID = ImageRequestID
/// A number that no request has.
public let PHInvalidImageRequestID: PHImageRequestID = invalidImageRequestID
/// `LivePhoto` of PhotoLibraryKit.
public typealias PHLivePhoto = LivePhoto
/// `ImageRequestOptions` of PhotoLibraryKit, of which the version counts for Live Photos.
public typealias PHLivePhotoRequestOptions = ImageRequestOptions
/// `AssetPlaybackStyle` of PhotoLibraryKit.
public typealias PHAssetPlaybackStyle = AssetPlaybackStyle
/// `AssetResource` of PhotoLibraryKit.
public typealias PHAssetResource = AssetResource
/// `AssetResource.ResourceType` of PhotoLibraryKit.
public typealias PHAssetResourceType = AssetResource.ResourceType
/// `AssetResourceManager` of PhotoLibraryKit.
public typealias PHAssetResourceManager = AssetResourceManager
/// `AssetResourceRequestOptions` of PhotoLibraryKit.
public typealias PHAssetResourceRequestOptions = AssetResourceRequestOptions
/// `AssetResourceDataRequestID` of PhotoLibraryKit.
public typealias PHAssetResourceDataRequestID = AssetResourceDataRequestID
/// A number that no request has.
public let PHInvalidAssetResourceDataRequestID: PHAssetResourceDataRequestID =
  invalidAssetResourceDataRequestID

// MARK: - What has no counterpart

/// Not there; the message says what to use.
@available(*, unavailable, message: "A library has no videos; use PHImageRequestOptions.")
public enum PHVideoRequestOptions {}
/// Not there; the message says what to use.
@available(
  *, unavailable, message: "There is no cloud; localIdentifier is the same in every process."
)
public enum PHCloudIdentifier {}
/// Not there; the message says what to use.
@available(*, unavailable, message: "There are no projects; use PHAssetCollection.")
public enum PHProject {}
/// Not there; the message says what to use.
@available(*, unavailable, message: "Lists have one type; use PHCollectionList without it.")
public enum PHCollectionListType {}
/// Not there; the message says what to use.
@available(
  *, unavailable, message: "All assets are the user's own; use PHAsset.path to tell where."
)
public enum PHAssetSourceType {}

extension FetchOptions {
  /// Not there; the message says what to use.
  @available(*, unavailable, message: "All assets are the user's own; leave it out.")
  public var includeAssetSourceTypes: Never { fatalError("unavailable") }
  /// Not there; the message says what to use.
  @available(*, unavailable, message: "A library has no bursts; leave it out.")
  public var includeAllBurstAssets: Bool {
    get { false }
    set {}
  }
}

extension Asset {
  /// Not there; the message says what to use.
  @available(*, unavailable, message: "A library has no bursts; fetchAssets has all photos.")
  public static func fetchAssets(
    withBurstIdentifier identifier: String, options: PHFetchOptions?
  ) -> PHFetchResult<Asset> { PHFetchResult() }
  /// Not there; the message says what to use.
  @available(*, unavailable, message: "A library has no bursts; burstIdentifier is nil.")
  public var representsBurst: Bool { false }
  /// Not there; the message says what to use.
  @available(*, unavailable, message: "All assets are the user's own; use path to tell where.")
  public var sourceType: Never { fatalError("unavailable") }
}

extension ImageManager {
  /// Not there; the message says what to use.
  @available(*, unavailable, message: "A library has no videos; use requestImage.")
  public func requestAVAsset(
    forVideo asset: PHAsset, options: Any?, resultHandler: @escaping (Any?, Any?, Any?) -> Void
  ) -> PHImageRequestID { PHInvalidImageRequestID }
  /// Not there; the message says what to use.
  @available(*, unavailable, message: "A library has no videos; use requestImage.")
  public func requestPlayerItem(
    forVideo asset: PHAsset, options: Any?, resultHandler: @escaping (Any?, Any?) -> Void
  ) -> PHImageRequestID { PHInvalidImageRequestID }
}

extension PhotoLibrary {
  /// Not there; the message says what to use.
  @available(
    *, unavailable, message: "Use requestLimitedSelection(), which asks with the library's prompt."
  )
  public func presentLimitedLibraryPicker(from controller: Any) {}
}

extension AssetCollection {
  /// Not there; the message says what to use.
  @available(*, unavailable, message: "Keep the assets themselves, or make an album.")
  public static func transientAssetCollection(
    with assets: [PHAsset], title: String?
  ) -> PHAssetCollection { fatalError("unavailable") }
  /// Not there; the message says what to use.
  @available(
    *, unavailable, message: "There are no moments; sort PHAsset.fetchAssets by creationDate."
  )
  public static func fetchMoments(with options: PHFetchOptions?) -> PHFetchResult<AssetCollection> {
    PHFetchResult()
  }
}
