import Glibc
import PhotoEditing
import SafelightCatalog
import SafelightFiles
import SafelightStorage

/// A file as the catalog knows it.
struct KnownFile: Sendable, Hashable {
  let row: Int64
  let name: FilePath
  let size: Int64
  let modified: Int64
  let inode: Int64
  let recordModified: Int64?
  let headerVersion: Int
  let adjustmentFormat: String?
  let isTrashed: Bool

  /// Whether the catalog has what a scan would read from the file: the file did not change, and an earlier
  /// program did not read less.
  func isCurrent(_ trace: FileTrace) -> Bool {
    matches(trace) && headerVersion == IndexedPhoto.headerVersion
  }

  /// Whether the file is the one that a scan read.
  func matches(_ trace: FileTrace) -> Bool {
    trace.kind == .file && trace.size == size && trace.modified == modified
      && trace.inode == inode
  }
}

extension KnownFile {
  static let columns = AssetColumns([
    .id, .name, .size, .modified, .inode, .recordModified, .headerVersion, .trashedDate,
    .adjustmentFormat,
  ])

  /// Reads ``columns``.
  init(row: Row) {
    let asset = Self.columns.row(row)
    self.row = asset[.id]
    name = FilePath(bytes: asset[.name] as [UInt8])
    size = asset[.size]
    modified = asset[.modified]
    inode = asset[.inode]
    recordModified = asset[.recordModified]
    headerVersion = asset[.headerVersion]
    adjustmentFormat = asset[.adjustmentFormat]
    isTrashed = asset[.trashedDate] as Double? != nil
  }
}

/// One folder compared with what the catalog knows of it.
///
/// Hidden files and folders, symbolic links, sidecars, and the renders and bases that a sidecar names
/// are passed over.
struct FolderScan {
  /// Files that are new or not as they were.
  private(set) var jobs: [IndexingJob] = []
  /// Files that the catalog knows and that are no photos of this folder any more.
  private(set) var missing: [KnownFile] = []
  /// Folders in it, sorted by the bytes of their names; `nil` when the names were not listed.
  private(set) var folders: [FilePath]?
  /// The folder's own modification time, if it can be trusted to tell later that no name changed.
  private(set) var listed: Int64?
  /// How many names there are that are not hidden; `nil` when they were not listed.
  private(set) var count: Int?

  private let path: FilePath
  private let only: Set<FilePath>?

  /// Looks into a folder.
  ///
  /// - Parameters:
  ///   - path: The folder, absolute.
  ///   - known: The catalog's files in it.
  ///   - listed: The modification time that the folder had when it was listed last.
  ///   - only: The names that are looked at; `nil` for all, and the folders in it.
  /// - Throws: ``StorageError`` when it cannot be listed.
  init(
    _ path: FilePath, known: [KnownFile], listed: Int64?, only: Set<FilePath>? = nil
  ) throws(StorageError) {
    self.path = path
    self.only = only
    guard only == nil else {
      try list(Dictionary(uniqueKeysWithValues: known.map { ($0.name, $0) }))
      return
    }
    let trace = FileTrace(path)
    if let listed, trace?.modified == listed, known.allSatisfy(isUnchanged) {
      self.listed = listed
      return
    }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    // Within a tick of the clock a name may still come without the time telling.
    if let trace, Double(now.tv_sec) - trace.modifiedSeconds > 2 { self.listed = trace.modified }
    try list(Dictionary(uniqueKeysWithValues: known.map { ($0.name, $0) }))
  }

  private func isUnchanged(_ file: KnownFile) -> Bool {
    let path = path.appending(file.name)
    guard let trace = FileTrace(path) else { return file.isTrashed }
    guard file.isCurrent(trace) else { return false }
    // A new sidecar changes the folder's time; one that was written over does not.
    guard let modified = file.recordModified else { return true }
    return FileTrace(FilePath(bytes: path.bytes + Array(".aae".utf8)))?.modified == modified
  }

  private mutating func list(_ known: [FilePath: KnownFile]) throws(StorageError) {
    let members = try FolderRecords(path)
    let neighbors = FolderNames(members.names)
    var present: Set<FilePath> = []
    var belonging: Set<FilePath> = []
    var folders: [FilePath] = []
    var count = 0
    for name in members.names where name.bytes.first != UInt8(ascii: ".") {
      count += 1
      if let only, !only.contains(name) { continue }
      if name.extension?.lowercased() == "aae" { continue }
      guard let trace = FileTrace(path.appending(name)) else { continue }
      switch trace.kind {
      case .folder: folders.append(path.appending(name))
      case .other: break
      case .file:
        if members.membership(of: name) != nil {
          belonging.insert(name)
          continue
        }
        present.insert(name)
        inspect(name, trace: trace, neighbors: neighbors, known: known[name])
      }
    }
    // A name that a listing missed since the folder was changing meanwhile is still there.
    missing = known.values.filter { file in
      !file.isTrashed && !present.contains(file.name)
        && (belonging.contains(file.name)
          || FileTrace(path.appending(file.name))?.kind != .file)
    }
    self.folders = folders.sorted(by: <)
    self.count = count
  }

  private mutating func inspect(
    _ name: FilePath, trace: FileTrace, neighbors: FolderNames, known: KnownFile?
  ) {
    let sidecar = neighbors.sidecar(of: name).flatMap { FileTrace(path.appending($0))?.modified }
    let isPending = neighbors.hasPendingChange(of: name)
    if let known, known.isCurrent(trace), known.recordModified == sidecar, !isPending { return }
    jobs.append(
      IndexingJob(
        folder: path, name: name, sidecarModified: sidecar, isPending: isPending,
        hasVideo: neighbors.hasVideo(for: name), neighbors: neighbors))
  }
}

/// The names in a folder, shared by what is asked about its files.
final class FolderNames: Sendable {
  private let names: Set<FilePath>
  private let pending: Set<FilePath>

  init(_ names: [FilePath]) {
    self.names = Set(names)
    pending = Set(names.compactMap { HiddenFile($0) }.filter { $0.kind == .pending }.map(\.key))
  }

  func contains(_ name: FilePath) -> Bool { names.contains(name) }

  /// Whether a change of the photo's edit was decided and not carried out yet.
  func hasPendingChange(of name: FilePath) -> Bool {
    !pending.isEmpty && HiddenFile.key(of: name).map(pending.contains) ?? false
  }

  /// Whether a video of the photo's name stands beside it.
  func hasVideo(for name: FilePath) -> Bool {
    Self.videos(of: name).contains(where: names.contains)
  }

  func sidecar(of name: FilePath) -> FilePath? {
    let sidecar = Self.sidecar(for: name)
    return names.contains(sidecar) ? sidecar : nil
  }

  /// The names of files that say something of a photo, if they are there.
  static func belonging(to name: FilePath) -> [FilePath] {
    let pending = HiddenFile.key(of: name).map {
      FilePath(bytes: $0.bytes + Array(".pending".utf8))
    }
    return [sidecar(for: name)] + videos(of: name) + [pending].compactMap(\.self)
  }

  private static func sidecar(for name: FilePath) -> FilePath {
    FilePath(bytes: name.bytes + Array(".aae".utf8))
  }

  private static func videos(of name: FilePath) -> [FilePath] {
    guard let stem = name.stem else { return [] }
    return [".mov", ".MOV", ".mp4", ".MP4"].map { ending in
      FilePath(bytes: stem.bytes + Array(ending.utf8))
    }
  }
}
