import FoundationEssentials
import Glibc
import PhotoEditing

/// What the catalog writes down of a photo's files when a change set looks at them: the same as when
/// its folder is looked through.
struct SeenPhoto: Sendable {
  private let photo: IndexedPhoto

  var format: PhotoFormat { photo.format }
  /// Columns and rows as the photo is seen: upright, and cropped when its edit crops.
  var pixelWidth: Int { photo.pixelWidth }
  var pixelHeight: Int { photo.pixelHeight }
  var orientation: Int { photo.orientation }
  var subtypes: AssetMediaSubtype { photo.subtypes }
  var camera: String? { photo.camera }
  var creationDate: Date? { photo.creationDate }
  let location: Asset.Location?
  var size: Int64 { photo.trace.size }
  /// Nanoseconds since 1970.
  var modified: Int64 { photo.trace.modified }
  var inode: Int64 { photo.trace.inode }
  var fingerprint: [UInt8] { photo.fingerprint }
  var adjustmentFormat: String? { photo.sidecar?.adjustmentFormat }
  /// When the photo or its edit last changed.
  var modificationDate: Date { Date(timeIntervalSince1970: photo.modificationDate) }
  /// The sidecar's modification time in nanoseconds since 1970; `nil` without one.
  var recordModified: Int64? { photo.sidecar?.modified }

  private static let reader = PhotoReader()

  /// Looks at a photo and its edit.
  ///
  /// - Parameter editor: Says why it is no photo, when it is none.
  init(at path: FilePath, _ editor: PhotoEditor) async throws(EditError) {
    guard case .photo(let photo) = Self.reader.read(IndexingJob(photoAt: path)) else {
      _ = try await editor.state(of: Photo(path: path))
      throw .render(path: path, .notAPicture)
    }
    self.photo = photo
    location =
      if let latitude = photo.latitude, let longitude = photo.longitude {
        Asset.Location(latitude: latitude, longitude: longitude)
      } else {
        nil
      }
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
