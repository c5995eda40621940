import Foundation
import Glibc
import SafelightAdjustments
import SafelightTestSupport

@testable import SafelightFiles
@testable import SafelightStorage

/// A folder of its own for one test, gone afterwards, with a photo in it.
final class PhotoFolder: Sendable {
  let photo: FilePath
  private let folder = TemporaryFolder()
  /// Whether changes are staged first, and made by a second call.
  private let isHolding: Bool

  /// - Parameter name: The photo's name; its content is `pixels of <name>`.
  init(_ name: FilePath = "beach.jpg", isHolding: Bool = false) {
    self.isHolding = isHolding
    photo = folder[name]
    put("pixels of \(name)", at: photo)
    _ = photo.withCString { chmod($0, 0o640) }
    var times = [
      timespec(tv_sec: 1_500_000_000, tv_nsec: 123_456_789),
      timespec(tv_sec: 1_400_000_000, tv_nsec: 987_654_321),
    ]
    _ = photo.withCString { utimensat(AT_FDCWD, $0, &times, 0) }
  }

  var path: FilePath { folder.path }
  var files: PhotoFiles { PhotoFiles(photo) }

  /// All names in the folder, hidden ones too, sorted.
  var names: [FilePath] { folder.names }

  /// The hidden file of a kind, such as `render`, that a change left.
  func hidden(_ kind: String) -> FilePath? {
    names.first { $0.string.hasPrefix(".safelight-") && $0.string.contains("." + kind) }
      .map(path.appending)
  }

  func put(_ text: String, at path: FilePath) { path.write(Array(text.utf8)) }

  func put(_ bytes: [UInt8], at path: FilePath) { path.write(bytes) }

  /// The bytes of a file; `nil` when there is none.
  func bytes(_ path: FilePath) -> [UInt8]? { path.contents }

  func text(_ name: FilePath) -> String? { folder.text(name) }

  private func begin(_ fileSystem: FileSystem) throws -> Transaction {
    try PhotoFiles(photo, fileSystem: fileSystem).begin(timeout: .zero, holding: isHolding)
  }

  /// What came of a change, once it is made if it was held.
  private func made(_ outcome: ChangeOutcome, in transaction: Transaction) throws -> ChangeOutcome {
    if transaction.holdsChange { _ = try transaction.makeHeldChange() }
    return outcome
  }

  /// Commits an edit whose data and render are both `text`; the data of an edit of nothing is one.
  @discardableResult
  func edit(
    _ text: String, by identifier: String = EditStack.formatIdentifier, base: BaseChoice = .keep,
    history: HistoryStep = .edit, video: VideoChoice = .none,
    through fileSystem: FileSystem = .real
  ) throws -> ChangeOutcome {
    let transaction = try begin(fileSystem)
    defer { transaction.end() }
    let newBase: BasePhoto =
      switch base {
      case .keep: .keep
      case .none: .none
      case .currentRender: .replace(try transaction.stageBaseFromCurrentRender())
      }
    let render = try transaction.stageRender { try $0.write(Array("render of \(text)".utf8)) }
    var edit = StagedEdit(.test(text, by: identifier), rendered: render)
    (edit.base, edit.history) = (newBase, history)
    switch video {
    case .none: break
    case .kept: edit.keepsVideo = true
    case .new: _ = try transaction.stageVideo(Array("video of \(text)".utf8))
    }
    return try made(try transaction.commit(edit), in: transaction)
  }

  @discardableResult
  func revert(
    keepingRender: Bool = false, droppingVersions: Bool = false,
    through fileSystem: FileSystem = .real
  ) throws -> ChangeOutcome {
    let transaction = try begin(fileSystem)
    defer { transaction.end() }
    let outcome = try transaction.revert(
      keepingRender: keepingRender, droppingVersions: droppingVersions)
    return try made(outcome, in: transaction)
  }

  @discardableResult
  func saveVersion(
    _ name: String, replacing: Bool = false, through fileSystem: FileSystem = .real
  ) throws -> ChangeOutcome {
    let transaction = try begin(fileSystem)
    defer { transaction.end() }
    let outcome = try transaction.saveVersion(named: name, replacing: replacing)
    return try made(outcome, in: transaction)
  }

  @discardableResult
  func removeVersion(
    _ name: String, through fileSystem: FileSystem = .real
  ) throws -> ChangeOutcome {
    let transaction = try begin(fileSystem)
    defer { transaction.end() }
    let outcome = try transaction.removeVersion(named: name)
    return try made(outcome, in: transaction)
  }

  enum VideoChoice {
    case none
    case kept
    case new
  }

  enum BaseChoice {
    case keep
    case none
    case currentRender
  }
}

extension AdjustmentData {
  static func test(
    _ text: String, by identifier: String = EditStack.formatIdentifier
  ) -> AdjustmentData {
    let nothing = EditStack().adjustmentData
    if nothing.data == Data(text.utf8) { return nothing }
    return AdjustmentData(
      formatIdentifier: identifier, formatVersion: "1.10", data: Data(text.utf8))
  }
}

extension Date {
  static let test = Date(timeIntervalSince1970: 1_754_051_696)
}

/// The storage error that `body` throws; `nil` when it throws none.
func storageError(_ body: () throws -> Void) -> StorageError? {
  do {
    try body()
    return nil
  } catch {
    return error as? StorageError
  }
}

extension StagedEdit {
  init(_ data: AdjustmentData, rendered file: StagedFile) {
    self.init(
      data, editor: "org.safelight.tests", timestamp: .test,
      render: StagedRender(file, pixelWidth: 40, pixelHeight: 30, renderer: "tests 1"))
  }
}

extension Transaction {
  func stageRender(_ write: (FileSink) throws -> Void) throws -> StagedFile {
    try stageReportedRender(write).file
  }

  /// Commits an edit with a render of its own.
  @discardableResult
  func commit(_ text: String, rendered file: StagedFile) throws(StorageError) -> ChangeOutcome {
    try commit(StagedEdit(.test(text), rendered: file))
  }
}
