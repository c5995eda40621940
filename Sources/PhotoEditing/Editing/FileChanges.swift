import SafelightFiles
import SafelightStorage

/// Which files a call wrote, replaced and removed.
public struct FileChanges: Sendable, Hashable {
  /// Files that were not there before.
  public private(set) var written: [FilePath] = []
  /// Files with the names of earlier ones.
  public private(set) var replaced: [FilePath] = []
  /// Files that are gone.
  public private(set) var removed: [FilePath] = []

  /// No files.
  public init() {}

  /// A picture that was exported.
  package init(exported path: FilePath, replacing: Bool) {
    if replacing { replaced = [path] } else { written = [path] }
  }

  /// A file that was removed.
  package init(removed path: FilePath) { removed = [path] }

  /// Whether no file changed.
  public var isEmpty: Bool { written.isEmpty && replaced.isEmpty && removed.isEmpty }

  /// Adds the changes of another call.
  public mutating func add(_ other: FileChanges) {
    written += other.written
    replaced += other.replaced
    removed += other.removed
  }
}

/// What the files of a call are before it, to be compared with what they are after it.
struct WatchedFiles {
  private let paths: [FilePath]
  private let revisions: [FileRevision?]
  private let fileSystem: FileSystem

  /// Looks at files.
  init(_ paths: [FilePath], _ fileSystem: FileSystem) {
    var seen: Set<FilePath> = []
    self.paths = paths.filter { seen.insert($0).inserted }
    self.fileSystem = fileSystem
    revisions = self.paths.map { FileRevision(of: $0, fileSystem) }
  }

  /// What has changed since.
  ///
  /// - Parameter others: Files that turned out to be written, besides those watched.
  func changes(with others: [FilePath?]) -> FileChanges {
    var changes = FileChanges()
    for (path, revision) in zip(paths, revisions) {
      changes.note(path, from: revision, to: FileRevision(of: path, fileSystem))
    }
    for path in others.compactMap(\.self) where !paths.contains(path) {
      changes.note(path, from: nil, to: FileRevision(of: path, fileSystem))
    }
    return changes
  }
}

extension FileChanges {
  fileprivate mutating func note(
    _ path: FilePath, from old: FileRevision?, to new: FileRevision?
  ) {
    switch (old, new) {
    case (nil, _?): written.append(path)
    case (_?, nil): removed.append(path)
    case (let old?, let new?) where old != new: replaced.append(path)
    default: break
    }
  }
}

extension EditPlan {
  /// The files that the plan may write, replace or remove.
  func files(of open: OpenEdit) -> [FilePath] {
    var roles = FileRole.single + (open.record?.files.map(\.role) ?? [])
    var others: [FilePath] = []
    switch change {
    case .commit(let new): roles += new.versions.map { .version($0.name) }
    case .saveVersion(let name, _): roles.append(.version(name))
    case .keep(let kept, _, let copies):
      roles += kept.map { .version($0.name) }
      others = copies + open.files.knownConflictRenders()
    case .adopt(let adoption): others = adoption.files
    case .none, .revert, .removeVersion, .write: break
    }
    return roles.flatMap { role in
      [
        open.files.path(of: role) ?? (try? open.files.plannedPath(of: role)),
        open.files.newerRender(role),
      ].compactMap(\.self)
    } + [open.files.recordPath] + others
  }

  /// The photo's edit once the plan is performed: empty for none and for another program's, `nil` when it cannot be
  /// read.
  func edit(of open: OpenEdit) -> EditStack? {
    switch change {
    case .revert: EditStack()
    case .commit(let new):
      if case .rendered(let stack, _) = new.render {
        stack
      } else if EditStack.canHandle(new.data) {
        try? EditStack(new.data)
      } else {
        EditStack()
      }
    case .none, .saveVersion, .keep, .removeVersion, .write: try? open.stack()
    case .adopt(let adoption):
      switch adoption.adjustmentData {
      case let data? where EditStack.canHandle(data): try? EditStack(data)
      case nil: nil
      default: EditStack()
      }
    }
  }
}

extension OpenEdit {
  /// The transaction of a photo that was opened for a change.
  var changing: Transaction {
    guard let transaction else { preconditionFailure("The photo is open only for reading.") }
    return transaction
  }
}
