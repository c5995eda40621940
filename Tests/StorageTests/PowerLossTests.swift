import Glibc
import SafelightTestSupport
import Synchronization
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// A folder on a disk that keeps only what was flushed, and of the rest whatever it likes.
///
/// Watches the operations on a real folder and remembers what each of them changed. A change of
/// names is on the disk when the folder was flushed after it. Others may be there or not, in any
/// selection, except that a name never skips an earlier change of the same name. The bytes of a file
/// are on the disk when it was flushed after they were written. Otherwise it may be empty, half
/// written or whole.
private final class VolatileDisk: Sendable {
  /// The files by name, and the bytes of each file.
  struct Contents: Hashable {
    var names: [FilePath: UInt64] = [:]
    var bytes: [UInt64: [UInt8]] = [:]
  }

  private struct State {
    var now = Contents()
    var flushed = Contents()
    /// Changes of names since the folder was flushed; `nil` for a name that went.
    var pending: [[FilePath: UInt64?]] = []
    var last: FileSystem.Operation?
    /// Every state in which the disk may be after a power cut, so far.
    var possible: Set<[FilePath: [UInt8]]> = []
    var random = SeededGenerator(seed: 12)
  }

  private let folder: PhotoFolder
  private let state = Mutex(State())

  init(_ folder: PhotoFolder) {
    self.folder = folder
    state.withLock { state in
      state.now = Self.contents(of: folder)
      state.flushed = state.now
      Self.addStates(&state)
    }
  }

  var fileSystem: FileSystem {
    FileSystem { [self] operation in
      observe(before: operation)
      return nil
    }
  }

  /// The states in which a power cut at any time until now may have left the disk.
  var possibleStates: Set<[FilePath: [UInt8]]> {
    observe(before: nil)
    return state.withLock(\.possible)
  }

  /// The states in which a power cut at this moment may leave the disk.
  var presentStates: Set<[FilePath: [UInt8]]> {
    observe(before: nil)
    return state.withLock { state in
      state.possible = []
      Self.addStates(&state)
      return state.possible
    }
  }

  private static func contents(of folder: PhotoFolder) -> Contents {
    var contents = Contents()
    for name in folder.names {
      let path = folder.path.appending(name)
      guard let status = try? FileSystem.real.status(of: path) else { continue }
      contents.names[name] = status.inode
      contents.bytes[status.inode] = folder.bytes(path) ?? []
    }
    return contents
  }

  private func observe(before next: FileSystem.Operation?) {
    state.withLock { state in
      let now = Self.contents(of: folder)
      var change: [FilePath: UInt64?] = [:]
      for name in Set(now.names.keys).union(state.now.names.keys)
      where now.names[name] != state.now.names[name] {
        change[name] = .some(now.names[name])
      }
      let isChanged = !change.isEmpty || now.bytes != state.now.bytes
      if !change.isEmpty { state.pending.append(change) }
      state.now.names = now.names
      // The bytes of files whose last name went are kept, because a power cut may bring it back.
      state.now.bytes.merge(now.bytes) { _, new in new }
      switch state.last?.kind {
      case .sync:
        if let name = state.last?.path.lastComponent, let inode = now.names[name] {
          state.flushed.bytes[inode] = now.bytes[inode]
        }
      case .syncFolder:
        state.flushed.names = now.names
        state.pending = []
      default: break
      }
      if isChanged || [.sync, .syncFolder].contains(state.last?.kind) { Self.addStates(&state) }
      state.last = next
    }
  }

  private static func addStates(_ state: inout State) {
    let count = state.pending.count
    // Every selection of a few changes; of many, the whole, nothing, each prefix, and a sample.
    var selections: [[Bool]] =
      count <= 5
      ? (0..<1 << count).map { bits in (0..<count).map { bits >> $0 & 1 == 1 } }
      : (0...count).map { end in (0..<count).map { $0 < end } }
    if count > 5 {
      for _ in 0..<24 {
        let selection = (0..<count).map { _ in Bool.random(using: &state.random) }
        selections.append(selection)
      }
    }
    for selection in selections {
      var names = state.flushed.names
      var skipped: Set<FilePath> = []
      for (change, isThere) in zip(state.pending, selection) {
        if isThere, skipped.isDisjoint(with: change.keys) {
          for (name, inode) in change { names[name] = inode }
        } else {
          skipped.formUnion(change.keys)
        }
      }
      for part in 0..<3 {
        state.possible.insert(
          names.mapValues { inode in
            if let flushed = state.flushed.bytes[inode], flushed == state.now.bytes[inode] {
              return flushed
            }
            let latest = state.now.bytes[inode] ?? []
            return Array(latest.prefix(latest.count * part / 2))
          })
      }
    }
  }
}

@Suite struct PowerLossTests {
  private func folder(with files: [FilePath: [UInt8]], isHolding: Bool = false) -> PhotoFolder {
    let folder = PhotoFolder(isHolding: isHolding)
    for (name, bytes) in files { folder.put(bytes, at: folder.path.appending(name)) }
    return folder
  }

  /// What a reader sees after a power cut, once it was checked that the next change tidies up.
  private func view(after files: [FilePath: [UInt8]], _ change: Change) throws -> View {
    let folder = folder(with: files)
    let seen = try View(folder)
    try folder.files.begin(timeout: .zero).end()
    try #expect(View(folder) == seen, "\(change), after recovery")
    try folder.files.begin(timeout: .zero, tidying: true).end()
    #expect(folder.names == seen.names, "\(change)")
    if seen.isForeign { #expect(try folder.bytes(folder.sidecar) == Change.foreign()) }
    #expect(folder.text("beach.jpg") == "pixels of beach.jpg")
    return seen
  }

  @Test(arguments: Change.allCases, [false, true])
  func aPowerCutAtAnyMomentLeavesTheOldEditOrTheNew(change: Change, isHolding: Bool) throws {
    let folder = try folder(with: change.preparedFiles(), isHolding: isHolding)
    let disk = VolatileDisk(folder)
    try change.run(folder, disk.fileSystem)
    let (old, new) = (try change.old(), try change.new())
    var found: Set<Bool> = []
    for files in disk.possibleStates {
      let seen = try view(after: files, change)
      #expect(seen == old || seen == new, "\(change): \(files.keys.sorted(by: <))")
      found.insert(seen == new)
    }
    #expect(found == [true, false])
    // What was reported as done stays done.
    for files in disk.presentStates { try #expect(view(after: files, change) == new) }
  }

  @Test(arguments: Change.allCases)
  func aPowerCutDuringRecoveryLosesNothing(change: Change) throws {
    // The process dies right after the decision, and nothing is placed.
    let interrupted = try folder(with: change.preparedFiles())
    let isDecided = Mutex(false)
    let dying = FileSystem { operation in
      isDecided.withLock { isDecided in
        if isDecided { return .failure(EIO) }
        isDecided = operation.kind == .syncFolder
        return nil
      }
    }
    _ = try? change.run(interrupted, dying)
    let disk = VolatileDisk(interrupted)
    let seen = try View(interrupted)
    try PhotoFiles(interrupted.photo, fileSystem: disk.fileSystem).begin(timeout: .zero).end()
    for files in disk.possibleStates { try #expect(view(after: files, change) == seen) }
  }
}
