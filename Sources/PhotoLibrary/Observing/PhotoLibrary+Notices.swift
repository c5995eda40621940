extension PhotoLibrary {
  /// Called after each change set of this process.
  func didChange(_ token: Int64) {}
}
