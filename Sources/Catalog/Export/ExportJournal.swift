import FoundationEssentials
import SafelightFiles
import Synchronization

/// Writes the export: a line of the journal for each thing right after it changed, and the whole export again
/// when the journal is long.
///
/// A change set waits for the disk twice: for SQLite's log, and then for the journal. So when the catalog's
/// file is lost, the export has every change that a call reported as done. Lines that a crash prevented are
/// written after the next change set, or when the library is opened. Several processes may write; a lock on
/// the journal lets one at a time.
package final class ExportJournal: Sendable {
  /// The journal's length in bytes at which the whole export is written again.
  package static let limit = 8 << 20

  /// The file with the whole export.
  package let whole: FilePath
  /// The file with the changes since the whole export was written.
  package let journal: FilePath

  private struct State {
    var file: OpenFile?
    /// The journal's length after this process wrote its last line, and the number of that line.
    var length: Int64 = -1
    var sequence: Int64 = 0
    var isFolding = false
    /// The task that writes the whole export.
    var folding: Task<Void, Never>?
    var failure: ExportError?
  }
  private let state = Mutex(State())
  private let fileSystem: FileSystem
  private var reader: ExportReader { ExportReader(fileSystem) }

  /// The export of the catalog in a folder.
  package init(in folder: FilePath, through fileSystem: FileSystem = .real) {
    self.fileSystem = fileSystem
    whole = folder.appending("catalogue.json")
    journal = folder.appending("catalogue.journal.ndjson")
  }

  /// Why the last change could not be written; `nil` when it was written.
  package var failure: ExportError? { state.withLock { $0.failure } }

  /// Writes the last changes. When they cannot be written now, the next change set writes them.
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

  /// Waits for the whole export, if a task writes it now.
  package func finish() async { await state.withLock(\.folding)?.value }

  /// Writes lines for the changes since the last line.
  ///
  /// - Parameter database: A connection that sees the last change.
  /// - Returns: Whether the journal is so long that ``fold(_:)`` is due.
  package func append(from database: Database) throws(ExportError) -> Bool {
    try withExportErrors {
      try state.withLock { state in
        let file = try openLocked(&state)
        defer { file.unlock() }
        let last = try lastSequence(&state, of: file)
        let isFirst = try whole.status == nil || last > database.lastExportSequence()
        let lines = try lines(after: last, from: database)
        // If this fails after a part of a line, the next call must find that part.
        state.length = -1
        if !lines.isEmpty {
          try fileSystem.write(Self.encoded(lines), to: file)
          try fileSystem.sync(file)
        }
        state.length = try fileSystem.status(of: file).size
        state.sequence = lines.last?.sequence ?? last
        guard isFirst || state.length > Self.limit, !state.isFolding else { return false }
        state.isFolding = true
        return true
      }
    }
  }

  /// Writes the whole export, and removes the lines from the journal that the whole export has.
  ///
  /// - Parameters:
  ///   - path: The catalog's file.
  ///   - isInUse: Whether others may write to the catalog meanwhile. Otherwise only its file is read, and not
  ///     the log beside it.
  package func fold(_ path: FilePath, isInUse: Bool = true) throws(ExportError) {
    defer { state.withLock { $0.isFolding = false } }
    try withExportErrors {
      let database = try Database(path, isInUse ? .read : .untouched)
      let (entries, sequence) = try database.transaction(immediately: false) {
        let sequence = try database.lastExportSequence()
        return (try database.entries(sequence: sequence), sequence)
      }
      removeAbandonedFiles()
      try fileSystem.replace(whole, with: Self.document(entries, sequence: sequence), mode: 0o600)
      try state.withLock { state in
        let file = try openLocked(&state)
        defer { file.unlock() }
        let present = try database.lastExportSequence()
        // The journal may have lines of an earlier catalog with higher numbers.
        let rest = try reader.lines(of: journal)
          .filter { $0.sequence > sequence && $0.sequence <= present }
        // The length no longer belongs to the last line, so the next call must read the journal.
        state.length = -1
        try fileSystem.replace(journal, with: Self.encoded(rest), mode: 0o600)
        state.failure = nil
      }
    }
  }

  /// Removes the hidden files of processes that died while they wrote the export.
  private func removeAbandonedFiles() {
    let folder = whole.removingLastComponent()
    for name in (try? fileSystem.names(in: folder)) ?? [] {
      guard let process = FileSink.process(of: name) else { continue }
      _ = try? fileSystem.isAbandonedExport(folder.appending(name), by: process, removing: true)
    }
  }

  /// Copies both files to other names beside them, in place of files that have the names.
  package func keepCopy(named name: FilePath) throws(FileSystemError) {
    for (file, ending) in [(whole, ".json"), (journal, ".journal.ndjson")]
    where file.status != nil {
      let copy = file.removingLastComponent().appending(name.suffixed(ending))
      let bytes = try fileSystem.contents(of: fileSystem.openReadOnly(file), limit: .max)
      try fileSystem.replace(copy, with: bytes, mode: 0o600)
    }
  }

  /// The entries of the things that changed, one for each thing, with its present state.
  private func lines(
    after last: Int64, from database: Database
  ) throws(DatabaseError) -> [ExportEntry] {
    var latest: [ExportKey: Int64] = [:]
    for (sequence, key) in try database.unexported(after: last) { latest[key] = sequence }
    var entries: [ExportEntry] = []
    for (key, sequence) in latest.sorted(by: { $0.value < $1.value }) {
      entries.append(try database.entry(key, sequence: sequence))
    }
    return entries
  }

  /// The number of the last line. Removes a line that a crash cut off.
  private func lastSequence(_ state: inout State, of file: OpenFile) throws -> Int64 {
    let size = (try? FileSystem.real.status(of: file))?.size ?? 0
    if size == state.length { return state.sequence }
    let (last, end) = try reader.last(of: journal)
    if end < size { try fileSystem.truncate(file, to: end) }
    if let last { return last.sequence }
    return try reader.sequence(of: whole)
  }

  /// Opens the journal and locks it.
  private func openLocked(_ state: inout State) throws -> OpenFile {
    while true {
      let file: OpenFile
      if let known = state.file { file = known } else { file = try opened(&state) }
      _ = try fileSystem.lock(file, exclusively: true, waiting: true)
      // Another process may have replaced the journal by a shorter one.
      let isInPlace =
        try FileSystem.real.status(of: journal)?
        .isSameFile(as: FileSystem.real.status(of: file)) ?? false
      state.file = isInPlace ? file : nil
      if isInPlace { return file }
      file.unlock()
    }
  }

  private func opened(_ state: inout State) throws -> OpenFile {
    state.length = -1
    let file = try fileSystem.openForAppending(journal, mode: 0o600)
    let status = try fileSystem.status(of: file)
    // The process that made the file may have died before it flushed the name.
    if status.size == 0 { try fileSystem.syncFolder(journal.removingLastComponent()) }
    guard status.kind == .file else { throw ExportError.notAFile(journal) }
    return file
  }

  private static func encoded(_ entries: [ExportEntry]) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return entries.flatMap { entry in
      // Only infinite numbers and NaN cannot be encoded, and no date or place has them.
      (try? encoder.encode(entry)).map { Array($0) + [UInt8(ascii: "\n")] } ?? []
    }
  }

  /// A JSON object with one entry on each line.
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
}
