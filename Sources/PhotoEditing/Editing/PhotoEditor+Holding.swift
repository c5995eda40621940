import SafelightStorage

/// Several photos that change together or not at all.
///
/// ```swift
/// var configuration = PhotoEditor.Configuration()
/// configuration.holdsChanges = true
/// let editor = PhotoEditor(configuration)
/// for photo in photos { try await editor.apply(noir, to: photo) }
/// for photo in photos { try await editor.makeHeldChange(to: photo) }
/// ```
///
/// All that takes long or may fail for want of space, rendering and writing, is over when the first
/// change is made; what is left are a few renames for each photo. A process that dies before leaves no
/// change, one that dies in between leaves those made.
extension PhotoEditor {
  /// Makes the change that waits for a photo.
  ///
  /// - Returns: What could not be done although the change is made, one sentence each. Nothing
  ///   happens for a photo without a waiting change.
  /// - Throws: ``EditError`` when the change is not made; the old edit stands then.
  @discardableResult
  public func makeHeldChange(to asset: Photo) async throws(EditError) -> [String] {
    try await working(on: asset.path) { _ in
      guard let transaction = held.removeValue(forKey: asset.path) else { return [] }
      defer { transaction.end() }
      let unfinished = try transaction.makeHeldChange()
      return unfinished.map { [$0.description] } ?? []
    }
  }

  /// Drops all changes that wait, and lets others at their photos.
  public func dropHeldChanges() {
    for transaction in held.values { transaction.end() }
    held = [:]
  }

  /// Begins a change of a photo, as the configuration says.
  func begin(_ asset: Photo) throws(StorageError) -> Transaction {
    try files(of: asset).begin(
      timeout: configuration.lockTimeout, holding: configuration.holdsChanges)
  }

  /// Ends a transaction, or keeps it while its change waits.
  func end(_ transaction: Transaction, of asset: Photo) {
    if transaction.holdsChange {
      held[asset.path] = transaction
    } else {
      transaction.end()
    }
  }
}
