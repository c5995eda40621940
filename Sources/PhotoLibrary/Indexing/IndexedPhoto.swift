import FoundationEssentials
import PhotoEditing

/// What the index keeps of a photo's file and of its sidecar.
struct IndexedPhoto: Sendable {
  let folder: FilePath
  let name: FilePath
  let trace: FileTrace
  /// The first 16 bytes of the SHA-256 of the file's length, its first 16 KB and its last 4 KB: Exif,
  /// thumbnail and the end of the pixels, so that two photos hardly ever share it and a moved one
  /// keeps it.
  let fingerprint: [UInt8]
  let format: PhotoFormat
  /// The size as it is seen: upright, and the edit's when it is edited.
  let pixelWidth: Int
  let pixelHeight: Int
  let orientation: Int
  let subtypes: AssetMediaSubtype
  let camera: String?
  let creationDate: Date?
  let latitude: Double?
  let longitude: Double?
  let sidecar: Sidecar?

  /// The sidecar as it was looked at.
  struct Sidecar: Sendable, Hashable {
    /// When its content last changed, in nanoseconds since 1970 UTC.
    let modified: Int64
    /// The edit's format; empty when the sidecar cannot be read, by whatever program it is.
    let adjustmentFormat: String
    let pixelWidth: Int?
    let pixelHeight: Int?
  }

  var path: FilePath { folder.appending(name) }

  /// When the original or its edit last changed, in seconds since 1970 UTC.
  var modificationDate: Double {
    Double(max(trace.modified, sidecar?.modified ?? trace.modified)) / 1e9
  }
}

/// A file that is to be looked at.
struct IndexingJob: Sendable {
  let folder: FilePath
  let name: FilePath
  /// When the sidecar last changed; `nil` when there is none.
  let sidecarModified: Int64?
  /// Whether a change of the edit was decided and not carried out yet.
  let isPending: Bool
  /// Whether a video of the same name stands beside it.
  let hasVideo: Bool
  /// The names beside it, which tell renders by their original.
  let neighbors: FolderNames

  var path: FilePath { folder.appending(name) }
}

extension IndexingJob {
  /// To look at one photo whose folder is not looked through.
  ///
  /// Only what belongs to it is looked for beside it, so that it is never taken for a render.
  init(photoAt path: FilePath) {
    let name = path.lastComponent ?? path
    let folder = path.removingLastComponent()
    let beside = FolderNames.belonging(to: name).filter { FileTrace(folder.appending($0)) != nil }
    let neighbors = FolderNames(beside)
    self.init(
      folder: folder, name: name,
      sidecarModified: neighbors.sidecar(of: name).flatMap {
        FileTrace(folder.appending($0))?.modified
      }, isPending: neighbors.hasPendingChange(of: name),
      hasVideo: neighbors.hasVideo(for: name), neighbors: neighbors)
  }
}

/// What a file turned out to be.
enum IndexingOutcome: Sendable {
  case photo(IndexedPhoto)
  /// No photo, or a render of one that lies beside it.
  case somethingElse(IndexingJob)
  /// It begins like a photo, or is called like one, and cannot be read.
  case unreadable(IndexingJob, detail: String)
}
