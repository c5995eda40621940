extension PhotoLibrary {
  /// Most bytes of pictures that are kept on disk for image managers and selections, 512 MiB unless
  /// told otherwise; 0 keeps none and uses none.
  ///
  /// They lie in `cache`, inside of the library's folder, which may be removed at any time.
  public var imageCacheLimit: Int {
    get { imageCache.limit }
    set { imageCache.limit = newValue }
  }

  /// Removes all pictures that are kept on disk.
  public func removeCachedImages() { imageCache.removeAll() }
}
