import Foundation
import SafelightFiles
import Synchronization

/// A folder on a disk that keeps only what was flushed, and of the rest whatever it likes.
///
/// Watches the operations on a real folder, with all folders in it, and remembers what each of them
/// changed. A change of names is on the disk when the folder with the names was flushed after it. Others
/// may be there or not, in any selection, except that a name never skips an earlier change of the same
/// name. A file that moved to another folder may have both names or none when only one of the folders was
/// flushed. The bytes of a file are on the disk when it was flushed after they were written. Otherwise it
/// may be empty, half written or whole.
///
/// SQLite's files do not go through a `FileSystem`. What SQLite commits is on the disk at once, with the
/// names that it makes and removes; what others rename is not.
package final class VolatileDisk: Sendable {
  /// What a name stands for.
  fileprivate enum Entry: Hashable {
    case folder
    case file(inode: UInt64)
  }

  /// The bytes of a file: those that it had at one moment, or only the first of them.
  fileprivate struct Bytes: Hashable {
    let number: Int
    var count: Int
  }

  fileprivate struct Contents {
    var names: [FilePath: Entry] = [:]
    var bytes: [UInt64: Bytes] = [:]
  }

  /// A state in which the disk may be after a power cut.
  package struct State: Hashable {
    fileprivate struct File: Hashable {
      let entry: Entry
      let bytes: Bytes?
    }

    fileprivate var files: [FilePath: File] = [:]

    /// The paths in the folder, sorted.
    package var names: [FilePath] { files.keys.sorted(by: <) }
  }

  fileprivate struct Memory {
    var now = Contents()
    var flushed = Contents()
    /// Changes of names that were not flushed; `nil` for a name that went.
    var pending: [[FilePath: Entry?]] = []
    var last: FileSystem.Operation?
    /// Every state in which the disk may be after a power cut, so far.
    var possible: Set<State> = []
    var random = SeededGenerator(seed: 12)
    /// Every content that a file had, by number.
    var contents: [Data] = []
    var numbers: [Data: Int] = [:]
  }

  private let folder: FilePath
  private let memory = Mutex(Memory())

  /// - Parameter folder: A folder whose contents are on the disk.
  package init(_ folder: FilePath) {
    self.folder = folder
    memory.withLock { memory in
      memory.now = contents(&memory)
      memory.flushed = memory.now
      Self.addStates(&memory)
    }
  }

  /// The way to the disk.
  package var fileSystem: FileSystem { fileSystem(failing: nil) }

  /// The way to the disk, on which operations fail.
  package func fileSystem(failing faults: FaultInjection?) -> FileSystem {
    FileSystem { [self] operation in
      let fault = faults?.fault(at: operation)
      observe(before: fault == nil ? operation : nil)
      return fault
    }
  }

  /// The states in which a power cut at any time until now may have left the disk.
  package var possibleStates: Set<State> {
    observe(before: nil)
    return memory.withLock(\.possible)
  }

  /// The states in which a power cut at this moment may leave the disk.
  package var presentStates: Set<State> {
    observe(before: nil)
    return memory.withLock { memory in
      memory.possible = []
      Self.addStates(&memory)
      return memory.possible
    }
  }

  /// The files of a state, by their paths in the folder.
  package func files(of state: State) -> [FilePath: [UInt8]] {
    memory.withLock { memory in
      state.files.compactMapValues { file in
        file.bytes.map { [UInt8](memory.contents[$0.number].prefix($0.count)) }
      }
    }
  }

  /// Makes the folder what a state says, in place of everything that is in it.
  package func restore(_ state: State) throws {
    let manager = FileManager.default
    for name in try manager.contentsOfDirectory(atPath: folder.string) {
      try manager.removeItem(atPath: folder.appending(FilePath(name)).string)
    }
    var places: [UInt64: FilePath] = [:]
    for name in state.names {
      let path = folder.appending(name)
      switch state.files[name] {
      case .some(let file) where file.entry == .folder:
        try manager.createDirectory(atPath: path.string, withIntermediateDirectories: false)
      case .some(let file):
        guard case .file(let inode) = file.entry, let bytes = file.bytes else { continue }
        if let place = places[inode] {
          try manager.linkItem(atPath: place.string, toPath: path.string)
          continue
        }
        places[inode] = path
        let data = memory.withLock { $0.contents[bytes.number].prefix(bytes.count) }
        try data.write(to: path.fileURL)
      case nil: break
      }
    }
  }
}

extension VolatileDisk {
  private static func isDatabase(_ name: FilePath) -> Bool {
    name.lastComponent?.string.contains(".sqlite") == true
  }

  /// What is in the folder now.
  private func contents(_ memory: inout Memory) -> Contents {
    var contents = Contents()
    var folders: [FilePath] = [""]
    while let inner = folders.popLast() {
      for name in (try? FileSystem.real.names(in: folder.appending(inner))) ?? [] {
        let name = inner.isEmpty ? name : inner.appending(name)
        let path = folder.appending(name)
        // SQLite makes its index of the log again.
        guard !name.string.hasSuffix(".sqlite-shm"),
          let status = try? FileSystem.real.status(of: path)
        else { continue }
        if status.kind == .folder {
          contents.names[name] = .folder
          folders.append(name)
        } else if let data = try? Data(contentsOf: path.fileURL) {
          contents.names[name] = .file(inode: status.inode)
          let number = memory.numbers[data] ?? memory.contents.count
          if number == memory.contents.count {
            memory.contents.append(data)
            memory.numbers[data] = number
          }
          contents.bytes[status.inode] = Bytes(number: number, count: data.count)
        }
      }
    }
    return contents
  }

  private func observe(before next: FileSystem.Operation?) {
    memory.withLock { memory in
      let now = contents(&memory)
      let last = memory.last.flatMap { last in
        name(of: last.path).map { (kind: last.kind, name: $0) }
      }
      let isByOthers =
        last.map { [.rename, .unlink].contains($0.kind) && Self.isDatabase($0.name) } ?? false
      var change: [FilePath: Entry?] = [:]
      var databaseNames: [FilePath: Entry?] = [:]
      for name in Set(now.names.keys).union(memory.now.names.keys)
      where now.names[name] != memory.now.names[name] {
        if Self.isDatabase(name), !isByOthers {
          databaseNames[name] = .some(now.names[name])
        } else {
          change[name] = .some(now.names[name])
        }
      }
      var isChanged = !change.isEmpty
      if isChanged { memory.pending.append(change) }
      memory.now.names = now.names
      // The bytes of files whose last name went are kept, because a power cut may bring it back.
      var databases: [UInt64: Bytes] = [:]
      for (name, entry) in now.names {
        guard case .file(let inode) = entry, memory.now.bytes[inode] != now.bytes[inode] else {
          continue
        }
        if Self.isDatabase(name) {
          databases[inode] = now.bytes[inode]
        } else {
          memory.now.bytes[inode] = now.bytes[inode]
          isChanged = true
        }
      }
      switch last {
      case (.sync, let name)?:
        if case .file(let inode)? = now.names[name] {
          memory.flushed.bytes[inode] = memory.now.bytes[inode]
        }
        isChanged = true
      case (.syncFolder, let name)?:
        memory.flush(name)
        isChanged = true
      default: break
      }
      // SQLite committed after the last operation.
      let isCommitted = !databases.isEmpty || !databaseNames.isEmpty
      if isChanged, isCommitted { Self.addStates(&memory) }
      for (name, entry) in databaseNames { memory.flushed.names[name] = entry }
      memory.now.bytes.merge(databases) { _, new in new }
      memory.flushed.bytes.merge(databases) { _, new in new }
      if isChanged || isCommitted { Self.addStates(&memory) }
      memory.last = next
    }
  }

  /// The path in the folder; empty for the folder itself, `nil` for other places.
  private func name(of path: FilePath) -> FilePath? {
    if path == folder { return "" }
    return path.isInside(folder)
      ? FilePath(bytes: path.bytes.dropFirst(folder.bytes.count + 1)) : nil
  }

  private static func addStates(_ memory: inout Memory) {
    let count = memory.pending.count
    // Every selection of a few changes; of many, the whole, nothing, each prefix, and a sample.
    var selections: [[Bool]] =
      count <= 5
      ? (0..<1 << count).map { bits in (0..<count).map { bits >> $0 & 1 == 1 } }
      : (0...count).map { end in (0..<count).map { $0 < end } }
    if count > 5 {
      for _ in 0..<24 {
        let selection = (0..<count).map { _ in Bool.random(using: &memory.random) }
        selections.append(selection)
      }
    }
    for selection in selections {
      var names = memory.flushed.names
      var skipped: Set<FilePath> = []
      for (change, isThere) in zip(memory.pending, selection) {
        if isThere, skipped.isDisjoint(with: change.keys) {
          for (name, entry) in change { names[name] = entry }
        } else {
          skipped.formUnion(change.keys)
        }
      }
      for part in 0..<3 {
        var state = State()
        // A folder comes before the names in it.
        for (name, entry) in names.sorted(by: { $0.key < $1.key }) {
          let parent = name.removingLastComponent()
          guard parent.isEmpty || state.files[parent]?.entry == .folder else { continue }
          guard case .file(let inode) = entry else {
            state.files[name] = State.File(entry: entry, bytes: nil)
            continue
          }
          var bytes = memory.now.bytes[inode]
          let count = bytes?.count ?? 0
          if memory.flushed.bytes[inode] != bytes { bytes?.count = count * part / 2 }
          state.files[name] = State.File(entry: entry, bytes: bytes)
        }
        memory.possible.insert(state)
      }
    }
  }
}

extension VolatileDisk.Memory {
  /// Puts the names in one folder on the disk.
  fileprivate mutating func flush(_ folder: FilePath) {
    func isIn(_ name: FilePath) -> Bool { name.removingLastComponent() == folder }
    for name in Set(now.names.keys).union(flushed.names.keys) where isIn(name) {
      flushed.names[name] = now.names[name]
    }
    pending = pending.map { $0.filter { !isIn($0.key) } }.filter { !$0.isEmpty }
  }
}
