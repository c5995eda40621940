import FoundationEssentials
import Glibc
import SafelightFiles

/// Reads the two files of an export.
package struct ExportReader: Sendable {
  private let fileSystem: FileSystem

  package init(_ fileSystem: FileSystem = .real) { self.fileSystem = fileSystem }

  private struct Document: Codable {
    var version: Int
    var sequence: Int64
    var entries: [ExportEntry]
  }

  /// The entries of an export: one for each thing, and none for things that are gone.
  ///
  /// - Throws: ``ExportError`` when a file is damaged or of a newer program. A missing file is no error.
  package func entries(
    _ whole: FilePath, _ journal: FilePath
  ) throws(ExportError) -> [ExportEntry] {
    try contents(whole, journal).entries
  }

  /// The entries of an export, and what could not be read.
  ///
  /// - Parameter salvaging: Whether to read the lines of a damaged file that are whole.
  /// - Throws: ``ExportError`` when a file is of a newer program, and when it is damaged and is not
  ///   salvaged. A last line that a crash cut off is no error.
  package func contents(
    _ whole: FilePath, _ journal: FilePath, salvaging: Bool = false
  ) throws(ExportError) -> ExportContents {
    var unread: [ExportError] = []
    func read(
      _ path: FilePath, _ work: (FilePath) throws(ExportError) -> [ExportEntry]
    ) throws(ExportError) -> [ExportEntry] {
      do { return try work(path) } catch {
        guard salvaging, case .unreadable = error else { throw error }
        unread.append(error)
        return try salvaged(path)
      }
    }
    let document = try read(whole) { path throws(ExportError) in
      try self.document(path)?.entries ?? []
    }
    let lines = try read(journal, lines)
    if try isCutOff(journal) {
      unread.append(.unreadable(journal, detail: "the end of its last line is missing"))
    }
    return ExportContents(entries: Self.present(document, lines), unread: unread)
  }

  /// The present state of each thing.
  private static func present(_ document: [ExportEntry], _ lines: [ExportEntry]) -> [ExportEntry] {
    var latest: [ExportKey: ExportEntry] = [:]
    for entry in document {
      if let key = entry.key { latest[key] = entry }
    }
    for entry in lines {
      guard let key = entry.key, entry.sequence >= latest[key]?.sequence ?? 0 else { continue }
      latest[key] = entry
    }
    let present = latest.values.filter { entry in
      entry.removed != true
        && !entry.owners.contains { owner in
          latest[owner].map { $0.removed == true && $0.sequence > entry.sequence } ?? false
        }
    }
    // Dictionaries have a different order each time.
    return present.sorted { $0.sequence < $1.sequence }
  }

  /// The entries on the lines of a damaged file that are whole. Both files have an entry on each line.
  private func salvaged(_ path: FilePath) throws(ExportError) -> [ExportEntry] {
    let decoder = JSONDecoder()
    return (try contents(path) ?? []).split(separator: Self.newline).compactMap { line in
      let entry = line.last == UInt8(ascii: ",") ? line.dropLast() : line
      return try? decoder.decode(ExportEntry.self, from: Data(entry))
    }
  }

  private func isCutOff(_ journal: FilePath) throws(ExportError) -> Bool {
    guard let size = journal.status?.size, size > 0 else { return false }
    return try contents(journal, from: Int(size) - 1)?.last != Self.newline
  }

  /// The number of the last change in the whole export; 0 without a file. Only the beginning of the file is
  /// read.
  package func sequence(of whole: FilePath) throws(ExportError) -> Int64 {
    guard let start = try contents(whole, limit: 128) else { return 0 }
    let words = String(decoding: start, as: UTF8.self).split { ",{}: \n".contains($0) }
    guard let key = words.firstIndex(of: "\"sequence\""), key + 1 < words.count,
      let number = Int64(words[key + 1])
    else { return try document(whole)?.sequence ?? 0 }
    return number
  }

  /// The entries of a journal. A last line without an end does not count.
  package func lines(of journal: FilePath) throws(ExportError) -> [ExportEntry] {
    let bytes = try contents(journal) ?? []
    let decoder = JSONDecoder()
    var entries: [ExportEntry] = []
    var start = 0
    while let end = bytes[start...].firstIndex(of: Self.newline) {
      if end > start { entries.append(try entry(bytes[start..<end], of: journal, decoder)) }
      start = end + 1
    }
    return entries
  }

  /// The last entry of a journal, and the end of its line.
  ///
  /// Reads only the end of the journal, and more of it when the last line is longer.
  /// - Parameter length: The number of bytes at the end to read first.
  package func last(
    of journal: FilePath, within length: Int = 1 << 16
  ) throws(ExportError) -> (entry: ExportEntry?, end: Int64) {
    guard let size = journal.status?.size else { return (nil, 0) }
    let start = max(0, Int(size) - length)
    let bytes = try contents(journal, from: start) ?? []
    guard let end = bytes.lastIndex(of: Self.newline) else {
      return start == 0 ? (nil, 0) : try last(of: journal, within: length * 16)
    }
    let line = bytes[..<end].lastIndex(of: Self.newline).map { $0 + 1 } ?? 0
    if line == 0, start > 0 { return try last(of: journal, within: length * 16) }
    return (try entry(bytes[line..<end], of: journal), Int64(start + end + 1))
  }

  private static let newline = UInt8(ascii: "\n")
  private static let damage = "it is damaged, or a newer Safelight wrote it"

  private func entry(
    _ line: ArraySlice<UInt8>, of journal: FilePath, _ decoder: JSONDecoder = JSONDecoder()
  ) throws(ExportError) -> ExportEntry {
    do {
      return try decoder.decode(ExportEntry.self, from: Data(line))
    } catch {
      throw .unreadable(journal, detail: Self.damage)
    }
  }

  private func document(_ path: FilePath) throws(ExportError) -> Document? {
    guard let bytes = try contents(path) else { return nil }
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(bytes))
    } catch {
      throw .unreadable(path, detail: Self.damage)
    }
    guard document.version == 1 else { throw .newer(path) }
    var entries = document.entries
    for index in entries.indices { entries[index].sequence = document.sequence }
    return Document(version: 1, sequence: document.sequence, entries: entries)
  }

  private func contents(
    _ path: FilePath, from start: Int = 0, limit: Int = .max
  ) throws(ExportError) -> [UInt8]? {
    try withExportErrors {
      do {
        let file = try fileSystem.openReadOnly(path)
        let status = try fileSystem.status(of: file)
        // A pipe or a device has no bytes of its own.
        guard status.kind == .file else { throw ExportError.notAFile(path) }
        let count = min(max(0, Int(status.size) - start), limit)
        return try fileSystem.bytes(of: file, from: Int64(start), count: count)
      } catch let error as FileSystemError where error.errno == ENOENT {
        return nil
      }
    }
  }
}

/// What an export has.
package struct ExportContents: Sendable {
  /// One entry for each thing, and none for things that are gone.
  package let entries: [ExportEntry]
  /// The files of which a part could not be read.
  package let unread: [ExportError]
}

/// Why the export could not be written or read. The error does not affect the catalog.
package enum ExportError: Error, Equatable, CustomStringConvertible {
  /// A file could not be read or written; the number is the system's `errno`.
  case file(FilePath, Int32)
  /// A file is damaged, or a newer program wrote what this one does not know.
  case unreadable(FilePath, detail: String)
  /// A file has a newer form.
  case newer(FilePath)
  /// A symbolic link, a folder, a pipe or a device has the name of a file.
  case notAFile(FilePath)
  /// The catalog could not be read.
  case database(DatabaseError)

  package var description: String {
    switch self {
    case .file(let path, let number): "\(path): \(String(cString: strerror(number)))"
    case .unreadable(let path, let detail): "\(path) cannot be read: \(detail)"
    case .newer(let path): "\(path) cannot be read: a newer Safelight wrote it"
    case .notAFile(let path): "\(path) is no ordinary file"
    case .database(let error): "the catalog cannot be read: \(error.message)"
    }
  }

  fileprivate init(_ error: any Error) {
    switch error {
    case let error as ExportError: self = error
    case let error as DatabaseError: self = .database(error)
    case let error as FileSystemError:
      let path = error.operation.path
      // What the system says of a name that a symbolic link, a folder or a device has.
      let isNoFile = [ELOOP, EISDIR, ENXIO].contains(error.errno)
      self = isNoFile ? .notAFile(path) : .file(path, error.errno)
    default: self = .database(.damaged("\(error)"))
    }
  }
}

/// Does work with an export; the errors of files and of the catalog become the export's.
func withExportErrors<Result>(_ work: () throws -> Result) throws(ExportError) -> Result {
  do { return try work() } catch { throw ExportError(error) }
}
