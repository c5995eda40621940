import FoundationEssentials
import Glibc
import PhotoEditing

/// What the catalogue writes down of a photo's files.
struct SeenPhoto: Sendable {
  let format: PhotoFormat
  /// Columns and rows as the photo is seen: upright, and cropped when its edit crops.
  let pixelWidth: Int
  let pixelHeight: Int
  let orientation: Int
  let camera: String?
  let creationDate: Date?
  let location: Asset.Location?
  let size: Int64
  /// Nanoseconds since 1970.
  let modified: Int64
  let inode: Int64
  let adjustmentFormat: String?
  /// The sidecar's modification time in nanoseconds since 1970; `nil` without one.
  let recordModified: Int64?

  /// Looks at a photo and its edit.
  init(at path: FilePath, _ editor: PhotoEditor) async throws(EditError) {
    let state = try await editor.state(of: PhotoEditing.Asset(path: path))
    let facts = state.original
    format = facts.format
    orientation = facts.orientation
    camera = facts.camera
    creationDate = facts.creationDate
    location = facts.location.map {
      Asset.Location(latitude: $0.latitude, longitude: $0.longitude)
    }
    let isTurned = (5...8).contains(facts.orientation)
    let upright = PixelSize(
      width: isTurned ? facts.pixelHeight : facts.pixelWidth,
      height: isTurned ? facts.pixelWidth : facts.pixelHeight)
    let seen = state.edit?.renderSize ?? upright
    pixelWidth = seen.width
    pixelHeight = seen.height
    adjustmentFormat = state.edit?.adjustmentData.formatIdentifier
    let record = state.resources.first { $0.type == .adjustmentData }
    recordModified = record.flatMap { FileFacts($0.path)?.modified }
    let file = FileFacts(path)
    size = state.originalSize
    modified = file?.modified ?? 0
    inode = file?.inode ?? 0
  }
}

/// What tells whether a file is still the one that was looked at, links followed.
struct FileFacts: Sendable, Hashable {
  let size: Int64
  /// Nanoseconds since 1970.
  let modified: Int64
  let inode: Int64
  let device: UInt64
  /// How many names it has.
  let links: Int
  let isFile: Bool

  /// `nil` when there is no such file.
  init?(_ path: FilePath, followingLinks: Bool = true) {
    var facts = stat()
    let result = path.cString.withUnsafeBufferPointer {
      followingLinks ? stat($0.baseAddress!, &facts) : lstat($0.baseAddress!, &facts)
    }
    guard result == 0 else { return nil }
    self.init(facts)
  }

  init(_ facts: stat) {
    size = Int64(facts.st_size)
    modified = Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec)
    inode = Int64(bitPattern: UInt64(facts.st_ino))
    device = UInt64(facts.st_dev)
    links = Int(facts.st_nlink)
    isFile = facts.st_mode & S_IFMT == S_IFREG
  }

  /// Whether both are about the same file with the same content, whatever it is called.
  func isSame(as other: FileFacts) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified
  }
}

extension FilePath {
  /// The path as C functions take it.
  var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
