import FoundationEssentials
import Glibc
import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// Makes pictures of photos for the screen, on the thread of the caller.
///
/// Photos without an edit are not locked: their originals never change under a reader. An edited
/// photo is locked for as long as its record takes to be read, and not while pixels are made.
package struct DisplaySource: Sendable {
  private let editor: PhotoEditor
  /// The longest that a picture may take. A program that shows pictures does not wait for ever.
  private static let timeLimit = Duration.seconds(60)
  /// How long to wait for a change of a photo that is under way.
  private static let lockTimeout = Duration.seconds(5)

  /// Nothing is opened yet.
  package init() {
    var configuration = PhotoEditor.Configuration()
    configuration.darkroom.timeLimit = Self.timeLimit
    editor = PhotoEditor(configuration)
  }

  /// Makes a picture.
  ///
  /// The picture of an edited photo is made from its render when that file is as long as the record
  /// says. Otherwise it is made from the pixels that the edit starts from.
  /// - Parameters:
  ///   - stamp: What the photo's files were just now.
  ///   - showsEdit: Whether it is shown with its edit, otherwise as it was taken.
  ///   - fit: How large it is shown.
  ///   - cancellation: Ends the work early.
  /// - Throws: ``EditError``.
  package func image(
    of stamp: PhotoStamp, showsEdit: Bool, fit: DisplayFit, cancellation: RenderCancellation? = nil
  ) throws(EditError) -> DisplayImage {
    try showing(stamp, showsEdit: showsEdit) { pixels, edit in
      DisplayImage(
        try editor.darkroom.displayPixels(
          of: pixels.source, edit: edit, cancellation: cancellation
        ) {
          fit.layout(of: $0)
        })
    }
  }

  /// The thumbnail that the camera put into the photo; `nil` when it does not have the photo's
  /// shape, is not upright, or when an edit is to be shown.
  package func thumbnail(of stamp: PhotoStamp, showsEdit: Bool) -> DisplayImage? {
    guard !(showsEdit && stamp.mayBeEdited),
      let file = try? editor.fileSystem.openForReading(stamp.path),
      let size = try? editor.fileSystem.status(of: file).size,
      let found = EmbeddedThumbnail(HeaderBytes(file, size: Int(size))),
      found.profile.map(DisplayProfile.isSRGB) ?? true,
      let image = (try? editor.darkroom.thumbnail(jpeg: found.bytes)).flatMap({ $0 })
        .map(DisplayImage.init)
    else { return nil }
    let shape = Double(image.width) / Double(image.height)
    let photo = Double(found.photoWidth) / Double(found.photoHeight)
    // Rounding to whole pixels changes the shape of 160 × 107 by half a percent. Bars above and below
    // change it by ten.
    return abs(shape / photo - 1) < 0.02 ? image : nil
  }

  /// A photo's file, whole.
  package struct FileContent: Sendable {
    package let bytes: Data
    /// The uniform type identifier, such as `public.jpeg`.
    package let contentType: String
    /// The EXIF orientation, 1 to 8, that the pixels still need.
    package let orientation: Int
  }

  /// The bytes of a photo's render, or of its original when the photo has no edit or is shown
  /// without it.
  ///
  /// A render that is missing or of another length than recorded is made anew, in memory.
  /// - Throws: ``EditError``.
  package func content(
    of stamp: PhotoStamp, showsEdit: Bool, cancellation: RenderCancellation? = nil
  ) throws(EditError) -> FileContent {
    try showing(stamp, showsEdit: showsEdit) { pixels, edit in
      let photo = try pixels.header()
      if edit.isEmpty {
        return FileContent(
          bytes: Data(try editor.fileSystem.contents(of: pixels.source.file, limit: .max)),
          contentType: photo.facts.format.contentType, orientation: photo.facts.orientation)
      }
      var bytes = Data()
      _ = try editor.darkroom.render(
        pixels.source, edit: edit, as: .standard,
        derivedFrom: OriginalReference(fileName: pixels.source.name, sha256: ""),
        cancellation: cancellation
      ) { bytes.append(contentsOf: $0) }
      return FileContent(bytes: bytes, contentType: "public.jpeg", orientation: 1)
    }
  }

  /// Calls `body` with the pixels to show and the edit that they still need.
  private func showing<Result>(
    _ stamp: PhotoStamp, showsEdit: Bool, _ body: (OpenPixels, EditStack) throws -> Result
  ) throws(EditError) -> Result {
    do {
      guard showsEdit, stamp.mayBeEdited else {
        return try body(pixels(try openOriginal(stamp.path)), EditStack())
      }
      let snapshot = try editor.files(of: Photo(path: stamp.path)).read(timeout: Self.lockTimeout)
      return try editor.open(snapshot).followingOriginal { edit in
        // The render of a photo that was turned is not turned yet.
        if edit.files.turnedEdits == nil {
          try Self.checkSize(snapshot)
          if let render = recordedRender(snapshot) {
            return try body(pixels(render), EditStack())
          }
        }
        try edit.checkStartWithoutOriginal()
        return try body(edit.pixels(of: edit.start()), edit.stack())
      }
    } catch {
      throw EditError(error, path: stamp.path)
    }
  }

  /// Throws when the original is not as long as the record says.
  private static func checkSize(_ snapshot: PhotoSnapshot) throws(StorageError) {
    guard let recorded = snapshot.record?.original,
      recorded.size != snapshot.original.status.size
    else { return }
    // Reads the file, to find which of two errors it is.
    try snapshot.checkOriginal()
  }

  /// The photo's render, open, when it is as long as its record says.
  private func recordedRender(_ snapshot: PhotoSnapshot) -> OpenFile? {
    guard let recorded = snapshot.record?.render, let path = snapshot.render,
      let file = try? editor.fileSystem.openForReading(path),
      let size = try? editor.fileSystem.status(of: file).size, size == recorded.file.size
    else { return nil }
    return file
  }

  private func openOriginal(_ path: FilePath) throws(StorageError) -> OpenFile {
    let (file, status): (OpenFile, FileStatus)
    do {
      file = try editor.fileSystem.openForReading(path)
      status = try editor.fileSystem.status(of: file)
    } catch {
      switch error.errno {
      case ENOENT, ENOTDIR: throw .originalMissing(path)
      default: throw .originalUnreadable(error)
      }
    }
    guard status.kind == .file else { throw .originalNotAFile(path) }
    return file
  }

  private func pixels(_ file: OpenFile) -> OpenPixels {
    OpenPixels(
      editor.configuration.source(file, name: file.path.lastComponent ?? file.path),
      in: editor.darkroom)
  }
}
