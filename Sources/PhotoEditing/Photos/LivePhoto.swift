import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// A Live Photo or a motion photo as it is shown: a still, and the video that plays in its place.
///
/// ```swift
/// if let live = try await editor.livePhoto(of: photo) {
///   show(live.imagePath)
///   play(live.video.path, live.video.byteRange)
/// }
/// ```
public struct LivePhoto: Sendable, Hashable {
  /// The file with the still, in its own format; it may have an orientation.
  public let imagePath: FilePath
  /// The uniform type identifier of that file, such as `public.heic`.
  public let imageContentType: String
  /// The video: a file of its own, or a part of a file. Without an edit of the video it is the one that was taken.
  public let video: PhotoVideo
  /// Pixels from left to right of the upright still.
  public let pixelWidth: Int
  /// Pixels from top to bottom of the upright still.
  public let pixelHeight: Int

  /// The still of an edit or of the original, with the video that belongs to it.
  ///
  /// - Parameters:
  ///   - still: The original, or what is shown in its place.
  ///   - contentType: The uniform type identifier of the still.
  ///   - size: Width and height of the upright still.
  ///   - photo: The original.
  ///   - editedVideo: The video with the edit; `nil` when the edit has none in a file of its own.
  /// - Returns: `nil` for a photo without a video.
  init?(
    showing still: FilePath, contentType: String, _ size: PixelSize, of photo: FilePath,
    editedVideo: FilePath?, _ fileSystem: FileSystem
  ) {
    let isOriginal = still == photo
    let edited = isOriginal ? nil : editedVideo.flatMap { PhotoVideo(inFileAt: $0, fileSystem) }
    let inner =
      isOriginal || edited != nil
      ? nil : PhotoBytes(still, fileSystem).flatMap { PhotoVideo(inside: still, $0) }
    guard let video = edited ?? inner ?? PhotoVideo(of: photo, fileSystem) else { return nil }
    (imagePath, imageContentType, self.video) = (still, contentType, video)
    (pixelWidth, pixelHeight) = (size.width, size.height)
  }

  /// A Live Photo of a still and a video that were made for each other.
  init(imagePath: FilePath, contentType: String, size: PixelSize, video: PhotoVideo) {
    (self.imagePath, imageContentType, self.video) = (imagePath, contentType, video)
    (pixelWidth, pixelHeight) = (size.width, size.height)
  }

  /// The Live Photo of two files that belong together, whatever their names; or the one of a motion photo's file.
  ///
  /// - Parameter paths: A still and a video, in any order, which have the same content identifier or none; or a photo that
  ///   has its video inside.
  /// - Throws: ``EditError/noVideo(_:)`` when they are no Live Photo, or another ``EditError`` when the still cannot be read.
  public init(resourcePaths paths: [FilePath]) throws(EditError) {
    let fileSystem = FileSystem.real
    let videos = paths.compactMap { path in
      PhotoVideo(inFileAt: path, fileSystem).map { (path: path, video: $0) }
    }
    guard paths.count <= 2, videos.count == paths.count - 1,
      let still = paths.first(where: { path in !videos.contains { $0.path == path } })
    else { throw .noVideo(paths.first ?? "") }
    guard let bytes = PhotoBytes(still, fileSystem), let header = PhotoHeader(bytes),
      let format = PhotoFormat.recognized(in: bytes)
    else { throw .render(path: still, .notAPicture) }
    let given = videos.first?.video
    let isPair = given.map { $0.contentIdentifier == header.contentIdentifier } ?? true
    guard isPair, let video = given ?? PhotoVideo(inside: still, bytes) else {
      throw .noVideo(still)
    }
    (imagePath, imageContentType, self.video) = (still, format.contentType, video)
    (pixelWidth, pixelHeight) =
      header.orientation > 4 ? (header.height, header.width) : (header.width, header.height)
  }
}

extension PhotoEditor {
  /// The Live Photo or motion photo that a photo is; `nil` for another photo.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - showsEdit: Whether it is shown with its edit, where it has one.
  /// - Throws: ``EditError`` when the photo is missing or its sidecar is unusable.
  public func livePhoto(
    of photo: Photo, showsEdit: Bool = true
  ) async throws(EditError) -> LivePhoto? {
    try await reading(photo) { edit, _ in
      if showsEdit, let render = edit.record?.render, let path = edit.files.path(of: .render) {
        let size = PixelSize(width: render.pixelWidth, height: render.pixelHeight)
        return LivePhoto(
          showing: path, contentType: PhotoFormat.jpeg.contentType, size, of: edit.path,
          editedVideo: edit.files.path(of: .video), fileSystem)
      }
      let facts = try edit.originalFacts()
      let size = PixelSize(width: facts.pixelWidth, height: facts.pixelHeight)
      return LivePhoto(
        showing: edit.path, contentType: facts.format.contentType,
        size.upright(facts.orientation), of: edit.path, editedVideo: nil, fileSystem)
    }
  }
}

extension ContentEditingInput {
  /// The Live Photo or motion photo that the edit starts from; `nil` for another photo. The files are looked for at each
  /// call.
  public var livePhoto: LivePhoto? {
    LivePhoto(
      showing: fullSizeImagePath, contentType: contentType,
      pixelSize.upright(Int(fullSizeImageOrientation)), of: photo.path.placeOfPhoto,
      editedVideo: start.pixels == .render ? editedVideo : nil, .real)
  }

  /// How the photo is to be played: as a Live Photo where it has a video. The files are looked for at each call.
  public var playbackStyle: AssetPlaybackStyle { livePhoto == nil ? .image : .livePhoto }
}

extension PixelSize {
  /// The size of stored pixels once they are upright.
  ///
  /// - Parameter orientation: Exif's, 1 to 8.
  fileprivate func upright(_ orientation: Int) -> PixelSize {
    orientation > 4 ? PixelSize(width: height, height: width) : self
  }
}

extension AssetResource {
  /// The files of a Live Photo: the still and the video.
  public static func assetResources(for livePhoto: LivePhoto) -> [AssetResource] {
    [
      AssetResource(
        type: .photo, path: livePhoto.imagePath, contentType: livePhoto.imageContentType),
      livePhoto.video.resource(asset: ""),
    ]
  }
}

/// How an asset is to be played; the numbers are PhotoKit's.
public enum AssetPlaybackStyle: Int, Sendable, Hashable, CaseIterable {
  /// A still picture.
  case image = 1
  /// A still picture with a video.
  case livePhoto = 3
}
