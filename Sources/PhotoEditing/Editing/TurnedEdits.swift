import SafelightFiles
import SafelightStorage

/// The edits of a photo whose orientation tag another program changed, turned with the photo.
///
/// The render of the turned photo is the turned render. This holds for the present edit, for those of
/// the history and for the named versions.
struct TurnedEdits: Sendable {
  /// The record with its edits turned. Its files are still those of the photo as it was.
  let record: Record
  /// The turned edits, by the adjustment data before.
  let data: [AdjustmentData: AdjustmentData]

  /// Turns the edits of a record; `nil` when the original is not turned, or an edit cannot follow.
  ///
  /// Another program's edit cannot follow, nor can Safelight's own with geometry that has no equal;
  /// see `EditStack.turned`. Another program's edits in the history stay as they are, because nobody
  /// can go back to them.
  init?(_ record: Record?, _ likeness: OriginalFile.Likeness) {
    guard let record, case .turned(let former, let now) = likeness else { return nil }
    var turned: [AdjustmentData: AdjustmentData] = [:]
    func add(_ data: AdjustmentData, startsFromOriginal: Bool) -> Bool {
      guard EditStack.canHandle(data),
        let stack = try? EditStack(data).turned(
          from: former, to: now, startsFromOriginal: startsFromOriginal)
      else { return false }
      // The same edit of the original and of a base photo would turn differently.
      return (turned.updateValue(stack.adjustmentData, forKey: data) ?? stack.adjustmentData)
        == stack.adjustmentData
    }
    guard add(record.adjustmentData, startsFromOriginal: record.base == nil) else { return nil }
    for version in record.versions {
      guard add(version.adjustmentData, startsFromOriginal: version.base == nil) else { return nil }
    }
    for entry in record.history + record.redo {
      guard let data = entry.adjustmentData, EditStack.canHandle(data) else { continue }
      guard add(data, startsFromOriginal: entry.base == nil) else { return nil }
    }
    data = turned
    self.record = record.converting(turned)
  }
}

extension OpenEdit {
  /// The photo with its edits turned as its original is now; `nil` when that is not turned, or an
  /// edit cannot follow.
  func turned() throws -> OpenEdit? {
    guard let files = try files.turned() else { return nil }
    return opened(by: files)
  }

  /// What `body` makes of the photo, whose edit turns with the original.
  func followingOriginal<Result>(_ body: (OpenEdit) throws -> Result) throws -> Result {
    do {
      return try body(self)
    } catch StorageError.originalChanged(let path) {
      guard let turned = try turned() else { throw StorageError.originalChanged(path) }
      return try body(turned)
    }
  }
}
