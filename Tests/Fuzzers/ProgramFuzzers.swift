import Dispatch
import Foundation

@testable import PhotoEditing
@testable import PhotoLibraryKit
@testable import SafelightArguments
@testable import SafelightCatalog
@testable import SafelightEditCommands
@testable import SafelightFiles

/// What the program reads from other programs and from people.
let programFuzzers: [String: Fuzzer] = [
  "jobs": { bytes in
    let job = try Job(line: bytes)
    readCommandLine(job.command + ["--", job.photo.argument])
  },
  "commands": { bytes in
    readCommandLine(bytes.split(separator: 10).map { String(decoding: $0, as: UTF8.self) })
  },
  "predicates": { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let arguments = (0..<text.count { $0 == "%" }).map { FetchValue.integer(Int64($0)) }
    let predicate = try FetchPredicate(format: text, arguments: arguments)
    guard predicate.condition.keys.allSatisfy({ $0.belongs(to: .asset) }) else { return }
    let found = try! emptyLibrary.fetchAssets(with: FetchOptions(predicate: predicate))
    precondition(found.count == 0)
  },
  "exports": { bytes in
    // The part before the first NUL is the whole export, the rest the journal.
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let whole = scratch.path(Array(parts[0]), as: "catalogue.json")
    let journal = scratch.path(Array(parts.dropFirst().first ?? []), as: "journal")
    let reader = ExportReader()
    _ = try? reader.sequence(of: whole)
    _ = try? reader.last(of: journal, within: 16)
    _ = try? reader.lines(of: journal)
    let entries = try reader.entries(whole, journal)
    guard !entries.isEmpty else { return }
    try restore(entries)
  },
]

private func readCommandLine(_ words: [String]) {
  do {
    _ = try EditCommand.parseAsRoot(words)
  } catch {
    _ = EditCommand.message(for: error)
  }
}

private let emptyLibrary = try! PhotoLibrary(at: scratch.folder.appending("library"))

/// Puts what an export says into a new catalog, as a rebuild does.
private func restore(_ entries: [ExportEntry]) throws {
  let path = scratch.folder.appending("catalogue.sqlite")
  for ending in ["", "-wal", "-shm"] { unlink(path.string + ending) }
  let catalog = try Catalog(path)
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    try? await catalog.restore(entries)
    isDone.signal()
  }
  isDone.wait()
}
