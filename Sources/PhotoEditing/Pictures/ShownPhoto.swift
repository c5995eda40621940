import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// A photo with its present edit, checked and locked for reading, of which pictures are made.
struct ShownPhoto {
  let snapshot: PhotoSnapshot
  /// The edit; empty where there is none or another program's, which is in the pixels then.
  let edit: EditStack
  private let start: StartingPoint
  private let editor: PhotoEditor

  init(_ snapshot: PhotoSnapshot, _ editor: PhotoEditor) throws {
    self.snapshot = snapshot
    self.editor = editor
    try snapshot.checkOriginal()
    start = try StartingPoint(snapshot, canHandle: EditStack.canHandle)
    if start.start == .render { try snapshot.checkRender() }
    if start.start == .base { try snapshot.checkBase() }
    edit =
      try start.adjustmentData.map { data throws(AdjustmentError) in try EditStack(data) }
      ?? EditStack()
  }

  /// Whether the photo differs from its original.
  var isEdited: Bool { !edit.isEmpty || start.start != .original }

  /// The format of another program's edit, such as `com.example.a`, where the pixels are its render.
  var foreignFormat: String? {
    start.start == .render ? snapshot.record?.adjustmentData.formatIdentifier : nil
  }

  /// The original.
  var original: PhotoSource { editor.source(snapshot.original) }

  /// Calls `body` with the pixels that the edit starts from, open.
  func withSource<Result>(_ body: (PhotoSource) throws -> Result) throws -> Result {
    var result: Result?
    try editor.withSource(of: start, snapshot.original) { result = try body($0) }
    guard let result else { throw EditError.renderMissing(snapshot.original.path) }
    return result
  }

  /// Writes a picture of the photo to a file that belongs to no photo.
  ///
  /// - Parameter make: Makes the picture and puts its bytes into the closure it gets.
  func write(
    to path: FilePath, replacing: Bool,
    _ make: (OriginalReference, @escaping (UnsafeRawBufferPointer) throws -> Void) throws ->
      Renderer.Report
  ) throws -> EditResult {
    let reference = OriginalReference(
      fileName: snapshot.original.name.string, sha256: try snapshot.original.digest().description)
    var report: Renderer.Report?
    let isWritten = try editor.fileSystem.writeWhole(path, replacing: replacing) { sink in
      report = try make(reference) { try sink.write($0) }
    }
    guard isWritten, let report else { throw EditError.destinationTaken(path, .exists) }
    return EditResult(
      status: .rendered, rendered: path, record: nil, warnings: report.warnings.map(\.description))
  }
}

extension PhotoEditor {
  /// Works on a photo with its present edit, which stays as it is.
  func showing<Result>(
    _ asset: Photo, _ body: (ShownPhoto, RenderCancellation) throws -> Result
  ) async throws(EditError) -> Result {
    try await working(on: asset.path) { cancellation in
      try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
        try body(ShownPhoto(snapshot, self), cancellation)
      }
    }
  }

  /// Writes a picture of a photo to a file of its own, or only says that it would.
  func exportPicture(
    of asset: Photo, to path: FilePath, replacing: Bool, dryRun: Bool,
    _ make: (ShownPhoto, PictureTarget) throws -> Renderer.Report
  ) async throws(EditError) -> EditResult {
    try await showing(asset) { photo, cancellation in
      try checkDestination(path, photo.snapshot, replacing: replacing)
      guard !dryRun else {
        _ = try renderer.facts(of: photo.original)
        return EditResult(status: .rendered, rendered: path, record: nil, warnings: [])
      }
      return try photo.write(to: path, replacing: replacing) { original, sink in
        try make(
          photo, PictureTarget(original: original, cancellation: cancellation, sink: sink))
      }
    }
  }
}

/// Where the renderer puts a picture, and what it says there.
struct PictureTarget {
  let original: OriginalReference
  let cancellation: RenderCancellation
  let sink: (UnsafeRawBufferPointer) throws -> Void
}
