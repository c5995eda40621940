import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightFiles
import SafelightMetadata

/// A render of Safelight's that belongs to the photo, and to another edit than its record says.
///
/// A program that syncs folders brings the small record before the large render, or the render first.
/// Until both are there, the render counts as missing: readers do without it, and the next edit or the
/// next rendering puts a new one in its place.
struct UnsyncedRender: Sendable, Hashable {
  /// Where it is.
  let path: FilePath
  /// The SHA-256 of its bytes.
  let digest: Digest
  /// Whether the record does not know its edit. Such a render is not replaced but put into the trash.
  let isNewer: Bool
}

extension Record {
  /// The renders that Safelight made for edits that this record tells of, or that were replaced: they can
  /// be made again, and new renders may take their places.
  var ownRenders: Set<Digest> { Set(toldRenders + earlierRenders) }

  /// Whether what a file holds is this edit's own: the recorded content, or a render that can be made again.
  func owns(_ digest: Digest, as named: File) -> Bool {
    digest == named.file.sha256 || named.role != .base && ownRenders.contains(digest)
  }

  var toldRenders: [Digest] {
    Self.toldRenders(adjustmentData, render, history + redo, versions)
  }

  /// The renders of Safelight's own edits that a record tells of, the present one last.
  static func toldRenders(
    _ present: AdjustmentData, _ render: RecordedRender?, _ steps: [HistoryEntry],
    _ versions: [RecordedVersion]
  ) -> [Digest] {
    func isOwn(_ data: AdjustmentData) -> Bool {
      data.formatIdentifier == EditStack.formatIdentifier
    }
    return steps.filter(\.isOwn).compactMap(\.render?.file.sha256)
      + versions.filter { isOwn($0.adjustmentData) }.map(\.render.file.sha256)
      + (isOwn(present) ? render.map { [$0.file.sha256] } ?? [] : [])
  }

  /// The renders that another program handed in for its edits. Nobody can make them again.
  fileprivate var rendersOfOthers: Set<Digest> {
    Set((history + redo).filter { !$0.isOwn }.compactMap(\.render?.file.sha256))
  }

  /// How many renders a record remembers that none of its edits has any more.
  private static let maximumEarlierRenders = 100

  /// The renders that `earlier` told of and its successor does not, the oldest first.
  ///
  /// - Parameters:
  ///   - more: Other renders of Safelight's that the successor is to know of.
  ///   - told: Those that the successor tells of.
  static func earlierRenders(
    of earlier: Record?, and more: [Digest], besides told: [Digest]
  ) -> [Digest] {
    guard let earlier else { return [] }
    var known = Set(told)
    return (earlier.earlierRenders + earlier.toldRenders + more)
      .filter { known.insert($0).inserted }
      .suffix(maximumEarlierRenders)
  }

  /// Whether an edit, as a render's metadata name it, is among those of this record.
  fileprivate func tellsOf(edit identity: String) -> Bool {
    func isIt(_ data: AdjustmentData?, _ render: RecordedRender?) -> Bool {
      guard let data, let render else { return false }
      return data.identity(renderedBy: render.renderer) == identity
    }
    return isIt(adjustmentData, render)
      || (history + redo).contains { isIt($0.adjustmentData, $0.render) }
      || versions.contains { isIt($0.adjustmentData, $0.render) }
  }
}

extension AdjustmentData {
  /// What the metadata of a render say of its edit: 64 hexadecimal digits.
  ///
  /// - Parameter renderer: Which renderer made the render, with its settings.
  package func identity(renderedBy renderer: String) -> String {
    var bytes: [UInt8] = []
    for text in [formatIdentifier, formatVersion, renderer] { bytes += Array(text.utf8) + [0] }
    return SHA256.digest(of: bytes + Array(data)).description
  }
}

extension FileContents {
  /// What a file is that has the name of a render and not its content; `nil` for the recorded render, for
  /// no file, and for a file that Safelight cannot be sure to have made.
  ///
  /// A render says in its metadata from which original and with which edit it was made. Other programs
  /// keep these metadata when they retouch it. So such a render counts as one of a newer edit only when
  /// the record does not know the edit.
  /// - Parameter exactly: Whether files with the recorded length are compared too, which takes as long
  ///   as reading them.
  func unsyncedRender(
    _ named: Record.File, at path: FilePath, of record: Record, exactly: Bool = true
  ) -> UnsyncedRender? {
    guard named.role != .base, !record.isForeign,
      let status = try? fileSystem.status(of: path), status.kind == .file,
      exactly || status.size != named.file.size,
      case .file(let digest)? = try? content(of: path), digest != named.file.sha256
    else { return nil }
    if record.ownRenders.contains(digest) || digest == record.base?.sha256
      || named.role == .render && digest == record.replaces
    {
      return UnsyncedRender(path: path, digest: digest, isNewer: false)
    }
    let isNewer = record.rendersOfOthers.contains(digest) || isRenderOfUnknownEdit(path, record)
    return isNewer ? UnsyncedRender(path: path, digest: digest, isNewer: true) : nil
  }

  private func isRenderOfUnknownEdit(_ path: FilePath, _ record: Record) -> Bool {
    guard let beginning = try? fileSystem.beginningOfFile(at: path),
      let reference = XMPPacket.derivedFrom(inJPEG: Data(beginning)),
      reference.manager == OriginalReference.safelight, let edit = reference.edit,
      let original = reference.sha256
    else { return false }
    if original == record.original?.sha256.description { return !record.tellsOf(edit: edit) }
    // The original has other metadata now than when the record was written.
    return original == (try? digestOfOriginal())?.description
  }
}

extension PhotoSnapshot {
  /// The render of another edit that has a file's place; `nil` when there is none.
  ///
  /// - Returns: Where it is, and whether the record does not know its edit.
  package func unsyncedRender(
    of role: Record.FileRole
  ) -> (path: FilePath, isNewer: Bool)? {
    unsynced[role].map { ($0.path, $0.isNewer) }
  }
}
