/// The names of the files that belong to one original, all in its folder.
///
/// The sidecar is the full name and `.aae`. Renders and bases are called after the stem, or after
/// the full name when that is taken. What is not finished yet has hidden names that are the same
/// every time: only one writer holds the lock, and recovery knows where to look.
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

  /// Everything that waits for a decision, to be removed in this order when none was made: of the
  /// versions the last comes first, so that whatever is left begins at 0 and is found.
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
