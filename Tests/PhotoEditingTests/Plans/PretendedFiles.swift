import Foundation
import SafelightMetadata

@testable import PhotoEditing
@testable import SafelightFiles
@testable import SafelightStorage

/// The files of a photo that is nowhere on the disk, to plan edits of it.
struct PretendedFiles: EditFiles {
  var record: Record?
  /// The files of the edit that are there, with their paths.
  var paths: [FileRole: FilePath] = [:]
  /// What is wrong with files.
  var changed: Set<FileRole> = []
  var isOriginalChanged = false
  var hasForeignNames = false
  var likeness = OriginalFile.Likeness.same

  let originalPath: FilePath = "/photos/beach.jpg"
  var recordPath: FilePath { "/photos/beach.jpg.aae" }
  var moment: PhotoMoment {
    PhotoMoment(
      originalSize: 1, modified: FileStatus.Time(seconds: 0, nanoseconds: 0), record: record)
  }

  func path(of role: FileRole) -> FilePath? { paths[role] }

  func plannedPath(of role: FileRole) throws(StorageError) -> FilePath {
    FilePath("/photos/beach" + role.suffix)
  }

  var turnedEdits: TurnedEdits? { nil }
  func turned() throws(StorageError) -> PretendedFiles? { nil }
  /// The renders that have earlier metadata.
  var outdated: Set<FileRole> = []
  func isOutdated(_ role: FileRole) throws -> Bool { outdated.contains(role) }

  func checkOriginal() throws(StorageError) {
    if isOriginalChanged { throw .originalChanged(originalPath) }
  }

  func originalLikeness() throws(StorageError) -> OriginalFile.Likeness {
    isOriginalChanged ? .different : likeness
  }

  func check(_ role: FileRole) throws(StorageError) {
    if changed.contains(role) { throw .renderChanged(paths[role] ?? originalPath) }
  }

  func checkRemoval(keepingRender: Bool) throws(StorageError) {
    if !keepingRender { try check(.render) }
  }

  /// The edit that the photo had elsewhere.
  var move = EditMove(.nothingToMove)
  func editMove(from former: FilePath?, expectingRoom: Bool) throws(StorageError) -> EditMove {
    move
  }

  func recordedOwner() throws(StorageError) -> String? { nil }
  func isBeside(_ original: OriginalReference) -> Bool { false }
  func originalDigest() throws(StorageError) -> Digest { SHA256.digest(of: [1]) }
  func checkDestination(_ path: FilePath, replacing: Bool) throws {}

  struct NoPixels: Error {}
  func open(_ start: EditStart) throws -> OpenPixels { throw NoPixels() }
}

extension PretendedFiles {
  /// A photo with an edit of Safelight's own and its render.
  ///
  /// - Parameters:
  ///   - stacks: The edits before, oldest first, then the present one.
  ///   - undone: The edits that were undone, the one undone last standing last.
  static func edited(_ stacks: EditStack..., undone: [EditStack] = []) -> PretendedFiles {
    let records = stacks.map { record($0) }
    let present = record(
      stacks[stacks.count - 1], history: records.dropLast().map(\.historyEntry),
      redo: undone.map { record($0).historyEntry })
    return PretendedFiles(record: present, paths: [.render: "/photos/beach_edited.jpg"])
  }

  static func record(
    _ stack: EditStack, history: [HistoryEntry] = [], redo: [HistoryEntry] = [],
    versions: [RecordedVersion] = [], renderer: String = rendererText
  ) -> Record {
    let data = stack.adjustmentData
    return Record(
      data, editorBundleID: "org.example", timestamp: .test,
      original: RecordedFile(name: "beach.jpg", size: 1, sha256: SHA256.digest(of: [1])),
      members: [
        .render: RecordedMember(
          RecordedRender(
            file: RecordedFile(
              name: "beach_edited.jpg", size: 1, sha256: SHA256.digest(of: Array(data.data))),
            pixelWidth: 30, pixelHeight: 20, renderer: renderer))
      ], history: history, redo: redo, versions: versions, replaces: nil,
      replacesRecord: nil, replacedSidecar: nil, carryingOver: nil)
  }

  /// What records say of the present renderer in the standard quality.
  static let rendererText =
    RendererDescription(.standard).text
}

extension EditPlan {
  /// Why nothing is to be done; `nil` when something is.
  var reason: Reason? { if case .none(let reason) = change { reason } else { nil } }

  /// The edit that is to become the photo's.
  var newEdit: NewEdit? { if case .commit(let new) = change { new } else { nil } }
}
