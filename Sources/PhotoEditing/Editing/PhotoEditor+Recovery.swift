import SafelightStorage

extension PhotoEditor {
  /// Finishes a change that a process began and did not live to finish, if it was decided, and
  /// removes what is left of it otherwise.
  ///
  /// The next edit of the photo would do the same. Nothing happens when another program works on
  /// the photo, or when it cannot be written.
  public func finishInterruptedChange(of asset: Photo) async {
    _ = try? await working(on: asset.path) { _ in
      try files(of: asset).begin(timeout: configuration.lockTimeout).end()
    }
  }
}
