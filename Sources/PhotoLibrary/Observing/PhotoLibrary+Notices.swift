extension PhotoLibrary {
  /// Tells an object of each change set from now on, for as long as it exists.
  ///
  /// Registering twice is the same as once.
  /// - Parameter observer: Held weakly.
  public func register(_ observer: any PhotoLibraryChangeObserver) {
    notices.add(observer)
  }

  /// Tells an object of no more change sets; a call that is under way is not waited for.
  public func unregisterChangeObserver(_ observer: any PhotoLibraryChangeObserver) {
    notices.remove(observer)
  }

  /// The change sets from now on, in their order, as they happen; without end until the library goes
  /// away. Each sequence that is asked for gets all of them.
  public var changes: AsyncStream<Change> { notices.stream() }

  /// Called after each change set of this process.
  func didChange(_ token: Int64) {
    notices.noteOwnChange(token)
  }
}
