import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles
import SafelightFormats
import Synchronization

import struct SafelightStorage.CompanionNames
import class SafelightStorage.FolderRecords
import struct SafelightStorage.HiddenFile

extension FileRevision {
  static let columns: [AssetColumn] = [.size, .modified, .inode]

  /// The state of an asset's file when it was last read, from ``columns``.
  init(_ asset: AssetRow) {
    self.init(size: asset[.size], modified: asset[.modified], inode: asset[.inode])
  }
}

/// A photo's file as the catalog has it.
struct KnownFile: Sendable, Hashable {
  let row: Int64
  let name: FilePath
  let revision: FileRevision
  let recordModified: Int64?
  let headerVersion: Int
  let adjustmentFormat: String?
  let isTrashed: Bool

  /// Whether the catalog has everything that a scan would read from the file and from its sidecar.
  func isCurrent(_ status: FileStatus, sidecarModified: Int64?) -> Bool {
    matches(status) && headerVersion == IndexedPhoto.headerVersion
      && recordModified == sidecarModified
  }

  /// Whether the file has not changed since it was read.
  func matches(_ status: FileStatus) -> Bool {
    status.kind == .file && revision == FileRevision(status)
  }
}

extension KnownFile {
  static let columns = AssetColumns(
    FileRevision.columns + [
      .id, .name, .recordModified, .headerVersion, .trashedDate, .adjustmentFormat,
    ])

  /// Reads ``columns``.
  init(row: Row) {
    let asset = Self.columns.row(row)
    self.row = asset[.id]
    name = FilePath(bytes: asset[.name] as [UInt8])
    revision = FileRevision(asset)
    recordModified = asset[.recordModified]
    headerVersion = asset[.headerVersion]
    adjustmentFormat = asset[.adjustmentFormat]
    isTrashed = asset[.trashedDate] as Double? != nil
  }
}

/// The differences between one folder and the catalog.
///
/// A scan ignores hidden files and folders, symbolic links, sidecars, the renders and base photos that a
/// sidecar names, other programs' renders of photos beside them, and what the rules of the folder leave out.
struct FolderScan {
  /// The files that are new or have changed.
  private(set) var jobs: [IndexingJob] = []
  /// The files that the catalog has and that are no longer photos of this folder.
  private(set) var missing: [KnownFile] = []
  /// How many of the missing ones the rules leave out.
  private(set) var leftOut = 0
  /// The folders in this folder, sorted by the bytes of their names; `nil` when the names were not listed.
  private(set) var folders: [FilePath]?
  /// The folder's modification time in nanoseconds; `nil` when the folder changed so recently that a later
  /// change may leave the time as it is.
  private(set) var listed: Int64?
  /// The number of names that are not hidden; `nil` when the names were not listed.
  private(set) var count: Int?

  private let path: FilePath
  /// The folder with its rules; `nil` for photos that were added by themselves.
  private let walked: WalkedFolder?
  private let only: Set<FilePath>?
  private let fileSystem: FileSystem

  /// Scans a folder, without the folders in it.
  ///
  /// - Parameters:
  ///   - path: The folder, absolute.
  ///   - known: The catalog's files in the folder.
  ///   - listed: The modification time that the folder had when it was last listed by the same rules.
  ///   - walked: The folder with its rules; without it nothing is left out.
  ///   - only: The names to scan; `nil` scans all names and finds the folders.
  /// - Throws: ``StorageError`` when the folder cannot be listed.
  init(
    _ path: FilePath, known: [KnownFile], listed: Int64?, by walked: WalkedFolder? = nil,
    only: Set<FilePath>? = nil,
    through fileSystem: FileSystem
  ) throws(StorageError) {
    self.path = path
    self.walked = walked
    self.only = only
    self.fileSystem = fileSystem
    let status = try? fileSystem.status(of: path)
    if only == nil, let listed, status?.modified.inNanoseconds == listed,
      known.allSatisfy(isUnchanged)
    {
      self.listed = listed
      return
    }
    // Two names that come within a tick of the clock leave the folder with the same time.
    if only == nil, let status,
      Date().timeIntervalSince1970.rounded(.down) - status.modified.inSeconds > 2
    {
      self.listed = status.modified.inNanoseconds
    }
    // In a damaged catalog two rows may have one name.
    try list(Dictionary(known.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }))
  }

  private func isUnchanged(_ file: KnownFile) -> Bool {
    let path = path.appending(file.name)
    guard let status = try? fileSystem.status(of: path) else { return file.isTrashed }
    // A new sidecar changes the folder's time. A sidecar that is written again does not.
    var sidecar: FileStatus?
    if file.recordModified != nil {
      sidecar = try? fileSystem.status(of: path.suffixed(".aae"))
      if sidecar == nil {
        let names = CompanionNames(in: self.path, fileSystem)
        sidecar = names.companions(of: file.name).sidecar.flatMap { name in
          try? fileSystem.status(of: self.path.appending(name))
        }
      }
    }
    return file.isCurrent(status, sidecarModified: sidecar?.modified.inNanoseconds)
  }

  private mutating func list(_ known: [FilePath: KnownFile]) throws(StorageError) {
    let members = try FolderRecords(path, fileSystem: fileSystem)
    let neighbors = FolderNames(members.names, members.companions)
    var present: Set<FilePath> = []
    var belonging: Set<FilePath> = []
    var folders: [FilePath] = []
    var count = 0
    for name in members.names where !name.isHidden {
      count += 1
      if let only, !only.contains(name) { continue }
      if name.extension?.lowercased() == "aae" { continue }
      if members.companions.isDescription(name) { continue }
      guard let status = try? fileSystem.status(of: path.appending(name)) else { continue }
      switch status.kind {
      case .folder: folders.append(path.appending(name))
      case .symbolicLink, .other: break
      case .file:
        let isLeftOut = walked?.isExcluded(name, isFolder: false) == true
        if isLeftOut, known[name]?.isTrashed == false { leftOut += 1 }
        if isLeftOut || members.membership(of: name) != nil
          || members.companions.original(ofRender: name) != nil
        {
          belonging.insert(name)
          continue
        }
        present.insert(name)
        let job = IndexingJob(name, in: path, among: neighbors)
        let isCurrent = known[name]?.isCurrent(status, sidecarModified: job.sidecarModified)
        if isCurrent != true || job.isPending { jobs.append(job) }
      }
    }
    // The listing of a folder that changes may miss a name, so each missing file is looked up. A file of
    // which the disk does not say anything is not missing.
    missing = known.values.filter { file in
      guard !file.isTrashed, !present.contains(file.name) else { return false }
      if belonging.contains(file.name) { return true }
      do { return try fileSystem.kind(of: path.appending(file.name)) != .file } catch {
        return false
      }
    }
    self.folders = folders.sorted(by: <)
    self.count = count
  }
}

/// The names in a folder, for questions about single photos.
final class FolderNames: Sendable {
  /// What other programs put beside photos.
  let companions: CompanionNames
  private let names: Set<FilePath>
  private let pending: Set<FilePath>
  /// The identifiers of all videos, once somebody asked for a video of another name.
  private let videos = Mutex<Set<String>?>(nil)

  init(_ names: [FilePath], _ companions: CompanionNames? = nil) {
    self.names = Set(names)
    self.companions = companions ?? CompanionNames(names)
    pending = Set(names.compactMap { HiddenFile($0) }.filter { $0.kind == .pending }.map(\.key))
  }

  func contains(_ name: FilePath) -> Bool { names.contains(name) }

  /// Whether a change of the photo's edit is decided and not finished.
  func hasPendingChange(of name: FilePath) -> Bool {
    !pending.isEmpty && HiddenFile.key(of: name).map(pending.contains) ?? false
  }

  /// Whether the folder has a photo's video, which may have another name where both have an identifier.
  ///
  /// - Parameter identifier: The content identifier of the photo; `nil` when it has none.
  func hasVideo(for name: FilePath, _ identifier: String?, in folder: FilePath) -> Bool {
    let named = PhotoVideo.names(for: name).filter(names.contains)
    if named.contains(where: {
      PhotoVideo.isVideo(at: folder.appending($0), ofStill: identifier)
    }) {
      return true
    }
    guard let identifier else { return false }
    return videos.withLock { videos in
      let known = videos ?? Set(PhotoVideo.videos(in: folder, names).keys)
      videos = known
      return known.contains(identifier)
    }
  }

  func sidecar(of name: FilePath) -> FilePath? {
    let sidecar = name.suffixed(".aae")
    return names.contains(sidecar) ? sidecar : nil
  }

  /// The names of the files that a folder may have for a photo.
  static func belonging(to name: FilePath) -> [FilePath] {
    let pending = HiddenFile.key(of: name).map { $0.suffixed(".pending") }
    return [name.suffixed(".aae")] + PhotoVideo.names(for: name) + [pending].compactMap(\.self)
  }
}
