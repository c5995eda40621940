import Dispatch
import FoundationEssentials
import SafelightDarkroom
import SafelightFiles
import SafelightRendering
import SafelightStorage

/// Edits photos and never changes their originals.
///
/// ```swift
/// let editor = PhotoEditor()
/// let photo = Photo(path: "beach.jpg")
/// try await editor.apply(Filter.named("noir").applied(), to: photo)
/// try await editor.undo(photo)
/// ```
///
/// Works on one photo at a time, on a thread of its own. Several editors, in one process or in
/// many, may work on the same folder: each photo is locked while it is changed.
public actor PhotoEditor {
  /// How an editor behaves.
  public struct Configuration: Sendable {
    /// How long to wait for another program that works on the same photo.
    public var lockTimeout: Duration = .seconds(30)
    /// Most pixels, width times height, that a photo's header may announce.
    public var pixelLimit = PhotoEditor.defaultPixelLimit
    /// Whether a truncated or damaged photo is rendered as far as it goes.
    public var allowsDamage = false
    /// The program that makes the edits, in reverse DNS order; stored with them.
    public var editorBundleIdentifier = "org.safelight.edit"
    /// Whether changes are held, with the photos locked, until ``PhotoEditor/makeHeldChange(to:)``
    /// or ``PhotoEditor/dropHeldChanges()``, so that several photos change together or not at all.
    /// A photo holds at most one change.
    public var holdsChanges = false
    /// Whether the video of a Live Photo or motion photo gets the edit too; otherwise a Live Photo's stays as it was taken,
    /// and a motion photo's render has none.
    public var rendersVideos = true
    /// The folders in which the program for videos is looked for, with colons; `nil` are those of `PATH`.
    package var searchPath: String?
    /// Where photos are decoded.
    public var darkroom = PhotoDarkroom.current
    /// The time that edits are stored with.
    public var now: @Sendable () -> Date = { Date() }

    /// The usual behavior.
    public init() {}

    /// The usual behavior, or the same without edits of videos.
    package static func rendering(noVideo: Bool) -> Configuration {
      var configuration = Configuration()
      configuration.rendersVideos = !noVideo
      return configuration
    }

    /// An open file, to be read as a picture.
    func source(_ file: OpenFile, name: FilePath) -> PhotoSource {
      PhotoSource(
        file, name: name.string, pixelLimit: pixelLimit,
        allowsDamage: allowsDamage)
    }
  }

  /// 500 megapixels.
  public static let defaultPixelLimit = PhotoSource.defaultPixelLimit

  /// The version of libvips that renders, such as `8.14.1`; `nil` when the system has none.
  public static var imagingLibraryVersion: String? { Renderer.libraryVersion }

  /// The revision of the pixels that renders have, such as `safelight-1`; sidecars name it.
  public static var rendererVersion: String { Renderer.version }

  let configuration: Configuration
  let fileSystem: FileSystem
  nonisolated var darkroom: PhotoDarkroom { configuration.darkroom }
  private let queue = RenderQueue()
  /// The held changes, by the paths that their photos were given with.
  private var held: [FilePath: Transaction] = [:]

  /// The thread that the editor works on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  /// An editor.
  public init(_ configuration: Configuration = Configuration()) {
    self.init(configuration, fileSystem: .real)
  }

  /// An editor whose way to the disk a test can make fail.
  package init(_ configuration: Configuration, fileSystem: FileSystem) {
    self.configuration = configuration
    self.fileSystem = fileSystem
  }

  nonisolated func files(of photo: Photo) -> PhotoFiles {
    PhotoFiles(photo.path, fileSystem: fileSystem)
  }

  /// Runs work on a photo until it is done or the surrounding task is cancelled. What the work
  /// throws comes out as an ``EditError``.
  func working<Result>(
    on path: FilePath, _ work: (RenderCancellation) throws -> Result
  ) async throws(EditError) -> Result {
    let cancellation = RenderCancellation()
    do {
      return try await withTaskCancellationHandler {
        // Naming the editor keeps the work on its own thread: a closure that does not use `self`
        // would run on one of Swift's.
        try self.onOwnThread(work, cancellation)
      } onCancel: {
        cancellation.cancel()
      }
    } catch {
      throw EditError(error, path: path)
    }
  }

  private func onOwnThread<Result>(
    _ work: (RenderCancellation) throws -> Result, _ cancellation: RenderCancellation
  ) throws -> Result {
    preconditionIsolated()
    return try work(cancellation)
  }

  /// Ends a transaction, or keeps it while it holds a change.
  func end(_ transaction: Transaction, of photo: Photo) {
    if transaction.holdsChange {
      held[photo.path] = transaction
    } else {
      transaction.end()
    }
  }
}

// MARK: - Held changes

/// Several photos that change together or not at all.
///
/// ```swift
/// var configuration = PhotoEditor.Configuration()
/// configuration.holdsChanges = true
/// let editor = PhotoEditor(configuration)
/// for photo in photos { try await editor.apply(noir, to: photo) }
/// for photo in photos { try await editor.makeHeldChange(to: photo) }
/// ```
///
/// Rendering and writing, which take time and space, are over before the first change is made. A
/// few renames for each photo are left. A process that dies before the first change leaves no
/// change; a process that dies later leaves those made.
extension PhotoEditor {
  /// Makes the held change of a photo.
  ///
  /// - Returns: What could not be done although the change is made, one sentence each. Nothing
  ///   happens for a photo without a held change.
  /// - Throws: ``EditError`` when the change is not made; the old edit stands then.
  @discardableResult
  public func makeHeldChange(to photo: Photo) async throws(EditError) -> [String] {
    try await working(on: photo.path) { _ in
      guard let transaction = held.removeValue(forKey: photo.path) else { return [] }
      defer { transaction.end() }
      let unfinished = try transaction.makeHeldChange()
      return unfinished.map { [$0.description] } ?? []
    }
  }

  /// Drops all held changes and unlocks their photos.
  public func dropHeldChanges() {
    for transaction in held.values { transaction.end() }
    held = [:]
  }
}

/// Held changes that a library's catalog decides.
extension PhotoEditor {
  /// What the held change makes of a photo's edit; `nil` when the photo has no held change.
  package func outcomeOfHeldChange(to photo: Photo) async throws(EditError) -> HeldOutcome? {
    try await working(on: photo.path) { _ in try held[photo.path]?.heldOutcome() }
  }

  /// Makes the held change of a photo after a catalog decided it. On failure its staged files stay for
  /// the library's recovery.
  ///
  /// - Throws: ``EditError`` when the change is not made.
  package func makeDecidedChange(to photo: Photo) async throws(EditError) {
    try await working(on: photo.path) { _ in
      guard let transaction = held.removeValue(forKey: photo.path) else { return }
      defer { transaction.end() }
      try transaction.makeDecidedChange()
    }
  }
}

// MARK: - The thread

/// Where a ``PhotoEditor`` does its work: one call after the other, on a thread of its own, so that
/// long pixel work and waiting for locks never block Swift's threads.
private final class RenderQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "org.safelight.editor", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
