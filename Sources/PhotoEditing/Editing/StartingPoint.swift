import SafelightRendering
import SafelightStorage

/// Which pixels an edit of a photo starts from, and which earlier edit it goes on from.
///
/// This is PhotoKit's contract: an editor that can read the present edit gets the pixels which
/// that edit started from, and revises it; one that cannot gets the present render.
struct StartingPoint {
  let start: ContentEditingInput.Start
  /// The present edit, when the editor can handle it.
  let adjustmentData: AdjustmentData?
  let path: FilePath

  init(start: ContentEditingInput.Start, adjustmentData: AdjustmentData?, path: FilePath) {
    (self.start, self.adjustmentData, self.path) = (start, adjustmentData, path)
  }

  /// The original, whatever edit it has.
  init(originalOf snapshot: PhotoSnapshot) {
    (start, adjustmentData, path) = (.original, nil, snapshot.original.path)
  }

  init(
    _ snapshot: PhotoSnapshot, canHandle: ((AdjustmentData) -> Bool)?
  ) throws(EditError) {
    let original = snapshot.original.path
    guard let record = snapshot.record else {
      (start, adjustmentData, path) = (.original, nil, original)
      return
    }
    if canHandle?(record.adjustmentData) == true {
      adjustmentData = record.adjustmentData
      guard record.base != nil else {
        (start, path) = (.original, original)
        return
      }
      guard let base = snapshot.base else { throw .renderMissing(original) }
      (start, path) = (.base, base)
      return
    }
    adjustmentData = nil
    if let render = snapshot.render {
      (start, path) = (.render, render)
    } else if record.isForeign {
      // Another program's sidecar without a render that is known: only the original is there.
      (start, path) = (.original, original)
    } else {
      throw .renderMissing(original)
    }
  }
}

extension Transaction {
  /// What a commit does about the base photo when an edit starts from `start`.
  func base(for start: ContentEditingInput.Start) throws(StorageError) -> BasePhoto {
    switch start {
    case .original: .none
    case .base: .keep
    case .render: .replace(try stageBaseFromCurrentRender())
    }
  }
}
