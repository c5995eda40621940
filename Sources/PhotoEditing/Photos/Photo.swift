import FoundationEssentials
import SafelightFiles
import SafelightRendering
import SafelightStorage

/// One photo: the original, which is never changed, and the files of its edit beside it.
///
/// ```swift
/// let photo = Photo(path: "holiday/beach.jpg")
/// try await PhotoEditor().apply(Filter.named("noir").applied(), to: photo)
/// ```
///
/// A photo is only a path; nothing is read before an editor works on it. See <doc:FilesOnDisk> for
/// the files beside it.
public struct Photo: Sendable, Hashable, Identifiable {
  /// The original's path. A symbolic link stands for the file it leads to, unless the files of its edit are beside the
  /// link or it leads into a hidden folder.
  public let path: FilePath

  /// The same as ``path``.
  public var id: FilePath { path }

  /// The photo whose original is at a path. The file need not exist yet.
  public init(path: FilePath) {
    self.path = path
  }

  /// The photo whose original a file URL names; `nil` for other URLs.
  public init?(fileURL: URL) {
    guard let path = FilePath(fileURL: fileURL) else { return nil }
    self.init(path: path)
  }
}

/// One file of a photo, in PhotoKit's terms.
///
/// ```swift
/// let resources = try await editor.state(of: photo).resources
/// let render = resources.first { $0.type == .fullSizePhoto }?.path
/// ```
public struct AssetResource: Sendable, Hashable {
  /// What a file is to its photo.
  public enum ResourceType: String, Sendable, Hashable, CaseIterable, Codable {
    /// The original.
    case photo
    /// The video that was taken with it: a file beside it, or a part of its file.
    case pairedVideo
    /// The rendered JPEG of the current edit.
    case fullSizePhoto
    /// The video of a Live Photo with the current edit.
    case fullSizePairedVideo
    /// The sidecar with the edit.
    case adjustmentData
    /// The pixels that the current edit starts from, when that is not the original.
    case adjustmentBasePhoto
    /// The rendered JPEG of a named version.
    case alternatePhoto
  }

  /// What the file is to its photo.
  public let type: ResourceType
  /// Where the file is.
  public let path: FilePath
  /// The uniform type identifier of its content, such as `public.jpeg`.
  public let contentType: String
  /// The identifier of the asset that the file belongs to; empty for a photo that is in no library.
  public let assetLocalIdentifier: String
  /// The bytes of the file that are the resource; `nil` when all are. Only the video of a motion photo is a part.
  public let byteRange: Range<Int64>?

  package init(
    type: ResourceType, path: FilePath, contentType: String, asset: String = "",
    byteRange: Range<Int64>? = nil
  ) {
    (self.type, self.path, self.contentType) = (type, path, contentType)
    (assetLocalIdentifier, self.byteRange) = (asset, byteRange)
  }

  /// The files that a photo has, the original first, without comparing them with the record.
  ///
  /// - Parameters:
  ///   - photo: The original's path.
  ///   - format: The original's format.
  ///   - asset: The photo's identifier in its library.
  /// - Throws: `StorageError` when the original is missing, or its sidecar cannot be read.
  package static func all(
    of photo: FilePath, _ format: PhotoFormat, asset: String
  ) throws(StorageError) -> [AssetResource] {
    let snapshot = try PhotoFiles(photo, fileSystem: .real).read(timeout: .seconds(5))
    return PhotoState.resources(
      snapshot, PhotoVideo(of: snapshot.original.path, .real), contentType: format.contentType,
      asset: asset)
  }

  /// PhotoKit's older name of ``contentType``.
  public var uniformTypeIdentifier: String { contentType }
  /// The file's name without its folder.
  public var originalFilename: String { (path.lastComponent ?? path).string }
  /// The file's URL.
  public var fileURL: URL { path.fileURL }
}

extension FilePath {
  /// The absolute path of the photo that the path leads to; the path itself when it leads nowhere.
  package var placeOfPhoto: FilePath { (try? FileSystem.real.photoPath(self)) ?? self }

  /// Whether the path leads to something that exists, symbolic links followed.
  package var leadsSomewhere: Bool { leadsToSameFile(as: self) }

  /// Whether both paths lead to the same existing file, symbolic links followed.
  package func leadsToSameFile(as other: FilePath) -> Bool {
    FileSystem.real.areSameFile(self, other)
  }
}

/// What is known of a photo: its original, its edit, and whether all is as the record says.
///
/// ```swift
/// let state = try await editor.state(of: photo)
/// if let edit = state.edit { print(edit.stack?.filters.map(\.name) ?? [], edit.date ?? "") }
/// for warning in state.warnings { print(warning) }
/// ```
public struct PhotoState: Sendable {
  /// What the original's header says.
  public let original: PhotoFacts
  /// The original's length in bytes.
  public let originalSize: Int64
  /// The edit; `nil` when the photo has none. After everything was undone it is one without adjustments, see
  /// ``isEdited``.
  public let edit: Edit?
  /// Whether the photo has an edit that is seen. A photo whose edit was undone to the original has none.
  public let isEdited: Bool
  /// The edits that were kept under a name, in the order in which they were saved.
  public let versions: [PhotoVersion]
  /// The video that was taken with the photo; `nil` when there is none.
  public let video: PhotoVideo?
  /// From when in the video the picture is that the edit starts from, in seconds; `nil` for the camera's still.
  public let keyPhotoTime: Double?
  /// The files of the photo that exist, the original first.
  public let resources: [AssetResource]
  /// What is not as the record says, for people.
  public let warnings: [String]

  /// What another photo program did to the photo and left beside it; `nil` when nothing is there.
  public let foreignEdit: ForeignEdit?
  /// What Google Photos knew of the photo; `nil` without a description beside it.
  public let foreignDescription: ForeignDescription?
  /// Whether the photo has an edit of Safelight's that a revert would drop. A revert never removes
  /// another program's sidecar.
  public let canRevert: Bool

  /// The edit as it acts on the original that is there now, for ``placeMapping``; `nil` when that is not known.
  let stackOnOriginal: EditStack?

  /// The current edit of a photo.
  public struct Edit: Sendable {
    /// The edit as it is stored.
    public let adjustmentData: AdjustmentData
    /// The edit read, when it is Safelight's own and can be read.
    public let stack: EditStack?
    /// The program that made it, by bundle identifier; `nil` when not recorded.
    public let editor: String?
    /// When it was made; `nil` when not recorded.
    public let date: Date?
    /// Which renderer made the render, with its settings; `nil` in another program's record.
    public let renderer: String?
    /// Width and height of the render in pixels; `nil` in another program's record.
    public let renderSize: PixelSize?
    /// Whether the render has everything that the original has of its part of the photo: a JPEG that was only turned,
    /// mirrored and cropped at the borders of its blocks.
    public let isLossless: Bool
    /// How many earlier edits the record keeps.
    public let historyCount: Int
    /// How many edits were undone and can be redone.
    public let redoCount: Int
  }
}

extension PhotoEditor {
  /// Inspects a photo and its edit without changing anything; a read-only folder will do.
  ///
  /// Compares the original and the render with the record, which takes as long as reading both
  /// once.
  ///
  /// - Throws: ``EditError`` when the photo is missing or no picture, or its sidecar is unusable.
  public func state(of photo: Photo) async throws(EditError) -> PhotoState {
    try await working(on: photo.path) { cancellation in
      try reading(photo, cancellation) { snapshot in
        let edit = open(snapshot)
        return try PhotoState(snapshot, edit.originalFacts(), owner: edit.owner())
      }
    }
  }
}

extension PhotoState {
  fileprivate init(_ snapshot: PhotoSnapshot, _ facts: PhotoFacts, owner: String?) throws {
    original = facts
    originalSize = snapshot.original.status.size
    let video = PhotoVideo(of: snapshot.original.path, snapshot.original.fileSystem)
    self.video = video
    keyPhotoTime = snapshot.keyPhotoTime
    resources = Self.resources(snapshot, video, contentType: facts.format.contentType)
    versions = PhotoVersion.all(of: snapshot.record, path: snapshot.path(of:))
    canRevert = snapshot.record?.isForeign == false
    foreignEdit = ForeignEdit(around: snapshot)
    foreignDescription = ForeignDescription(
      of: snapshot.original.path, snapshot.original.fileSystem)
    isEdited = snapshot.record?.showsOriginal == false
    guard let record = snapshot.record else {
      edit = nil
      stackOnOriginal = EditStack()
      warnings = owner.map { ["It is a render of \($0)."] } ?? []
      return
    }
    let data = record.adjustmentData
    var warnings: [String] = []
    var stack: EditStack?
    if EditStack.canHandle(data) {
      do {
        stack = try EditStack(data)
      } catch {
        warnings.append(error.description)
      }
    }
    for unknown in stack?.unknownEntries ?? [] {
      warnings.append("\(unknown.id) version \(unknown.version) needs a newer Safelight.")
    }
    stackOnOriginal = try Self.stackOnOriginal(snapshot, record, stack)
    edit = Edit(
      adjustmentData: data, stack: stack, editor: record.editorBundleID, date: record.timestamp,
      renderer: record.render?.renderer,
      renderSize: record.render?.size, isLossless: record.render?.isLossless == true,
      historyCount: record.history.count, redoCount: record.redo.count)
    self.warnings = try warnings + Self.differences(snapshot, record)
  }

  private static func stackOnOriginal(
    _ snapshot: PhotoSnapshot, _ record: Record, _ stack: EditStack?
  ) throws -> EditStack? {
    guard record.base == nil, let stack else { return nil }
    let likeness = try snapshot.originalLikeness()
    switch likeness {
    case .same, .samePicture: return stack
    case .turned:
      let turned = TurnedEdits(record, likeness)?.record.adjustmentData
      return try turned.map { try EditStack($0) }
    // The picture that has the name now is not edited.
    case .different: return record.showsOriginal ? stack : nil
    }
  }

  fileprivate static func resources(
    _ snapshot: PhotoSnapshot, _ video: PhotoVideo?, contentType: String, asset: String = ""
  ) -> [AssetResource] {
    let roles = [.original, .sidecar] + (snapshot.record?.namedFiles.map(\.role) ?? [])
    var resources = roles.compactMap { role -> AssetResource? in
      guard let path = snapshot.path(of: role),
        let type = role.kind.resource.flatMap(AssetResource.ResourceType.init)
      else { return nil }
      // An MP4 stays one with the edit, whatever its name ends in.
      let video =
        role == .video ? PhotoVideo(inFileAt: path, snapshot.original.fileSystem) : nil
      return AssetResource(
        type: type, path: path,
        contentType: video?.contentType ?? role.kind.contentType ?? contentType, asset: asset)
    }
    if let video {
      resources.insert(video.resource(asset: asset), at: min(1, resources.count))
    }
    return resources
  }

  /// What the files differ in from the record.
  private static func differences(_ snapshot: PhotoSnapshot, _ record: Record) throws -> [String] {
    var warnings: [String] = []
    func note(_ check: () throws(StorageError) -> Void) throws {
      do {
        try check()
      } catch StorageError.originalChanged(let path) {
        warnings.append(StorageError.originalChanged(path).description)
      } catch StorageError.renderChanged(let path) {
        warnings.append(StorageError.renderChanged(path).description)
      } catch StorageError.baseChanged(let path) {
        warnings.append(StorageError.baseChanged(path).description)
      }
    }
    try note { () throws(StorageError) in
      if let note = try snapshot.originalNote() { warnings.append(note.description) }
    }
    for file in record.files {
      try note { () throws(StorageError) in try snapshot.check(file) }
    }
    for role in record.files.map(\.role) {
      guard let render = snapshot.unsyncedRender(of: role) else { continue }
      warnings.append(PhotoProblem(render.content, at: render.path).description)
    }
    if record.render == nil, let left = snapshot.unsyncedRender(of: .render) {
      let problem =
        left.content == .earlierEdit
        ? PhotoProblem(.earlierRender(of: snapshot.original.path), left.path)
        : PhotoProblem(left.content, at: left.path)
      warnings.append(problem.description)
    }
    func isMissing(_ role: FileRole) -> Bool {
      snapshot.path(of: role) == nil && snapshot.unsyncedRender(of: role) == nil
    }
    func name(_ role: FileRole, _ recorded: RecordedFile) -> FilePath {
      record.files.first { $0.role == role }.flatMap { snapshot.finalPath(of: $0).lastComponent }
        ?? recorded.name
    }
    for named in record.namedFiles where isMissing(named.role) {
      let name = name(named.role, named.file)
      warnings.append(
        !named.role.isRendered
          ? "The base photo \(name), which the edit starts from, is not there; edits wait for it."
          : named.role.name == nil
            ? "The render \(name) is missing; apply the edit again."
            : "The render \(name) of a version is missing.")
    }
    if record.isForeign, !AppleEdit.isApples(record.adjustmentData) {
      warnings.append("The sidecar is another program's; its edit is kept and not shown.")
    }
    if snapshot.needsRecovery {
      warnings.append("A change was interrupted; the next edit or revert finishes it.")
    }
    return warnings
  }
}
