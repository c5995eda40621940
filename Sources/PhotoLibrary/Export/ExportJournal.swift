import FoundationEssentials
import Glibc
import PhotoEditing
import Synchronization

/// Writes beside the catalog what only it knows: a line for each thing that changed, right after
/// the change, and now and then everything anew.
///
/// The catalog itself is what is durable: a change set waits for the disk once, for SQLite's log.
/// Lines are not waited for, and what a crash kept from being written is written after the next change
/// or when the library is opened. A line that was written outlives its process, so that nothing that
/// was reported done is lost with the catalog's file alone; only a power failure that takes the
/// catalog too can take the last seconds' lines. Several processes may write: they take turns by a
/// lock on the journal.
final class ExportJournal: Sendable {
  /// How long the journal may become before everything is written anew, in bytes.
  static let limit = 8 << 20

  /// The file that has everything.
  let whole: FilePath
  /// The file that has what changed since.
  let journal: FilePath

  private struct State {
    var descriptor: Int32 = -1
    var inode: Int64 = -1
    /// The journal's length after the last line that was written here, and that line's number.
    var length: Int64 = -1
    var sequence: Int64 = 0
    var isFolding = false
    /// Writes everything anew, begun by the last change that made it due.
    var folding: Task<Void, Never>?
    var failure: ExportError?
  }
  private let state = Mutex(State())

  /// The export of the catalog in a folder.
  init(in folder: FilePath) {
    whole = folder.appending("catalogue.json")
    journal = folder.appending("catalogue.journal.ndjson")
  }

  deinit {
    state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
  }

  /// Why the last change could not be written; `nil` when it was.
  var failure: ExportError? { state.withLock { $0.failure } }

  /// Writes what changed. What cannot be written now is written after the next change.
  ///
  /// - Parameters:
  ///   - database: A connection that sees the last change.
  ///   - path: The catalog's file, to write everything anew from once that is due.
  func update(from database: Database, _ path: FilePath) {
    do {
      let isLong = try append(from: database)
      state.withLock { $0.failure = nil }
      guard isLong else { return }
    } catch {
      return state.withLock { $0.failure = error }
    }
    let folding = Task.detached(priority: .utility) {
      do throws(ExportError) {
        try self.fold(path)
      } catch {
        self.state.withLock { $0.failure = error }
      }
    }
    state.withLock { $0.folding = folding }
  }

  /// Waits until everything is written anew, if that has begun.
  func finish() async { await state.withLock(\.folding)?.value }

  /// Writes what changed and was not written yet.
  ///
  /// - Parameter database: A connection that sees the last change.
  /// - Returns: Whether the journal has become so long that ``fold(_:)`` is due.
  func append(from database: Database) throws(ExportError) -> Bool {
    try state.withLock { (state) throws(ExportError) -> Bool in
      try openLocked(&state)
      defer { flock(state.descriptor, LOCK_UN) }
      let last = try lastSequence(&state)
      let present = try Self.lastSequence(in: database)
      let isFirst = FileTrace(whole) == nil || last > present
      let lines = try lines(after: last, from: database)
      try write(Self.encoded(lines), to: state.descriptor)
      state.length = FileTrace(descriptor: state.descriptor)?.size ?? -1
      state.sequence = lines.last?.sequence ?? last
      guard isFirst || state.length > Self.limit, !state.isFolding else { return false }
      state.isFolding = true
      return true
    }
  }

  /// Writes everything anew, and takes from the journal what that holds.
  ///
  /// - Parameter path: The catalog's file; others may go on writing it.
  func fold(_ path: FilePath) throws(ExportError) {
    defer { state.withLock { $0.isFolding = false } }
    let database: Database
    do { database = try Database(path, .read) } catch { throw .database(error) }
    let (entries, sequence) = try Self.everything(in: database)
    try replace(whole, with: Self.document(entries, sequence: sequence))
    try state.withLock { (state) throws(ExportError) in
      try openLocked(&state)
      defer { flock(state.descriptor, LOCK_UN) }
      let present = try Self.lastSequence(in: database)
      // Lines of a catalog that is no more may have numbers that this one has not come to.
      let rest = try ExportReader.lines(of: journal)
        .filter { $0.sequence > sequence && $0.sequence <= present }
      // The number of the last line must stay known, so that no line is written twice or never.
      try replace(journal, with: Self.encoded(rest))
      state.length = -1
    }
  }

  private static func lastSequence(in database: Database) throws(ExportError) -> Int64 {
    do { return try database.lastExportSequence() } catch { throw .database(error) }
  }

  private static func everything(
    in database: Database
  ) throws(ExportError) -> ([ExportEntry], Int64) {
    do throws(DatabaseError) {
      return try database.transaction(immediately: false) { () throws(DatabaseError) in
        let sequence = try database.lastExportSequence()
        return (try database.entries(sequence: sequence), sequence)
      } failing: {
        $0
      }
    } catch {
      throw .database(error)
    }
  }

  /// The things that changed, each once, as they are now.
  private func lines(
    after last: Int64, from database: Database
  ) throws(ExportError) -> [ExportEntry] {
    do throws(DatabaseError) {
      var latest: [ExportKey: Int64] = [:]
      for (sequence, key) in try database.unexported(after: last) { latest[key] = sequence }
      var entries: [ExportEntry] = []
      for (key, sequence) in latest.sorted(by: { $0.value < $1.value }) {
        entries.append(try database.entry(key, sequence: sequence))
      }
      return entries
    } catch {
      throw .database(error)
    }
  }

  /// The number of the last line; a line that a crash cut off is removed.
  private func lastSequence(_ state: inout State) throws(ExportError) -> Int64 {
    let size = FileTrace(descriptor: state.descriptor)?.size ?? 0
    if size == state.length { return state.sequence }
    let (last, end) = try ExportReader.last(of: journal)
    if end < size, ftruncate(state.descriptor, off_t(end)) != 0 { throw .file(journal, errno) }
    if let last { return last.sequence }
    return try ExportReader.sequence(of: whole)
  }

  /// Opens the journal that has the name now, and takes the lock.
  private func openLocked(_ state: inout State) throws(ExportError) {
    while true {
      if state.descriptor < 0 {
        state.descriptor = FileTrace.withCString(journal) {
          open($0, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        }
        guard state.descriptor >= 0 else { throw .file(journal, errno) }
        state.length = -1
      }
      while flock(state.descriptor, LOCK_EX) != 0 {
        guard errno == EINTR else { throw .file(journal, errno) }
      }
      // Another process may have put a shorter one in its place.
      if FileTrace(descriptor: state.descriptor)?.inode == FileTrace(journal)?.inode { return }
      close(state.descriptor)
      state.descriptor = -1
    }
  }

  private static func encoded(_ entries: [ExportEntry]) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return entries.flatMap { entry in
      // Dates and places are finite, and everything else can be written.
      (try? encoder.encode(entry)).map { Array($0) + [UInt8(ascii: "\n")] } ?? []
    }
  }

  /// One entry on a line, in one JSON object.
  private static func document(_ entries: [ExportEntry], sequence: Int64) -> [UInt8] {
    var bytes = Array("{\"version\":1,\"sequence\":\(sequence),\"entries\":[\n".utf8)
    var lines = encoded(entries).split(separator: UInt8(ascii: "\n")).makeIterator()
    var next = lines.next()
    while let line = next {
      next = lines.next()
      bytes += line
      bytes += next == nil ? Array("\n".utf8) : Array(",\n".utf8)
    }
    return bytes + Array("]}\n".utf8)
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(ExportError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .file(journal, errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Puts a file in another's place once it is on the disk.
  private func replace(_ path: FilePath, with bytes: [UInt8]) throws(ExportError) {
    let temporary = FilePath(bytes: path.bytes + Array(".new-\(getpid())".utf8))
    let descriptor = FileTrace.withCString(temporary) {
      open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    }
    guard descriptor >= 0 else { throw .file(temporary, errno) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor)
    guard fsync(descriptor) == 0 else { throw .file(temporary, errno) }
    let renamed = FileTrace.withCString(temporary) { from in
      FileTrace.withCString(path) { rename(from, $0) }
    }
    guard renamed == 0 else { throw .file(path, errno) }
  }
}
