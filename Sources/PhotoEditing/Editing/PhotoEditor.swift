import FoundationEssentials
import SafelightRendering
import SafelightStorage

/// Edits photos without changing them: hands out inputs, takes outputs, applies filters, reverts.
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
    /// Whether changes of edits only wait to be made, each photo locked, until
    /// ``PhotoEditor/makeHeldChange(to:)`` or ``PhotoEditor/dropHeldChanges()``: so that several
    /// photos change together or not at all. A photo can hold one change.
    public var holdsChanges = false
    /// The time that edits are stored with.
    public var now: @Sendable () -> Date = { Date() }

    /// The usual behavior.
    public init() {}
  }

  /// 500 megapixels.
  public static let defaultPixelLimit = PhotoSource.defaultPixelLimit

  /// The version of libvips that renders, such as `8.14.1`.
  public static var imagingLibraryVersion: String { Renderer.libraryVersion }

  /// The revision of the pixels that renders have, such as `safelight-2`; sidecars name it.
  public static var rendererVersion: String { Renderer.version }

  let configuration: Configuration
  let fileSystem: FileSystem
  let renderer = Renderer()
  private let queue = RenderQueue()
  /// The changes that wait, by the paths that their photos were given with.
  var held: [FilePath: Transaction] = [:]

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

  /// The original opened for rendering.
  nonisolated func source(_ original: OriginalFile) -> PhotoSource {
    source(descriptor: original.file.descriptor, name: original.name)
  }

  nonisolated func source(descriptor: Int32, name: FilePath) -> PhotoSource {
    PhotoSource(
      descriptor: descriptor, name: name.string, pixelLimit: configuration.pixelLimit,
      allowsDamage: configuration.allowsDamage)
  }

  nonisolated func files(of asset: Photo) -> PhotoFiles {
    PhotoFiles(asset.path, fileSystem: fileSystem)
  }

  /// Runs work on a photo until it is done or the surrounding task is cancelled; what its modules
  /// throw comes out as the editor's own error.
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
}
