import SafelightFiles
import SafelightFormats
import SafelightMetadata
import SafelightStorage

/// The video that was taken with a photo: of a Live Photo in a file of its own, of a motion photo in the photo's file.
///
/// ```swift
/// if let video = try await editor.state(of: photo).video {
///   print(video.duration, video.codec)   // 2.9 H.264
/// }
/// ```
public struct PhotoVideo: Sendable, Hashable {
  /// Where a photo has its video.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// In a file beside it, as Apple's cameras have.
    case live
    /// In its own file, as Google's and Samsung's cameras have.
    case motion
  }

  /// Where the photo has its video.
  public let kind: Kind
  /// The file that has the video; of a motion photo the photo itself.
  public let path: FilePath
  /// The bytes of that file which are the video.
  public let byteRange: Range<Int64>
  /// The uniform type identifier of the video: `com.apple.quicktime-movie` or `public.mpeg-4`.
  public let contentType: String
  /// How long it plays, in seconds.
  public let duration: Double
  /// How its frames are coded, such as `H.264` or `HEVC`; the four letters of a rare coding.
  public let codec: String
  /// Pixels from left to right of an upright frame.
  public let pixelWidth: Int
  /// Pixels from top to bottom of an upright frame.
  public let pixelHeight: Int
  /// How many frames it has.
  public let frameCount: Int
  /// Whether it has sound.
  public let hasSound: Bool
  /// When the still was taken, in seconds from the video's beginning; `nil` when nothing says it.
  public let stillImageTime: Double?
  /// What joins the video with its still, by Apple's metadata; `nil` when it has none.
  public let contentIdentifier: String?

  /// What names of video files of this kind end in, without the dot.
  public var fileExtension: String { contentType == Self.quickTime ? "mov" : "mp4" }

  /// The media type of the video: `video/quicktime` or `video/mp4`. Source: RFC 4337 and IANA's registry.
  package var mediaType: String {
    contentType == Self.quickTime ? "video/quicktime" : "video/mp4"
  }

  private static let quickTime = "com.apple.quicktime-movie"

  private init(_ kind: Kind, _ path: FilePath, _ movie: Movie, stillImageTime: Double?) {
    (self.kind, self.path) = (kind, path)
    byteRange = Int64(movie.range.lowerBound)..<Int64(movie.range.upperBound)
    contentType = movie.isQuickTime ? Self.quickTime : "public.mpeg-4"
    duration = movie.duration
    codec = movie.video.map { Self.codecs[$0.coding] ?? $0.coding } ?? ""
    (pixelWidth, pixelHeight) = movie.size ?? (0, 0)
    frameCount = movie.video?.sampleCount ?? 0
    hasSound = movie.hasSound
    self.stillImageTime = stillImageTime
    contentIdentifier = movie.contentIdentifier
  }

  /// The codings of cameras by the four letters of their samples. Source: the MP4 registration authority, mp4ra.org.
  private static let codecs = [
    "avc1": "H.264", "avc3": "H.264", "hvc1": "HEVC", "hev1": "HEVC", "av01": "AV1",
    "vp09": "VP9", "mp4v": "MPEG-4", "jpeg": "Motion JPEG", "apcn": "ProRes", "apch": "ProRes",
  ]
}

// MARK: - Finding

extension PhotoVideo {
  /// Finds the video of a photo; `nil` for one without.
  ///
  /// - Parameters:
  ///   - photo: The original, symbolic links followed.
  ///   - fileSystem: Where it is.
  init?(of photo: FilePath, _ fileSystem: FileSystem) {
    guard let bytes = PhotoBytes(photo, fileSystem) else { return nil }
    self.init(of: photo, bytes, fileSystem)
  }

  /// Finds the video of a photo that is open; `nil` for one without.
  ///
  /// - Parameters:
  ///   - photo: The original, symbolic links followed.
  ///   - bytes: Its bytes.
  ///   - fileSystem: Where the files beside it are.
  init?(of photo: FilePath, _ bytes: PhotoBytes, _ fileSystem: FileSystem) {
    if let video = PhotoVideo(inside: photo, bytes) {
      self = video
      return
    }
    let folder = photo.removingLastComponent()
    let still = PhotoHeader(bytes)?.contentIdentifier
    let name = photo.lastComponent ?? photo
    for candidate in Self.names(for: name) {
      if let video = PhotoVideo(inFileAt: folder.appending(candidate), fileSystem),
        video.contentIdentifier == still
      {
        self = video
        return
      }
    }
    guard let still, let names = try? fileSystem.names(in: folder),
      let name = Self.videos(in: folder, names, fileSystem)[still],
      let video = PhotoVideo(inFileAt: folder.appending(name), fileSystem)
    else { return nil }
    self = video
  }

  /// The video in a motion photo's own file; `nil` for another file.
  init?(inside photo: FilePath, _ bytes: PhotoBytes) {
    guard let found = ContainedVideo(in: bytes) else { return nil }
    self.init(.motion, photo, found.movie, stillImageTime: found.stillImageTime)
  }

  /// A video in a file of its own; `nil` for a file that is none or is not there.
  init?(inFileAt path: FilePath, _ fileSystem: FileSystem) {
    guard let bytes = PhotoBytes(path, fileSystem),
      let movie = Movie(in: 0..<bytes.count, { bytes.bytes(at: $0, count: $1) }),
      movie.video != nil
    else { return nil }
    self.init(.live, path, movie, stillImageTime: movie.stillImageTime)
  }

  /// Whether a file is the video of a still: both have the same identifier, or neither has one.
  ///
  /// - Parameter still: The still's content identifier; `nil` when it has none.
  package static func isVideo(
    at path: FilePath, ofStill still: String?, _ fileSystem: FileSystem = .real
  ) -> Bool {
    guard let video = PhotoVideo(inFileAt: path, fileSystem) else { return false }
    return video.contentIdentifier == still
  }

  /// The names that a photo's video may have in the photo's folder: those of Apple's cameras and of Google Takeout, which
  /// gives the video of `PXL_1.MP.jpg` the name `PXL_1.MP`.
  package static func names(for name: FilePath) -> [FilePath] {
    guard let stem = name.stem else { return [] }
    let named = stem.inBothLetters.flatMap { stem in
      [".MOV", ".mov", ".Mov", ".MP4", ".mp4"].map { stem.suffixed($0) }
    }
    return named + (stem.extension?.lowercased() == "mp" ? [stem] : [])
  }

  /// Why a file that has the name of the photo's video is not its video, in a sentence; `nil` when there is none.
  static func refusal(beside photo: FilePath, _ fileSystem: FileSystem) -> String? {
    let folder = photo.removingLastComponent()
    for name in names(for: photo.lastComponent ?? photo) {
      let path = folder.appending(name)
      guard (try? fileSystem.statusFollowingLinks(of: path))?.kind == .file else { continue }
      return PhotoVideo(inFileAt: path, fileSystem) == nil
        ? "\(name) beside the photo cannot be read as its video, and stays as it is."
        : "\(name) beside the photo has another content identifier, so it is not taken for its video, and stays as it is."
    }
    return nil
  }

  /// The most videos of a folder that are looked into for an identifier.
  private static let mostVideos = 2000

  /// The videos of a folder by their content identifiers, for a photo whose video has another name.
  package static func videos(
    in folder: FilePath, _ names: some Sequence<FilePath>, _ fileSystem: FileSystem = .real
  ) -> [String: FilePath] {
    let videos = names.filter {
      !$0.isHidden && ["mov", "mp4"].contains($0.extension?.lowercased())
        && !$0.string.hasSuffix(FileRole.video.suffix)
    }.sorted(by: <).prefix(mostVideos)
    var found: [String: FilePath] = [:]
    for name in videos {
      let identifier = PhotoVideo(inFileAt: folder.appending(name), fileSystem)?.contentIdentifier
      if let identifier, found[identifier] == nil { found[identifier] = name }
    }
    return found
  }

  /// The video among the photo's files, in PhotoKit's terms.
  func resource(asset: String) -> AssetResource {
    AssetResource(
      type: .pairedVideo, path: path, contentType: contentType, asset: asset,
      byteRange: kind == .motion ? byteRange : nil)
  }
}

extension PhotoBytes {
  /// The bytes of a file; `nil` when it cannot be opened.
  init?(_ path: FilePath, _ fileSystem: FileSystem) {
    guard let file = try? fileSystem.openForReading(path),
      let status = try? fileSystem.status(of: file), status.kind == .file
    else { return nil }
    self.init(file, size: Int(status.size))
  }
}
