/// The names of the files that belong to one original, all in its folder.
///
/// The sidecar is the full name and `.aae`. Renders and bases are called after the stem, or after
/// the full name when that is taken. What is not finished yet has hidden names that are the same
/// every time: only one writer holds the lock, and recovery knows where to look.
struct AssetNames: Sendable {
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
  /// One version is saved at a time.
  var stagedVersion: FilePath { folder.appending(hidden + ".version") }
  var stagedSidecar: FilePath { folder.appending(hidden + ".sidecar") }

  /// Everything that waits for a decision, to be removed when none was made.
  var staged: [FilePath] {
    [stagedRecord, stagedRender, stagedBase, stagedVersion, stagedSidecar]
  }

  /// Where a file of this kind waits for a decision.
  func staged(_ role: Record.FileRole) -> FilePath {
    switch role {
    case .render: stagedRender
    case .base: stagedBase
    case .version: stagedVersion
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
