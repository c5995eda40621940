import Synchronization

/// The sidecars of one folder, as far as needed to recognize renders and bases among its files.
///
/// Lists the folder once, when made. Make a new one to see later changes.
public final class FolderRecords: Sendable {
  /// What a file is to an asset.
  public enum Role: Sendable, Hashable {
    /// The rendered JPEG of an edit or of a version.
    case render
    /// The pixels that an edit starts from.
    case base
  }

  /// A file's place in an asset.
  public struct Membership: Sendable, Hashable {
    /// The original that the file belongs to.
    public let original: FilePath
    /// What the file is to it.
    public let role: Role
  }

  /// The names of everything in the folder, in no particular order.
  public let names: [FilePath]

  private let folder: FilePath
  private let fileSystem: FileSystem
  private let records: Set<FilePath>
  private let pending: [FilePath]
  private let index = Mutex<[FilePath: Membership]?>(nil)

  /// Lists a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder's path; empty for the current one.
  ///   - fileSystem: The way to the disk.
  /// - Throws: ``StorageError/fileSystem(_:)`` when the folder cannot be listed.
  public init(_ folder: FilePath, fileSystem: FileSystem = .real) throws(StorageError) {
    self.folder = folder
    self.fileSystem = fileSystem
    names = try onDisk { () throws(FileSystemError) in try fileSystem.names(in: folder) }
    records = Set(names.filter { $0.hasSuffix(PhotoNames.recordSuffix) })
    pending = names.filter {
      $0.bytes.starts(with: ".safelight-".utf8) && $0.hasSuffix(".pending")
    }
  }

  private static let suffixes = [PhotoNames.renderSuffix, PhotoNames.baseSuffix]

  /// Whether a file has a name that Safelight gives to renders or bases; if not, the folder need not
  /// be listed to know that it is neither.
  public static func mayBeMember(_ name: FilePath) -> Bool { stem(of: name) != nil }

  /// What stands before the part that Safelight adds; `nil` when there is none. Of a photo whose own
  /// name has such a part, or a version's, it may be too short.
  private static func stem(of name: FilePath) -> FilePath? {
    for suffix in suffixes where name.hasSuffix(suffix) {
      return FilePath(bytes: name.bytes.dropLast(suffix.utf8.count))
    }
    guard name.hasSuffix(".jpg") else { return nil }
    let mark = Array(PhotoNames.versionMark.utf8)
    let start = name.bytes.indices.dropLast(mark.count - 1).first { start in
      name.bytes[start..<(start + mark.count)].elementsEqual(mark)
    }
    return start.map { FilePath(bytes: name.bytes[..<$0]) }
  }

  /// The asset that the file `name` is the render or the base of, by that asset's own record.
  ///
  /// Cheap for names that Safelight does not give. Otherwise the likeliest records are read first;
  /// when they do not name the file, all records of the folder are, once.
  /// - Parameter name: A name in this folder, without slashes.
  /// - Returns: `nil` when no readable record names the file.
  public func membership(of name: FilePath) -> Membership? {
    guard let stem = Self.stem(of: name) else { return nil }
    for fileExtension in ["", ".jpg", ".JPG", ".jpeg", ".heic", ".HEIC", ".png", ".tif"] {
      let record = stem.suffixed(fileExtension).suffixed(PhotoNames.recordSuffix)
      guard records.contains(record) else { continue }
      if let member = members(of: record).first(where: { $0.0 == name }) { return member.1 }
    }
    return index.withLock { index in
      let complete = index ?? completeIndex()
      index = complete
      return complete[name]
    }
  }

  private func completeIndex() -> [FilePath: Membership] {
    var index: [FilePath: Membership] = [:]
    for name in Array(records) + pending {
      for (file, membership) in members(of: name) { index[file] = membership }
    }
    return index
  }

  /// The files that one record names; none when it cannot be read.
  private func members(of recordName: FilePath) -> [(FilePath, Membership)] {
    guard let loaded = try? LoadedRecord.load(folder.appending(recordName), fileSystem),
      case .commit(let record)? = try? loaded.change()
    else { return [] }
    // A pending record's name does not tell the original's; a sidecar's does, even after renaming.
    let original =
      recordName.hasSuffix(PhotoNames.recordSuffix)
      ? FilePath(bytes: recordName.bytes.dropLast(PhotoNames.recordSuffix.utf8.count))
      : record.original?.name
    guard let original else { return [] }
    let path = folder.appending(original)
    return record.files.map { file in
      (file.file.name, Membership(original: path, role: file.role == .base ? .base : .render))
    }
  }
}

extension FilePath {
  fileprivate func hasSuffix(_ suffix: String) -> Bool {
    bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}
