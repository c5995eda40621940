import FoundationEssentials
import Glibc
import SafelightFiles
import Synchronization

/// Writes beside the catalog what only the catalog knows: a line for each thing right after it changed,
/// and the whole export again when the lines become many.
///
/// A change set waits for the disk once, for SQLite's log; it does not wait for the journal. Lines that a
/// crash prevented are written after the next change set, or when the library is opened. A line that was
/// written outlives its process, so a catalog's file that is lost takes nothing with it that was reported
/// as done. Only a power failure that also destroys the catalog can lose the lines of the last seconds.
/// Several processes may write; a lock on the journal lets in one at a time.
package final class ExportJournal: Sendable {
  /// With a longer journal, in bytes, the whole export is written again.
  package static let limit = 8 << 20

  /// The file with the whole export.
  package let whole: FilePath
  /// The file with what changed since the whole export was written.
  package let journal: FilePath

  private struct State {
    package var descriptor: Int32 = -1
    package var inode: Int64 = -1
    /// The journal's length after the last line that was written here, and that line's number.
    package var length: Int64 = -1
    package var sequence: Int64 = 0
    package var isFolding = false
    /// Writes the whole export.
    package var folding: Task<Void, Never>?
    package var failure: ExportError?
  }
  private let state = Mutex(State())

  /// The export of the catalog in a folder.
  package init(in folder: FilePath) {
    whole = folder.appending("catalogue.json")
    journal = folder.appending("catalogue.journal.ndjson")
  }

  deinit {
    state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
  }

  /// Why the last change could not be written; `nil` when it was.
  package var failure: ExportError? { state.withLock { $0.failure } }

  /// Writes what changed. What cannot be written now is written after the next change set.
  ///
  /// - Parameters:
  ///   - database: A connection that sees the last change.
  ///   - path: The catalog's file, from which the whole export is written when the journal is long.
  package func update(from database: Database, _ path: FilePath) {
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

  /// Waits for the whole export, when somebody writes it now.
  package func finish() async { await state.withLock(\.folding)?.value }

  /// Writes lines for what changed since the last line.
  ///
  /// - Parameter database: A connection that sees the last change.
  /// - Returns: Whether the journal is so long that ``fold(_:)`` is due.
  package func append(from database: Database) throws(ExportError) -> Bool {
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

  /// Writes the whole export, and removes from the journal what the whole export has.
  ///
  /// - Parameter path: The catalog's file; others may write to it meanwhile.
  package func fold(_ path: FilePath) throws(ExportError) {
    defer { state.withLock { $0.isFolding = false } }
    let database: Database
    do { database = try Database(path, .read) } catch { throw .database(error) }
    let (entries, sequence) = try Self.everything(in: database)
    try replace(whole, with: Self.document(entries, sequence: sequence))
    try state.withLock { (state) throws(ExportError) in
      try openLocked(&state)
      defer { flock(state.descriptor, LOCK_UN) }
      let present = try Self.lastSequence(in: database)
      // Lines of an earlier catalog, which is gone, may have higher numbers than this catalog.
      let rest = try ExportReader.lines(of: journal)
        .filter { $0.sequence > sequence && $0.sequence <= present }
      // The journal's last number must stay right, so that each line is written once.
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

  /// The entries of the things that changed, each thing once, as they are now.
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

  /// The number of the last line. Removes a line that a crash cut off.
  private func lastSequence(_ state: inout State) throws(ExportError) -> Int64 {
    let size = FileTrace(descriptor: state.descriptor)?.size ?? 0
    if size == state.length { return state.sequence }
    let (last, end) = try ExportReader.last(of: journal)
    if end < size, ftruncate(state.descriptor, off_t(end)) != 0 { throw .file(journal, errno) }
    if let last { return last.sequence }
    return try ExportReader.sequence(of: whole)
  }

  /// Opens the journal and locks it.
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
      // Another process may have replaced the journal by a shorter one meanwhile.
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

  /// Replaces a file with new bytes, once these are on the disk.
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
