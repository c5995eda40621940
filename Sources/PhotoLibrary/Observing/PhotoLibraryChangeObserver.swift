/// Is told when a library changes, by whatever process.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
  /// Called once for each change set, in their order, one call after the other on a queue of the
  /// library's own; ``PhotoLibrary/performChangesAndWait(_:)`` may be called from it.
  func photoLibraryDidChange(_ change: Change)
}
