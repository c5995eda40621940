import SafelightFiles

/// The names of the files that belong to one original, all in its folder.
///
/// The sidecar is the full name and `.aae`. Renders and bases are called after the stem, or after
/// the full name when that is taken. Files of a change that is not finished have hidden names: the
/// claim and the pending record always the same, so that everybody finds them, and staged files
/// names of their transaction's own.
struct PhotoNames: Sendable {
  /// Most bytes in a file's name on Linux.
  static let limit = 255

  /// The folder of the original.
  let folder: FilePath
  /// The original's own name.
  let original: FilePath
  /// The name that hidden names are made from: the original's own, or one that it had before.
  let hiddenOriginal: FilePath
  private let hidden: String

  /// The names around the original at `path`, symbolic links already followed.
  ///
  /// - Parameter former: The name that the original had when its hidden files were made, when that was another.
  init(_ path: FilePath, hiddenAs former: FilePath? = nil) {
    folder = path.removingLastComponent()
    original = path.lastComponent ?? path
    hiddenOriginal = former ?? original
    hidden = ".safelight-" + SHA256.digest(of: hiddenOriginal.bytes).description.prefix(16)
  }

  /// Whether the hidden files still have names made from the original's former name.
  var isHiddenAsFormer: Bool { hiddenOriginal != original }

  var record: FilePath { folder.appending(original.suffixed(FileRole.sidecar.suffix)) }
  var pending: FilePath { folder.appending(hidden + ".pending") }
  /// The file whose lock lets a process change what is beside the original; see ``Claim``.
  var claim: FilePath { folder.appending(hidden + ".claim") }

  /// Throws when something that Safelight did not make has the name of the claim, which is an empty file.
  ///
  /// - Throws: ``StorageError/hiddenNameTaken(_:)``; the disk's errors are left to whoever makes the file.
  func checkClaimsName(_ fileSystem: FileSystem) throws(StorageError) {
    let present = try? fileSystem.status(of: claim)
    if let present, present.kind != .file || present.size > 0 { throw .hiddenNameTaken(claim) }
  }

  /// The hidden name of a file that a transaction stages.
  ///
  /// - Parameter token: 16 hexadecimal digits, the transaction's own, so that no transaction ever
  ///   writes or removes a file that another one stages.
  func staged(_ kind: HiddenFile.StagedKind, token: String) -> FilePath {
    folder.appending("\(hidden).\(kind.text)-\(token)")
  }

  /// The files that transactions staged for this photo and that are still there. Lists the folder.
  func presentStaged(_ fileSystem: FileSystem) throws(StorageError) -> [FilePath] {
    let key = FilePath(hidden)
    return try onDisk { () throws(FileSystemError) in
      try fileSystem.names(in: folder).compactMap(HiddenFile.init)
        .filter { $0.key == key && $0.stagedKind != nil }.map { folder.appending($0.name) }
    }
  }

  /// Names for a new file of this kind, the one to prefer first.
  func candidates(_ suffix: String) -> [FilePath] { Self.candidates(suffix, of: original) }

  /// The same for an original of another name.
  static func candidates(_ suffix: String, of original: FilePath) -> [FilePath] {
    let stem = original.stem ?? original
    let preferred = stem.suffixed(suffix)
    let full = original.suffixed(suffix)
    return preferred == full ? [full] : [preferred, full]
  }

  /// Whether a file has a name that a file of this photo's edit may have.
  func mayBeOwn(_ name: FilePath) -> Bool {
    FileRole.single.contains { candidates($0.suffix).contains(name) }
      || FileRole.Kind.recorded.filter(\.isMany).contains { kind in
        candidates(kind.mark).contains { name.bytes.starts(with: $0.bytes) }
      }
  }

  func path(of name: FilePath) -> FilePath { folder.appending(name) }

  /// The names around the renders that this photo may have, to be claimed.
  var aroundRenders: [PhotoNames] {
    PhotoNames(path(of: hiddenOriginal)).candidates(FileRole.render.suffix).map {
      PhotoNames(path(of: $0))
    }
  }
}

/// A file that Safelight gave a hidden name, because a change or an export is not finished.
package struct HiddenFile: Sendable, Hashable {
  /// What the file is.
  package enum Kind: Sendable, Hashable {
    /// A pending change: it counts, and is not finished.
    case pending
    /// What a process locks while it changes a photo.
    case claim
    /// A staged file.
    case staged(StagedKind)
    /// A picture being written elsewhere, by a process of this number.
    case export(process: Int32)
  }

  /// What a staged file is to become.
  package struct StagedKind: Sendable, Hashable {
    let kind: FileRole.Kind
    /// Its place among the files of its kind that are staged together; `nil` where there is one.
    let index: Int?

    init(_ kind: FileRole.Kind, _ index: Int? = nil) { (self.kind, self.index) = (kind, index) }
  }

  /// What the file is.
  package let kind: Kind
  /// What the hidden names of one photo's files have in common.
  package let key: FilePath
  /// The hidden name.
  package let name: FilePath

  /// What the file is to become, if it is a staged file.
  package var stagedKind: StagedKind? {
    if case .staged(let kind) = kind { kind } else { nil }
  }

  private static let prefix = Array(".safelight-".utf8)

  /// The file of this name; `nil` for names that Safelight does not give.
  package init?(_ name: FilePath) {
    guard name.bytes.starts(with: Self.prefix) else { return nil }
    self.name = name
    if let process = FileSink.process(of: name) {
      kind = .export(process: process)
      key = name
      return
    }
    let parts = name.bytes.dropFirst(Self.prefix.count).split(
      separator: UInt8(ascii: "."), maxSplits: 1)
    guard parts.count == 2, parts[0].count == 16 else { return nil }
    key = FilePath(bytes: Self.prefix + parts[0])
    switch String(decoding: parts[1], as: UTF8.self) {
    case "pending": kind = .pending
    case "claim": kind = .claim
    case let text:
      guard let staged = StagedKind(text) else { return nil }
      kind = .staged(staged)
    }
  }

  /// What the hidden names of a photo's files have in common.
  ///
  /// - Parameter photo: The original's own name.
  package static func key(of photo: FilePath) -> FilePath? {
    PhotoNames(photo).pending.stem
  }

  /// What they have in common when the photo was renamed with its sidecar since they got their names; `nil` when it
  /// was not.
  ///
  /// - Parameter photo: The photo, whose sidecar is read.
  package static func formerKey(
    of photo: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> FilePath? {
    let names = PhotoNames(photo)
    guard let sidecar = try LoadedRecord.load(names.record, fileSystem) else { return nil }
    return try names.beforeRenaming(sidecar, fileSystem)?.pending.stem
  }

  /// The same for the renders that a photo may have, whose names are claimed.
  package static func keysOfRenders(of photo: FilePath) -> [FilePath] {
    PhotoNames(photo).aroundRenders.compactMap(\.pending.stem)
  }
}

extension HiddenFile.StagedKind {
  var text: String { index.map { "\(kind.word)-\($0)" } ?? kind.word }

  /// The kind in the end of a hidden name, which also has the transaction's token. Versions before
  /// 0.1.0 gave no token.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    var tokens = parts.dropFirst()
    guard let kind = FileRole.Kind.all.first(where: { $0.word == parts[0] }), kind != .original
    else { return nil }
    if kind.isMany {
      guard let index = tokens.popFirst().flatMap({ Int($0) }), index >= 0 else { return nil }
      self.init(kind, index)
    } else {
      self.init(kind)
    }
    let isToken = tokens.first.map { $0.count == 16 && UInt64($0, radix: 16) != nil } ?? true
    if tokens.count > 1 || !isToken { return nil }
  }
}
