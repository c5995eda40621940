import Glibc
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// Makes pictures of photos for the screen, on whatever threads it is called from.
///
/// Photos without an edit are not locked: their originals never change under a reader. An edited
/// photo is locked for as long as its record takes to be read, and not while pixels are made.
package struct DisplaySource: Sendable {
  let editor = PhotoEditor()
  /// How long to wait for a change of a photo that is under way.
  private static let lockTimeout = Duration.seconds(5)

  /// Nothing is opened yet.
  package init() {}

  /// Makes a picture.
  ///
  /// An edited photo's is made from its render where the file is as long as the record says, which
  /// costs no reading, and otherwise from the pixels and with the adjustments that the render was
  /// made of.
  /// - Parameters:
  ///   - stamp: What the photo's files were just now.
  ///   - showsEdit: Whether it is shown with its edit, otherwise as it was taken.
  ///   - fit: How large it is shown.
  ///   - cancellation: Ends the work early.
  /// - Throws: ``EditError``.
  package func image(
    of stamp: PhotoStamp, showsEdit: Bool, fit: DisplayFit, cancellation: RenderCancellation? = nil
  ) throws(EditError) -> DisplayImage {
    do {
      return try withPixels(of: stamp, showsEdit: showsEdit) { source, edit in
        DisplayImage(
          try editor.renderer.displayPixels(of: source, edit: edit, cancellation: cancellation) {
            fit.layout(ofWidth: $0, height: $1)
          })
      }
    } catch {
      throw EditError(error, path: stamp.path)
    }
  }

  /// The small picture that the camera put into the photo, where it can stand for it: of the photo's
  /// own shape, upright, and the photo not edited.
  package func thumbnail(of stamp: PhotoStamp, showsEdit: Bool) -> DisplayImage? {
    guard !(showsEdit && stamp.mayBeEdited),
      let file = try? editor.fileSystem.openForReading(stamp.path)
    else { return nil }
    var facts = stat()
    guard fstat(file.descriptor, &facts) == 0,
      let found = EmbeddedThumbnail(
        HeaderBytes(descriptor: file.descriptor, size: Int(facts.st_size))),
      found.profile.map(DisplayProfile.isSRGB) ?? true,
      let image = found.bytes.withUnsafeBytes(DisplayImage.init(jpegBytes:))
    else { return nil }
    let shape = Double(image.width) / Double(image.height)
    let photo = Double(found.photoWidth) / Double(found.photoHeight)
    // Rounding to whole pixels changes the shape of 160 × 107 by half a percent. Bars above and below
    // change it by ten.
    return abs(shape / photo - 1) < 0.02 ? image : nil
  }

  /// Calls `body` with the pixels to show, open, and what is still to be done to them.
  func withPixels<Result>(
    of stamp: PhotoStamp, showsEdit: Bool, _ body: (PhotoSource, EditStack) throws -> Result
  ) throws -> Result {
    guard showsEdit, stamp.mayBeEdited else {
      let file = try open(stamp.path)
      return try body(source(file), EditStack())
    }
    let snapshot = try editor.files(of: Photo(path: stamp.path)).read(timeout: Self.lockTimeout)
    try Self.checkSize(snapshot)
    if let render = recordedRender(snapshot) { return try body(source(render), EditStack()) }
    let start = try StartingPoint(snapshot, canHandle: EditStack.canHandle)
    if start.start == .base { try snapshot.checkBase() }
    if start.start == .render { try snapshot.checkRender() }
    let edit =
      try start.adjustmentData.map { data throws(AdjustmentError) in try EditStack(data) }
      ?? EditStack()
    var result: Result?
    try editor.withSource(of: start, snapshot.original) { result = try body($0, edit) }
    guard let result else { throw EditError.renderMissing(stamp.path) }
    return result
  }

  /// Throws when the original is no longer the photo that was edited, as its length tells.
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
      let file = try? editor.fileSystem.openForReading(path)
    else { return nil }
    var facts = stat()
    guard fstat(file.descriptor, &facts) == 0, Int64(facts.st_size) == recorded.file.size else {
      return nil
    }
    return file
  }

  private func open(_ path: FilePath) throws(StorageError) -> OpenFile {
    do {
      return try editor.fileSystem.openForReading(path)
    } catch StorageError.fileSystem(let error) {
      switch error.errno {
      case ENOENT, ENOTDIR: throw .originalMissing(path)
      default: throw .originalUnreadable(error)
      }
    }
  }

  private func source(_ file: OpenFile) -> PhotoSource {
    editor.source(descriptor: file.descriptor, name: file.path.lastComponent ?? file.path)
  }
}
