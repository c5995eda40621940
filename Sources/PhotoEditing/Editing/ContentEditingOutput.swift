import FoundationEssentials
import SafelightDarkroom
import SafelightFiles
import SafelightRendering
import SafelightStorage
import Synchronization

/// What an edit hands back: its adjustment data, and a JPEG of the result; of a Live Photo also its video.
///
/// Write the finished JPEG, upright, to ``renderedContentURL``, set ``adjustmentData``, and give
/// the output to ``PhotoEditor/commit(_:)``. ``ContentEditingInput`` shows how. A ``LivePhotoEditingContext``
/// writes the JPEG and the video of a Live Photo.
///
/// An output is a reference, as in PhotoKit: all who hold it see the same adjustment data.
public final class ContentEditingOutput: Sendable {
  private struct Values {
    var adjustmentData: AdjustmentData?
    var editorBundleIdentifier: String
    var hasLivePhoto = false
  }

  private let values: Mutex<Values>
  /// What the edit started from; `nil` for a photo that a change set creates.
  let input: ContentEditingInput?
  /// The identifier of the photo that a change set creates; `nil` for a photo that exists.
  package let createdPhoto: String?
  /// The photo that the output is for, by the path that its input was made with; `nil` for a photo that a
  /// change set creates.
  package var photo: Photo? { input?.photo }
  /// Where the files of the output are.
  let folder: RenderFolder

  /// The name of the render.
  static let renderName: FilePath = "render.jpg"
  /// The name of the video that belongs to the render.
  static let videoName: FilePath = "render.mov"

  /// The edit, under the editor's own format identifier. A commit without it is refused.
  public var adjustmentData: AdjustmentData? {
    get { values.withLock(\.adjustmentData) }
    set { values.withLock { $0.adjustmentData = newValue } }
  }
  /// The program that made the edit, in reverse DNS order; stored with it.
  public var editorBundleIdentifier: String {
    get { values.withLock(\.editorBundleIdentifier) }
    set { values.withLock { $0.editorBundleIdentifier = newValue } }
  }

  /// Prepares an output for an input.
  ///
  /// When no temporary folder can be made, ``renderedContentURL`` cannot be written, and the commit says so.
  /// - Parameters:
  ///   - input: What the edit started from.
  ///   - editorBundleIdentifier: The program that makes the edit, in reverse DNS order.
  public convenience init(
    contentEditingInput input: ContentEditingInput,
    editorBundleIdentifier: String = "org.safelight.edit"
  ) {
    self.init(input, createdPhoto: nil, editorBundleIdentifier)
  }

  /// Prepares an output for a photo that a change set creates.
  package convenience init(
    createdPhoto identifier: String, editorBundleIdentifier: String = "org.safelight.edit"
  ) {
    self.init(nil, createdPhoto: identifier, editorBundleIdentifier)
  }

  private init(
    _ input: ContentEditingInput?, createdPhoto: String?, _ editorBundleIdentifier: String
  ) {
    self.input = input
    self.createdPhoto = createdPhoto
    values = Mutex(Values(editorBundleIdentifier: editorBundleIdentifier))
    folder = RenderFolder()
  }

  /// Where the rendered JPEG goes: a file of its own in a temporary folder, which disappears with
  /// the last copy of the output.
  public var renderedContentURL: URL { renderedContentPath.fileURL }

  /// The path of ``renderedContentURL``.
  public var renderedContentPath: FilePath { folder.path.appending(Self.renderName) }

  /// The uniform type identifiers of the formats that a render may have: JPEG.
  public var supportedRenderedContentTypes: [String] { ["public.jpeg"] }

  /// The uniform type identifier of the format that a render usually has: JPEG.
  public var defaultRenderedContentType: String? { "public.jpeg" }

  /// Where the render goes; see ``renderedContentURL``.
  ///
  /// - Parameter contentType: One of ``supportedRenderedContentTypes``.
  /// - Throws: ``EditError/outputRefused(path:problem:)`` for another type.
  public func renderedContentURL(for contentType: String) throws(EditError) -> URL {
    guard supportedRenderedContentTypes.contains(contentType) else {
      throw refused(.unsupportedType(contentType))
    }
    return renderedContentURL
  }
}

extension ContentEditingOutput {
  /// Whether there are a still and a video of one Live Photo.
  var hasLivePhoto: Bool {
    get { values.withLock(\.hasLivePhoto) }
    set { values.withLock { $0.hasLivePhoto = newValue } }
  }

  /// Removes the render and the video.
  func dropLivePhoto() {
    hasLivePhoto = false
    guard let files = try? Folder(folder.path) else { return }
    for name in [Self.renderName, Self.videoName] { try? files.remove(name) }
  }
}

/// A temporary folder for renders, for this user alone, removed with its last owner.
final class RenderFolder: Sendable {
  let path: FilePath
  /// Whether the folder was made.
  let isMade: Bool

  init() {
    let parent = FilePath(ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp").absolute
    let name = FilePath("safelight-\(UInt64.random(in: 0...UInt64.max))")
    path = parent.appending(name)
    isMade = (try? Folder(parent).createFolder(name, mode: 0o700)) == true
  }

  deinit { if isMade { try? FileSystem.real.removeTree(path) } }
}

// MARK: - Committing an output

extension PhotoEditor {
  /// Makes an output the photo's edit, in one step: readers see the old edit or the new one.
  ///
  /// An edit that the editor could not handle goes into the record's history, and its render stays
  /// as the base photo that the new edit starts from.
  ///
  /// - Parameter output: Adjustment data, and a rendered JPEG at its URL.
  /// - Throws: ``EditError/outputRefused(path:problem:)`` when the output is not complete,
  ///   ``EditError/inputOutdated(_:)`` when the photo was changed meanwhile, or another
  ///   ``EditError``. Nothing changes then.
  @discardableResult
  public func commit(_ output: ContentEditingOutput) async throws(EditError) -> EditResult {
    guard let photo = output.photo else { throw output.refused(.noInput) }
    let (data, size, video) = try await working(on: photo.path) { _ in
      (
        try output.checkedData(), try output.checkedRender(through: fileSystem, configuration),
        try output.checkedVideo(through: fileSystem)
      )
    }
    return try await perform(on: photo, dryRun: false) { edit in
      try edit.planToCommit(output, data, size: size, video: video)
    }
  }
}

extension OpenEdit {
  /// A plan to make what another program rendered the photo's edit.
  func planToCommit(
    _ output: ContentEditingOutput, _ data: AdjustmentData, size: PixelSize, video: [UInt8]?
  ) throws -> EditPlan {
    guard let input = output.input else { throw output.refused(.noInput) }
    guard files.moment == input.moment else { throw EditError.inputOutdated(input.photo.path) }
    try files.checkOriginal()
    let name = output.editorBundleIdentifier
    return try planToCommit(
      NewEdit(
        data: data, start: input.start,
        render: .copied(
          CopiedRender(path: output.renderedContentPath, size: size, renderer: name)),
        video: video, editorBundleIdentifier: name))
  }
}

extension ContentEditingOutput {
  fileprivate func refused(_ problem: EditError.OutputProblem) -> EditError {
    .outputRefused(path: photo?.path ?? renderedContentPath, problem: problem)
  }

  /// The adjustment data, which must be complete.
  fileprivate func checkedData() throws(EditError) -> AdjustmentData {
    guard let data = adjustmentData, !data.data.isEmpty else { throw refused(.noAdjustmentData) }
    guard data.data.count <= AdjustmentData.maximumSize else {
      throw refused(.adjustmentDataTooLarge(data.data.count))
    }
    guard !data.formatIdentifier.isEmpty, !data.formatVersion.isEmpty else {
      throw refused(.noFormat)
    }
    return data
  }

  /// The bytes of the video, which must be that of the photo with other frames; `nil` when there is none.
  fileprivate func checkedVideo(through fileSystem: FileSystem) throws(EditError) -> [UInt8]? {
    guard hasLivePhoto, let input else { return nil }
    let path = folder.path.appending(Self.videoName)
    guard let original = PhotoVideo(of: input.photo.path.placeOfPhoto, fileSystem) else {
      throw refused(.badVideo("the photo has none"))
    }
    guard let video = PhotoVideo(inFileAt: path, fileSystem) else {
      throw refused(.badVideo("it is no movie that can be read"))
    }
    guard video.contentIdentifier == original.contentIdentifier else {
      throw refused(.badVideo("it belongs to another photo"))
    }
    do {
      return try video.bytes(fileSystem)
    } catch {
      throw refused(.badVideo((error as? VideoFailure)?.description ?? "it cannot be read"))
    }
  }

  /// Width and height of the render, which must be an upright JPEG.
  fileprivate func checkedRender(
    through fileSystem: FileSystem, _ configuration: PhotoEditor.Configuration
  ) throws(EditError) -> PixelSize {
    let path = renderedContentPath
    guard folder.isMade else { throw refused(.noTemporaryFolder) }
    guard let file = try? fileSystem.openForReading(path) else { throw refused(.noRender) }
    do {
      let size = try configuration.darkroom.checkRender(
        PhotoSource(file, name: path.string, pixelLimit: configuration.pixelLimit))
      return PixelSize(width: size.width, height: size.height)
    } catch {
      throw refused(error == .empty ? .noRender : .badRender(error))
    }
  }
}
