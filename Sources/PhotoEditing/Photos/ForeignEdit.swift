import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightMetadata
import SafelightStorage

/// What another photo program did to a photo, by the files that it left beside it: Apple's sidecar and edited picture, or
/// Google's edited picture.
///
/// ```swift
/// if let edit = try await editor.state(of: photo).foreignEdit { print(edit.description) }
/// // edited in Apple Photos: crop, Noir
/// ```
///
/// The files are only read. ``EditOperation/adopt(_:)`` makes the edit one of Safelight's.
public struct ForeignEdit: Sendable, Hashable {
  /// A program that leaves its edits beside photos.
  public enum Program: String, Sendable, Hashable {
    /// Apple's Photos, or the camera of an iPhone.
    case applePhotos = "apple-photos"
    /// Google Photos, by Takeout.
    case googlePhotos = "google-photos"

    /// The program's name for people.
    public var title: String { self == .applePhotos ? "Apple Photos" : "Google Photos" }
  }

  /// The program.
  public let program: Program
  /// Apple's sidecar; `nil` when there is only a picture, and where Safelight's record keeps the sidecar's bytes.
  public let sidecar: FilePath?
  /// The picture that the program rendered; `nil` when it is not beside the photo.
  public let render: FilePath?
  /// What Apple's sidecar says; `nil` without one.
  public let appleEdit: AppleEdit?

  /// What was done, for people: `edited in Apple Photos: crop, Noir`.
  public var description: String {
    let what = appleEdit.map { ": " + $0.summary } ?? ""
    return "edited in \(program.title)\(what)"
  }
}

extension ForeignEdit {
  /// Whether the other program shows the photo otherwise than it was taken.
  var isSeen: Bool {
    render != nil || appleEdit.map { !$0.isUnderstood || !$0.enabled.isEmpty } == true
  }

  /// Looks for what other programs left beside a photo. The folder is not listed.
  ///
  /// - Returns: `nil` when there is nothing.
  init?(around snapshot: PhotoSnapshot) {
    let path = snapshot.original.path
    let own = Set((snapshot.record?.namedFiles ?? []).map(\.file.name))
    self.init(
      around: path, besides: own, record: snapshot.record, recordPath: snapshot.recordPath,
      snapshot.original.fileSystem)
  }

  /// - Parameters:
  ///   - own: The names of the files of Safelight's own edit.
  ///   - record: What the sidecar at `recordPath` says, from any program.
  private init?(
    around photo: FilePath, besides own: Set<FilePath>, record: Record?, recordPath: FilePath,
    _ fileSystem: FileSystem
  ) {
    guard let name = photo.lastComponent else { return nil }
    let folder = photo.removingLastComponent()
    let found = CompanionNames(in: folder, fileSystem).companions(of: name, besides: own)
    let sidecars = [found.sidecar, found.originalSidecar].compactMap(\.self).map(folder.appending)
    let read = sidecars.lazy.compactMap { path in
      AppleEdit(sidecarAt: path, fileSystem).map { (path, $0) }
    }.first
    render = found.render.map(folder.appending)
    if let read {
      (sidecar, appleEdit) = read
    } else if let record, record.isForeign, AppleEdit.isApples(record.adjustmentData) {
      sidecar = recordPath
      appleEdit = AppleEdit(
        record.adjustmentData, editor: record.editorBundleID, timestamp: record.timestamp)
    } else if let bytes = record?.replacedSidecar, let edit = try? AppleEdit(sidecar: Array(bytes)),
      AppleEdit.isApples(edit.data)
    {
      (sidecar, appleEdit) = (nil, edit)
    } else {
      (sidecar, appleEdit) = (nil, nil)
    }
    guard appleEdit != nil || render != nil else { return nil }
    program = appleEdit == nil && found.maker == .google ? .googlePhotos : .applePhotos
  }
}

extension AppleEdit {
  /// Reads the file that has the name of a sidecar of Apple's; `nil` for what is none, and for Safelight's own records.
  init?(sidecarAt path: FilePath, _ fileSystem: FileSystem) {
    guard let bytes = try? fileSystem.contents(of: path, limit: Self.maximumSize),
      let edit = try? AppleEdit(sidecar: bytes), !EditStack.canHandle(edit.data)
    else { return nil }
    self = edit
  }

  /// Whether adjustment data are in a format of Apple's.
  static func isApples(_ data: AdjustmentData) -> Bool {
    data.formatIdentifier.hasPrefix("com.apple.")
  }
}

extension LockedFiles {
  func foreignEdit() -> ForeignEdit? { ForeignEdit(around: snapshot) }

  /// The name of the photo that a file is another program's render of; `nil` for a photo of its own.
  func foreignOwner(of name: FilePath) -> String? {
    guard CompanionNames.mayBeRender(name) else { return nil }
    return CompanionNames(in: originalPath.removingLastComponent(), fileSystem)
      .original(ofRender: name)?.description
  }
}

/// What Google Photos knew of a photo, by the description that Takeout left beside it.
///
/// The library takes it where the photo's own metadata say nothing; the photo itself stays as it is.
public struct ForeignDescription: Sendable, Hashable {
  /// The description.
  public let file: FilePath
  /// When the photo was taken; `nil` when not recorded.
  public let creationDate: Date?
  /// Degrees north of the equator; `nil` when not recorded.
  public let latitude: Double?
  /// Degrees east of Greenwich; `nil` when not recorded.
  public let longitude: Double?
  /// What the user wrote about it; `nil` for nothing.
  public let caption: String?
  /// Whether it was a favorite.
  public let isFavorite: Bool

  /// Looks for the description of a photo. The folder is not listed.
  init?(of photo: FilePath, _ fileSystem: FileSystem) {
    let folder = photo.removingLastComponent()
    guard let name = photo.lastComponent,
      let found = CompanionNames(in: folder, fileSystem).companions(of: name).description,
      let read = TakeoutDescription(at: folder.appending(found), fileSystem)
    else { return nil }
    file = folder.appending(found)
    (creationDate, caption, isFavorite) = (read.creationDate, read.caption, read.isFavorite)
    (latitude, longitude) = (read.latitude, read.longitude)
  }
}
