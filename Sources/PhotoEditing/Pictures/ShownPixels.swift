import FoundationEssentials
import Glibc
import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// What a picture of a photo is made from, as a value: pixels, with the edit that they still need.
struct ShownState: Sendable {
  /// Which pixels they are.
  let start: EditStart
  /// What is still to be done to the pixels.
  let needed: EditStack
  /// The edit that is then seen; `nil` when Safelight cannot read it.
  var edit: EditStack?
  /// The values that were chosen from what is in the photo; `nil` when nothing asked for them.
  var automatic: AutomaticAdjustments?
}

/// The same with the pixels open.
package struct ShownPixels: Sendable {
  let source: PhotoSource
  /// What is still to be done to the pixels.
  let needed: EditStack
  /// The edit that is then seen; `nil` when Safelight cannot read it.
  let edit: EditStack?
  /// The values that were chosen from what is in the photo; `nil` when nothing asked for them.
  let automatic: AutomaticAdjustments?
  /// What the metadata of a file call the original.
  let name: String

  init(
    _ source: PhotoSource, needing needed: EditStack, showing edit: EditStack? = nil,
    automatic: AutomaticAdjustments? = nil, name: String? = nil
  ) {
    (self.source, self.needed, self.edit, self.automatic) = (source, needed, edit, automatic)
    self.name = name ?? source.name
  }
}

extension PhotoDarkroom {
  /// Makes a picture, on the thread of the caller.
  func picture(
    _ request: PictureRequest, of shown: ShownPixels, cancellation: RenderCancellation? = nil
  ) throws -> ShownPicture {
    func picture(
      _ content: ShownPicture.Content, _ size: PixelSize, of whole: PixelSize,
      _ histogram: PhotoHistogram? = nil, warnings: [String] = []
    ) -> ShownPicture {
      ShownPicture(
        content: content, size: size, fullSize: whole, edit: shown.edit,
        automatic: shown.automatic, histogram: histogram, warnings: warnings)
    }
    if case .file(let output) = request.look {
      var bytes: [UInt8] = []
      let report = try render(
        shown.source, edit: shown.needed, as: output,
        derivedFrom: OriginalReference(fileName: shown.name, sha256: ""),
        cancellation: cancellation
      ) { bytes.append(contentsOf: $0) }
      let size = PixelSize(width: report.pixelWidth, height: report.pixelHeight)
      return picture(.bytes(bytes), size, of: size, warnings: report.warnings.map(\.description))
    }
    var whole = PixelSize(width: 0, height: 0)
    let image = DisplayImage(
      try displayPixels(of: shown.source, edit: shown.needed, cancellation: cancellation) {
        whole = $0
        return request.fit.layout(of: $0)
      })
    return picture(
      try request.content(of: image), image.size, of: whole,
      request.isCounted ? PhotoHistogram(pixels: image.pixels) : nil)
  }
}

extension PictureRequest {
  /// Pixels, as they are handed out.
  func content(of image: DisplayImage) throws(RenderError) -> ShownPicture.Content {
    guard case .jpeg(let quality) = look else { return .pixels(image) }
    return .bytes(try image.jpegBytes(quality: quality))
  }
}

// MARK: - Opening

extension OpenEdit {
  /// The pixels of a state, after a check that they are as recorded.
  ///
  /// - Parameter actions: What the operations of a changed state do.
  func shown(
    _ state: PictureRequest.State, _ actions: [any StackAction] = [],
    _ cancellation: RenderCancellation = RenderCancellation()
  ) throws -> ShownState {
    switch state {
    case .original:
      try files.checkOriginal()
      return shownOriginal
    case .present:
      try checkStart()
      let start = try start()
      let stack = try stack()
      return ShownState(
        start: start, needed: stack, edit: start.pixels == .render ? nil : stack)
    case .changed:
      try checkStart()
      let edited = try stack(stack(), after: actions, EditCall(cancellation: cancellation))
      return try shown(edited.stack, automatic: edited.automatic)
    case .filter(let filter, let intensity):
      try checkStart()
      var stack = try stack()
      try stack.setFilter(filter.applied(intensity: intensity))
      return try shown(stack)
    case .edit(let stack):
      try checkStart()
      return try shown(stack)
    case .version(let name):
      return try shown(version: name)
    }
  }

  /// The photo as it was taken, not checked.
  var shownOriginal: ShownState {
    ShownState(start: originalStart, needed: EditStack(), edit: EditStack())
  }

  /// The photo as it was taken, with operations on it in place of its edit.
  func shownOriginal(after actions: [any StackAction]) throws -> ShownState {
    try files.checkOriginal()
    let edited = try StackEditing(EditStack(), of: path, RenderCancellation()) {
      try self.pixels(of: self.originalStart)
    }.making(actions)
    try edited.stack.checkIsKnown()
    try edited.stack.checkSize()
    return ShownState(
      start: originalStart, needed: edited.stack, edit: edited.stack, automatic: edited.automatic)
  }

  private func shown(
    _ stack: EditStack, automatic: AutomaticAdjustments? = nil
  ) throws -> ShownState {
    try stack.checkIsKnown()
    try stack.checkSize()
    return ShownState(start: try start(), needed: stack, edit: stack, automatic: automatic)
  }

  private func shown(version name: String) throws -> ShownState {
    guard let version = record?.version(named: name) else {
      throw StorageError.versionMissing(path, name, present: record?.versions.map(\.name) ?? [])
    }
    let data = version.adjustmentData
    let stack = EditStack.canHandle(data) ? try EditStack(data) : nil
    if let render = files.path(of: .version(version.name)) {
      try files.check(.version(version.name))
      return ShownState(
        start: EditStart(pixels: .render, path: render), needed: EditStack(), edit: stack)
    }
    guard version.base == nil, let stack else {
      throw EditError.versionUnusable(path: path, name: version.name, .renderMissing)
    }
    try stack.checkIsKnown()
    try files.checkOriginal()
    return ShownState(start: originalStart, needed: stack, edit: stack)
  }

  /// Opens the pixels of a state.
  func pixels(of shown: ShownState) throws -> ShownPixels {
    ShownPixels(
      try pixels(of: shown.start).source, needing: shown.needed, showing: shown.edit,
      automatic: shown.automatic)
  }
}

/// Photos as a screen shows them: opened quickly, on the thread of the caller.
///
/// Photos without an edit are not locked: their originals never change under a reader. An edited
/// photo is locked for as long as its record takes to be read, and not while pixels are made.
extension PhotoEditor {
  /// An editor for pictures that somebody waits for, and not for ever.
  static var quick: PhotoEditor {
    var configuration = Configuration()
    configuration.darkroom.timeLimit = .seconds(60)
    configuration.lockTimeout = .seconds(5)
    return PhotoEditor(configuration)
  }

  /// Opens a photo with its edit, or as it was taken.
  ///
  /// The picture of an edited photo is made from its render when that file is as long as the record
  /// says. Otherwise it is made from the pixels that the edit starts from.
  ///
  /// - Parameter stamp: What the photo's files were just now.
  nonisolated func shownQuickly(_ stamp: PhotoRevision, showsEdit: Bool) throws -> ShownPixels {
    guard showsEdit, stamp.mayBeEdited else {
      return shown(try openOriginal(stamp.path), needing: EditStack())
    }
    let snapshot = try files(of: Photo(path: stamp.path)).read(timeout: configuration.lockTimeout)
    return try open(snapshot).followingOriginal { edit in
      // The render of a photo that was turned is not turned yet.
      if edit.files.turnedEdits == nil {
        try Self.checkSize(snapshot)
        if let render = recordedRender(snapshot) { return shown(render, needing: EditStack()) }
      }
      try edit.checkStartWithoutOriginal()
      return ShownPixels(try edit.pixels(of: edit.start()).source, needing: try edit.stack())
    }
  }

  /// The thumbnail that the camera put into the photo; `nil` when it does not have the photo's
  /// shape, is not upright, or when an edit is to be shown.
  nonisolated func thumbnail(of stamp: PhotoRevision, showsEdit: Bool) -> DisplayImage? {
    guard !(showsEdit && stamp.mayBeEdited),
      let file = try? fileSystem.openForReading(stamp.path),
      let size = try? fileSystem.status(of: file).size,
      let found = EmbeddedThumbnail(PhotoBytes(file, size: Int(size))),
      found.profile.map(DisplayProfile.isSRGB) ?? true,
      let pixels = (try? darkroom.thumbnail(jpeg: found.bytes)).flatMap({ $0 }),
      found.hasShape(ofWidth: pixels.width, height: pixels.height)
    else { return nil }
    return DisplayImage(pixels)
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
  private nonisolated func recordedRender(_ snapshot: PhotoSnapshot) -> OpenFile? {
    guard let recorded = snapshot.record?.render, let path = snapshot.render,
      let file = try? fileSystem.openForReading(path),
      let size = try? fileSystem.status(of: file).size, size == recorded.file.size
    else { return nil }
    return file
  }

  private nonisolated func openOriginal(_ path: FilePath) throws(StorageError) -> OpenFile {
    let (file, status): (OpenFile, FileStatus)
    do {
      file = try fileSystem.openForReading(path)
      status = try fileSystem.status(of: file)
    } catch {
      switch error.errno {
      case ENOENT, ENOTDIR: throw .originalMissing(path)
      default: throw .originalUnreadable(error)
      }
    }
    guard status.kind == .file else { throw .originalNotAFile(path) }
    return file
  }

  private nonisolated func shown(_ file: OpenFile, needing edit: EditStack) -> ShownPixels {
    ShownPixels(
      configuration.source(file, name: file.path.lastComponent ?? file.path), needing: edit)
  }
}
