import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightFiles
import SafelightMetadata

/// A render of Safelight's in the place of a photo's render that shows something else than the photo's record
/// says.
///
/// A program that syncs folders brings the small record before the large render, or the render first.
/// Until both are there, the render counts as missing: readers do without it, and the next edit or the
/// next rendering puts a new one in its place.
package struct UnsyncedRender: Sendable, Hashable {
  /// What such a render shows.
  package enum Content: Sendable, Hashable {
    /// An edit that the photo's record knows.
    case earlierEdit
    /// An edit of the photo that its record does not know. Such a render is not replaced but put into the
    /// trash.
    case newerEdit
    /// Another photo with the same stem, whose name is given. Such a render keeps its name.
    case twin(FilePath)
  }

  /// Where it is.
  package let path: FilePath
  /// What it shows.
  package let content: Content
  /// The SHA-256 of its bytes.
  let digest: Digest

  var isNewer: Bool { content == .newerEdit }

  /// Whether it is a render of this photo, whose place a new one may take.
  var isOfPhoto: Bool { if case .twin = content { false } else { true } }
}

extension Record {
  /// The renders that Safelight made for edits that this record tells of, or that were replaced: they can
  /// be made again, and new renders may take their places.
  var ownRenders: Set<Digest> { Set(toldRenders + earlierRenders) }

  /// Whether what a file holds is this edit's own: the recorded content, or a render that can be made again.
  func owns(_ digest: Digest, as named: File) -> Bool {
    digest == named.file.sha256 || named.role.isRendered && ownRenders.contains(digest)
  }

  /// The renders of Safelight's own edits that the record tells of, the present one last.
  var toldRenders: [Digest] {
    func isOwn(_ data: AdjustmentData) -> Bool {
      data.formatIdentifier == EditStack.formatIdentifier
    }
    let ofSteps: [Digest] = (history + redo).filter(\.isOwn).compactMap(\.render?.file.sha256)
    let ofVersions: [Digest] = versions.filter { isOwn($0.adjustmentData) }
      .map(\.render.file.sha256)
    let ofPresent: [Digest] = isOwn(adjustmentData) ? render.map { [$0.file.sha256] } ?? [] : []
    return ofSteps + ofVersions + ofPresent
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

  /// Whether a render is one of this record's photo and of an edit that the record does not tell of.
  func isUnaware(of reference: OriginalReference) -> Bool { tellsOfEdit(in: reference) == false }

  /// Whether a render is one of this record's photo and of an edit that the record tells of.
  func isAware(of reference: OriginalReference) -> Bool { tellsOfEdit(in: reference) == true }

  /// Whether the record tells of a render's edit; `nil` for the render of another photo.
  private func tellsOfEdit(in reference: OriginalReference) -> Bool? {
    guard let edit = reference.edit, reference.sha256 == original?.sha256.description else {
      return nil
    }
    return tellsOf(edit: edit)
  }
}

extension OriginalReference {
  /// Whether it names a photo as a record does.
  func isAbout(_ original: RecordedFile) -> Bool {
    fileName == original.name.string || sha256 == original.sha256.description
  }
}

extension FileSystem {
  /// What a picture that Safelight rendered says of its original; `nil` for all other files.
  package func referenceOfRender(at path: FilePath) -> OriginalReference? {
    guard let beginning = try? beginningOfFile(at: path),
      let reference = XMPPacket.derivedFrom(inJPEG: Data(beginning)),
      reference.manager == OriginalReference.safelight
    else { return nil }
    return reference
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
    guard named.role.isRendered, !record.isForeign,
      let status = try? fileSystem.status(of: path), status.kind == .file,
      exactly || status.size != named.file.size,
      case .file(let digest)? = try? content(of: path), digest != named.file.sha256
    else { return nil }
    let isReplaced =
      digest == record.base?.sha256 || named.role == .render && digest == record.replaces
    return isReplaced
      ? UnsyncedRender(path: path, content: .earlierEdit, digest: digest)
      : unsyncedRender(holding: digest, at: path, of: record)
  }

  /// What a render is that the record of a photo without a render does not name, in the place that the next one
  /// gets; `nil` when there is none, or only a file that Safelight cannot be sure to have made.
  func unsyncedRender(
    of record: Record, around names: PhotoNames
  ) throws(StorageError) -> UnsyncedRender? {
    guard record.render == nil, !record.isForeign else { return nil }
    for path in names.candidates(FileRole.render.suffix).map(names.path) {
      guard case .file(let digest) = try content(of: path),
        let render = unsyncedRender(holding: digest, at: path, of: record), render.isOfPhoto,
        try !names.isFileOfTwin(path.lastComponent ?? path, besides: record, fileSystem)
      else { continue }
      return render
    }
    return nil
  }

  private func unsyncedRender(
    holding digest: Digest, at path: FilePath, of record: Record
  ) -> UnsyncedRender? {
    let content: UnsyncedRender.Content? =
      if record.ownRenders.contains(digest) {
        .earlierEdit
      } else if record.rendersOfOthers.contains(digest) {
        .newerEdit
      } else {
        fileSystem.referenceOfRender(at: path).flatMap { contentOfRender($0, at: path, record) }
      }
    return content.map { UnsyncedRender(path: path, content: $0, digest: digest) }
  }

  private func contentOfRender(
    _ reference: OriginalReference, at path: FilePath, _ record: Record
  ) -> UnsyncedRender.Content? {
    if record.isUnaware(of: reference) { return .newerEdit }
    guard let original = record.original else { return nil }
    // The original has other metadata now than when the record was written.
    if reference.edit != nil, reference.sha256 != original.sha256.description,
      reference.sha256 == (try? digestOfOriginal())?.description
    {
      return .newerEdit
    }
    let names = PhotoNames(path.removingLastComponent().appending(original.name))
    let twin = FilePath(reference.fileName)
    guard !reference.isAbout(original), twin == twin.lastComponent, twin != names.original,
      names.mayShareNames(with: twin), (try? exists(names.path(of: twin))) == true
    else { return nil }
    return .twin(twin)
  }
}

extension PhotoSnapshot {
  /// A render that is where a file of this edit should be and shows another edit or another photo; `nil` when there is none.
  package func unsyncedRender(of role: FileRole) -> UnsyncedRender? { unsynced[role] }
}
