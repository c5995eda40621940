/// The files of one asset: the original, and beside it the sidecar, the render and the base.
///
/// Any number of processes may read and change the same asset. They exclude each other by `flock`
/// on the original; see ``Transaction`` for how a change is made.
///
/// A path that is a symbolic link stands for the file it leads to, all links followed: that file
/// is the original, and the edit lives in its folder under its name.
public struct PhotoFiles: Sendable {
  /// The original, as given.
  public let original: FilePath

  private let fileSystem: FileSystem

  /// The files around an original, which need not be edited yet. Nothing is read.
  ///
  /// - Parameters:
  ///   - original: The photo, or a symbolic link to it.
  ///   - fileSystem: The way to the disk.
  public init(_ original: FilePath, fileSystem: FileSystem = .real) {
    self.original = original
    self.fileSystem = fileSystem
  }

  /// What the files say now. Writes nothing, so a read-only folder will do.
  ///
  /// - Parameter timeout: How long to wait for a change that is under way. Blocks the thread.
  /// - Throws: ``StorageError``.
  public func read(timeout: Duration) throws(StorageError) -> PhotoSnapshot {
    let original = try OriginalFile.open(
      original, exclusively: false, timeout: timeout, fileSystem)
    defer { original.unlock() }
    return try PhotoSnapshot.load(original, fileSystem)
  }

  /// What `body` makes of the files while nobody can change them.
  ///
  /// Use this to open the render or the base: their names may be others once `body` has returned.
  /// - Parameters:
  ///   - timeout: How long to wait for a change that is under way. Blocks the thread.
  ///   - body: Called once, under a lock that readers share.
  /// - Throws: ``StorageError``, and what `body` throws.
  public func reading<Result>(
    timeout: Duration, _ body: (PhotoSnapshot) throws -> Result
  ) throws -> Result {
    let original = try OriginalFile.open(
      original, exclusively: false, timeout: timeout, fileSystem)
    defer { original.unlock() }
    return try body(PhotoSnapshot.load(original, fileSystem))
  }

  /// Begins a change: excludes everybody else, and first finishes what a crash left unfinished.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for others. Blocks the thread.
  ///   - holding: Whether the change waits for ``Transaction/makeHeldChange()``.
  /// - Throws: ``StorageError``.
  public func begin(
    timeout: Duration, holding: Bool = false
  ) throws(StorageError) -> Transaction {
    let original = try OriginalFile.open(
      original, exclusively: true, timeout: timeout, fileSystem)
    do {
      let contents = FileContents(around: original.status, fileSystem)
      let recovery = Recovery(PhotoNames(original.path), fileSystem, contents)
      try recovery.finishPendingChange()
      try recovery.removeStrays()
      return Transaction(
        try PhotoSnapshot.load(original, fileSystem), fileSystem, isHolding: holding)
    } catch {
      original.unlock()
      throw error
    }
  }
}
