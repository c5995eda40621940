import Foundation
import Glibc
import SafelightAdjustments
import Synchronization

@testable import SafelightFiles
@testable import SafelightStorage

/// A folder of its own for one test, gone afterwards, with a photo in it.
final class PhotoFolder: Sendable {
  let path: FilePath
  let photo: FilePath
  /// Whether changes are made ready first, and made in a step of their own.
  private let isHolding: Bool

  /// - Parameter name: The photo's name; its content is `pixels of <name>`.
  init(_ name: FilePath = "beach.jpg", isHolding: Bool = false) {
    self.isHolding = isHolding
    // In memory where possible: the fault tests flush thousands of files.
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    path = FilePath(parent).appending("safelight-\(UUID().uuidString)")
    _ = path.withCString { mkdir($0, 0o755) }
    photo = path.appending(name)
    put("pixels of \(name)", at: photo)
    _ = photo.withCString { chmod($0, 0o640) }
    var times = [
      timespec(tv_sec: 1_500_000_000, tv_nsec: 123_456_789),
      timespec(tv_sec: 1_400_000_000, tv_nsec: 987_654_321),
    ]
    _ = photo.withCString { utimensat(AT_FDCWD, $0, &times, 0) }
  }

  deinit {
    for name in names { _ = path.appending(name).withCString { remove($0) } }
    _ = path.withCString { rmdir($0) }
  }

  var files: PhotoFiles { PhotoFiles(photo) }

  /// All names in the folder, hidden ones too, sorted.
  var names: [FilePath] {
    ((try? FileSystem.real.names(in: path)) ?? []).sorted { $0.string < $1.string }
  }

  /// The hidden file of a kind, such as `render`, that a change left.
  func hidden(_ kind: String) -> FilePath? {
    names.first { $0.string.hasPrefix(".safelight-") && $0.string.contains("." + kind) }
      .map(path.appending)
  }

  func put(_ text: String, at path: FilePath) {
    put(Array(text.utf8), at: path)
  }

  func put(_ bytes: [UInt8], at path: FilePath) {
    let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o644) }
    precondition(descriptor >= 0, "\(path): \(String(cString: strerror(errno)))")
    let file = OpenFile(descriptor: descriptor, path: path)
    let written = bytes.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) }
    precondition(written == bytes.count, "\(path) could not be written")
  }

  /// The bytes of a file; `nil` when there is none.
  func bytes(_ path: FilePath) -> [UInt8]? {
    guard let file = try? FileSystem.real.openReadOnly(path) else { return nil }
    return try? FileSystem.real.contents(of: file, limit: 1 << 30)
  }

  func text(_ name: FilePath) -> String? {
    bytes(path.appending(name)).map { String(decoding: $0, as: UTF8.self) }
  }

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
    history: HistoryStep = .edit, through fileSystem: FileSystem = .real
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
    let outcome = try transaction.commit(
      .test(text, by: identifier), editor: "org.safelight.tests", timestamp: .test,
      render: render, pixelWidth: 40, pixelHeight: 30, renderer: "tests 1", base: newBase,
      history: history)
    return try made(outcome, in: transaction)
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
