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
/// sidecar beside them names, pictures that Apple Photos or Google Photos rendered of a photo beside them, pictures that say that Safelight made them and have no edit of their own, and what the
/// rules leave out.
public struct PhotoFolder: Sendable {
  /// The photos, sorted by the bytes of their names.
  public let photos: [FilePath]
  /// The folders in it, sorted likewise. ``inner(_:)`` looks into one.
  public let folders: [FilePath]
  /// How many renders, base photos and sidecars were left out, other programs' renders and sidecars among them.
  public let leftOut: Int
  /// How many pictures were left out that Safelight made from photos and that have no edit, such as exports.
  public let exports: Int
  /// How many files and folders the rules left out.
  public let excluded: Int
  /// How many files are pictures that Safelight does not edit, by their kinds, such as “JPEG XL”;
  /// among them files with a photo's ending that are empty or no picture.
  package let unsupported: [String: Int]

  private let walked: WalkedFolder
  private let fileSystem: FileSystem

  /// Scans a folder.
  ///
  /// - Parameters:
  ///   - path: The folder; empty for the current one.
  ///   - rules: What is left out of it and of the folders in it.
  /// - Throws: ``EditError`` when the folder cannot be listed, or the rules in it cannot be read.
  public init(_ path: FilePath, rules: FolderRules = .standard) throws(EditError) {
    try self.init(path, rules: rules, fileSystem: .real)
  }

  init(
    _ path: FilePath, rules: FolderRules = .standard, fileSystem: FileSystem
  ) throws(EditError) {
    let walked: WalkedFolder
    do {
      walked = try WalkedFolder(path, rules, fileSystem)
    } catch {
      throw .storage(.fileSystem(error))
    }
    try self.init(walked, fileSystem)
  }

  /// Scans a folder by the rules of a walk that began above it. A folder that they leave out is scanned as if the walk
  /// began there.
  package init(_ path: FilePath, from root: FilePath, rules: FolderRules) throws(EditError) {
    let walked: WalkedFolder
    do {
      let inside = try WalkedFolder(root, rules).folder(at: path)
      if let inside { walked = inside } else { walked = try WalkedFolder(path, rules) }
    } catch {
      throw .storage(.fileSystem(error))
    }
    try self.init(walked, .real)
  }

  /// Scans one of the ``folders``, by the same rules.
  ///
  /// - Throws: As ``init(_:rules:)``.
  public func inner(_ folder: FilePath) throws(EditError) -> PhotoFolder {
    let inside: WalkedFolder?
    do {
      inside = try walked.folder(at: folder)
    } catch {
      throw .storage(.fileSystem(error))
    }
    guard let inside else { throw .storage(.originalMissing(folder)) }
    return try PhotoFolder(inside, fileSystem)
  }

  private init(_ walked: WalkedFolder, _ fileSystem: FileSystem) throws(EditError) {
    let path = walked.path
    do {
      let members = try FolderRecords(path, fileSystem: fileSystem)
      var photos: [FilePath] = []
      var folders: [FilePath] = []
      var (leftOut, exports, excluded) = (0, 0, 0)
      var unsupported: [String: Int] = [:]
      for name in members.names.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
        if name.isHidden { continue }
        let file = path.appending(name)
        let kind = try fileSystem.kind(of: file)
        if walked.isExcluded(name, isFolder: kind == .folder) {
          excluded += 1
          continue
        }
        switch kind {
        case .folder: folders.append(file)
        case .file:
          if name.isSidecar || members.membership(of: name) != nil
            || members.companions.original(ofRender: name) != nil
            || members.companions.isDescription(name)
          {
            leftOut += 1
          } else {
            switch Self.kind(of: file, fileSystem) {
            case .photo: photos.append(file)
            case .export: exports += 1
            case .unsupported(let kind): unsupported[kind, default: 0] += 1
            case .somethingElse: break
            }
          }
        case .symbolicLink, .other, nil: break
        }
      }
      (self.photos, self.folders, self.leftOut) = (photos, folders, leftOut)
      (self.exports, self.excluded, self.unsupported) = (exports, excluded, unsupported)
      (self.walked, self.fileSystem) = (walked, fileSystem)
    } catch {
      throw EditError(error, path: path)
    }
  }

  private enum Kind {
    case photo
    case export
    case unsupported(String)
    case somethingElse
  }

  /// What a file is by its content. A file that cannot be read is a photo by its ending, so that its
  /// error is reported.
  private static func kind(of path: FilePath, _ fileSystem: FileSystem) -> Kind {
    if let header = try? PhotoBytes(recognizing: path, fileSystem) {
      switch PhotoFormat.Recognition(header) {
      case .photo:
        // What has an edit of its own is a photo, whatever it was made from.
        let isEdited = (try? fileSystem.exists(path.recordPath)) == true
        return !isEdited && isExport(path, fileSystem) ? .export : .photo
      case .unsupported(let kind): return .unsupported(kind)
      case .nothing where PhotoFormat.isNamed(by: path):
        return .unsupported(header.isEmpty ? "empty" : "no picture")
      case .nothing: return .somethingElse
      }
    }
    return PhotoFormat.isNamed(by: path) ? .photo : .somethingElse
  }

  /// Whether a picture says itself that Safelight made it from a photo, as exports and renders do.
  package static func isExport(_ path: FilePath, _ fileSystem: FileSystem = .real) -> Bool {
    guard let file = try? fileSystem.openReadOnly(path) else { return false }
    let source = PhotoSource(file, name: path.lastComponent?.string ?? "")
    return ((try? OpenedPhoto.derivedFrom(source)) ?? nil) != nil
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
    let mayBeMember = FolderRecords.mayBeMember(name)
    guard mayBeMember || CompanionNames.mayBeRender(name) else { return nil }
    let parent = path.removingLastComponent()
    if folder?.path != parent { folder = (parent, try? FolderRecords(parent)) }
    guard mayBeMember, let member = folder?.members?.membership(of: name),
      let original = member.original.lastComponent
    else {
      return (folder?.members?.companions.original(ofRender: name)).map { .render(of: $0) }
    }
    return member.role.isRendered ? .render(of: original) : .base(of: original)
  }
}

extension FilePath {
  /// Whether it has a sidecar's ending, in whatever case Apple's programs give it.
  fileprivate var isSidecar: Bool { `extension`?.lowercased() == "aae" }
}
