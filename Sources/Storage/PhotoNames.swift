import SafelightFiles

/// The names of the files that belong to one original, all in its folder.
///
/// The sidecar is the full name and `.aae`. Renders and bases are called after the stem, or after
/// the full name when that is taken. Unfinished files have hidden names that are the same every
/// time: only one writer holds the lock, and recovery knows where to look.
struct PhotoNames: Sendable {
  static let recordSuffix = ".aae"
  static let renderSuffix = "_edited.jpg"
  static let baseSuffix = "_base.jpg"
  /// What stands before a version's name in the name of its render.
  static let versionMark = "_edited-"
  /// Most bytes in a file's name on Linux.
  static let limit = 255

  /// The folder of the original.
  let folder: FilePath
  /// The original's own name.
  let original: FilePath
  private let hidden: String

  /// The names around the original at `path`, symbolic links already followed.
  init(_ path: FilePath) {
    folder = path.removingLastComponent()
    original = path.lastComponent ?? path
    hidden = ".safelight-" + SHA256.digest(of: original.bytes).description.prefix(16)
  }

  var record: FilePath { folder.appending(original.suffixed(Self.recordSuffix)) }
  var pending: FilePath { folder.appending(hidden + ".pending") }
  var stagedRecord: FilePath { folder.appending(hidden + ".record") }
  var stagedRender: FilePath { folder.appending(hidden + ".render") }
  var stagedBase: FilePath { folder.appending(hidden + ".base") }
  var stagedSidecar: FilePath { folder.appending(hidden + ".sidecar") }

  /// The render of the version at an index among those that are staged, from 0 without a gap.
  func stagedVersion(_ index: Int) -> FilePath {
    folder.appending(hidden + ".version-" + String(index))
  }

  /// All staged files, in the order in which recovery removes them. The last version comes first,
  /// so that the files left begin at 0 and are found.
  func presentStaged(_ fileSystem: FileSystem) throws(StorageError) -> [FilePath] {
    try onDisk { () throws(FileSystemError) in
      var versions: [FilePath] = []
      while true {
        let path = stagedVersion(versions.count)
        guard try fileSystem.status(of: path) != nil else { break }
        versions.append(path)
      }
      var present: [FilePath] = []
      for path in [stagedRecord, stagedRender, stagedBase, stagedSidecar] {
        if try fileSystem.status(of: path) != nil { present.append(path) }
      }
      return present + versions.reversed()
    }
  }

  /// Names for a new file of this kind, the one to prefer first.
  func candidates(_ suffix: String) -> [FilePath] {
    let stem = original.stem ?? original
    let preferred = stem.suffixed(suffix)
    let full = original.suffixed(suffix)
    return preferred == full ? [full] : [preferred, full]
  }

  func path(of name: FilePath) -> FilePath { folder.appending(name) }
}

/// A file that Safelight gave a hidden name, because a change or an export is not finished.
package struct HiddenFile: Sendable, Hashable {
  /// What the file is.
  package enum Kind: Sendable, Hashable {
    /// A pending change: it counts, and is not finished.
    case pending
    /// A staged file.
    case staged
    /// A picture being written elsewhere, by a process of this number.
    case export(process: Int32)
  }

  /// What the file is.
  package let kind: Kind
  /// What the hidden names of one photo's files have in common.
  package let key: FilePath
  /// The hidden name.
  package let name: FilePath

  private static let prefix = Array(".safelight-".utf8)
  private static let exportPrefix = prefix + Array("export-".utf8)

  /// The file of this name; `nil` for names that Safelight does not give.
  package init?(_ name: FilePath) {
    guard name.bytes.starts(with: Self.prefix) else { return nil }
    self.name = name
    if name.bytes.starts(with: Self.exportPrefix) {
      let numbers = name.bytes.dropFirst(Self.exportPrefix.count).split(
        separator: UInt8(ascii: "-"))
      guard numbers.count == 2, let process = Int32(String(decoding: numbers[0], as: UTF8.self))
      else { return nil }
      kind = .export(process: process)
      key = name
      return
    }
    let parts = name.bytes.dropFirst(Self.prefix.count).split(
      separator: UInt8(ascii: "."), maxSplits: 1)
    guard parts.count == 2, parts[0].count == 16 else { return nil }
    key = FilePath(bytes: Self.prefix + parts[0])
    kind = parts[1].elementsEqual("pending".utf8) ? .pending : .staged
  }

  /// What the hidden names of a photo's files have in common.
  ///
  /// - Parameter photo: The original's own name.
  package static func key(of photo: FilePath) -> FilePath? {
    PhotoNames(photo).pending.stem
  }
}
