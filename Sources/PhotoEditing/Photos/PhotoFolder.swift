import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// What a folder holds, for programs that work on all its photos.
///
/// ```swift
/// for path in try PhotoFolder("holiday").photos {
///   try await editor.apply(noir, to: Photo(path: path))
/// }
/// ```
///
/// The content of a file decides what it is, whatever its name says. Hidden files, symbolic links,
/// sidecars and files that are no pictures are left out, and so are renders and base photos that a
/// sidecar beside them names.
public struct PhotoFolder: Sendable {
  /// The photos, sorted by the bytes of their names.
  public let photos: [FilePath]
  /// The folders in it, sorted likewise.
  public let folders: [FilePath]
  /// How many renders, base photos and sidecars were left out.
  public let leftOut: Int
  /// How many files are pictures that Safelight does not edit, by their kinds, such as “JPEG XL”;
  /// among them files with a photo's ending that are empty or no picture.
  package let unsupported: [String: Int]

  /// Scans a folder.
  ///
  /// - Parameter path: The folder; empty for the current one.
  /// - Throws: ``EditError`` when the folder cannot be listed.
  public init(_ path: FilePath) throws(EditError) { try self.init(path, fileSystem: .real) }

  init(_ path: FilePath, fileSystem: FileSystem) throws(EditError) {
    do {
      let members = try FolderRecords(path, fileSystem: fileSystem)
      var photos: [FilePath] = []
      var folders: [FilePath] = []
      var leftOut = 0
      var unsupported: [String: Int] = [:]
      for name in members.names.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
        if name.bytes.first == UInt8(ascii: ".") { continue }
        let file = path.appending(name)
        switch try fileSystem.kind(of: file) {
        case .folder: folders.append(file)
        case .file:
          if name.isSidecar || members.membership(of: name) != nil {
            leftOut += 1
          } else {
            switch Self.kind(of: file, fileSystem) {
            case .photo: photos.append(file)
            case .unsupported(let kind): unsupported[kind, default: 0] += 1
            case .somethingElse: break
            }
          }
        case .symbolicLink, .other, nil: break
        }
      }
      (self.photos, self.folders, self.leftOut) = (photos, folders, leftOut)
      self.unsupported = unsupported
    } catch {
      throw EditError(error, path: path)
    }
  }

  private enum Kind {
    case photo
    case unsupported(String)
    case somethingElse
  }

  /// What a file is by its content. A file that cannot be read is a photo by its ending, so that its
  /// error is reported.
  private static func kind(of path: FilePath, _ fileSystem: FileSystem) -> Kind {
    if let header = try? HeaderBytes(recognizing: path, fileSystem) {
      if PhotoFormat.recognized(in: header) != nil { return .photo }
      if let kind = PhotoFormat.unsupportedKind(in: header) { return .unsupported(kind) }
      guard hasPhotoEnding(path) else { return .somethingElse }
      return .unsupported(header.first.isEmpty ? "empty" : "no picture")
    }
    return hasPhotoEnding(path) ? .photo : .somethingElse
  }

  private static func hasPhotoEnding(_ path: FilePath) -> Bool {
    let endings: Set = ["jpg", "jpeg", "png", "tif", "tiff", "webp", "heic", "heif", "avif"]
    return endings.contains(path.lastComponent?.extension?.lowercased() ?? "")
  }
}

/// Tells photos from the files that belong to their edits, for files named one by one.
///
/// Remembers the records of one folder, so ask for the files of a folder together.
///
/// ```swift
/// var recognizer = PhotoRecognizer()
/// let photos = paths.filter { recognizer.part($0) == nil }
/// ```
public struct PhotoRecognizer: Sendable {
  /// What a file is when it is no photo to edit.
  public enum Part: Sendable, Hashable {
    /// The sidecar of the photo of this name.
    case sidecar(of: FilePath)
    /// A render of the photo of this name.
    case render(of: FilePath)
    /// The base photo of the photo of this name.
    case base(of: FilePath)
    /// A folder.
    case folder
  }

  private var folder: (path: FilePath, members: FolderRecords?)?

  /// A recognizer that knows nothing yet.
  public init() {}

  /// What the file is; `nil` when it may be a photo, and for a missing file.
  public mutating func part(_ path: FilePath) -> Part? {
    guard let name = path.lastComponent else { return .folder }
    if (try? FileSystem.real.kind(of: path, following: true)) == .folder { return .folder }
    if name.isSidecar {
      return .sidecar(of: FilePath(bytes: name.bytes.dropLast(4)))
    }
    guard FolderRecords.mayBeMember(name) else { return nil }
    let parent = path.removingLastComponent()
    if folder?.path != parent { folder = (parent, try? FolderRecords(parent)) }
    guard let member = folder?.members?.membership(of: name),
      let original = member.original.lastComponent
    else { return nil }
    return member.role == .base ? .base(of: original) : .render(of: original)
  }
}

extension FilePath {
  /// Whether it has a sidecar's ending, in whatever case Apple's programs give it.
  fileprivate var isSidecar: Bool { `extension`?.lowercased() == "aae" }
}
