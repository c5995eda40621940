import PhotoEditing
import SafelightStorage

extension PhotoLibrary {
  /// What the files of a photo are now, where this client may see it.
  ///
  /// - Throws: ``PhotoLibraryError/accessUserDenied`` and its like, or
  ///   ``PhotoLibraryError/identifierNotFound(_:)``, for an asset that does not show;
  ///   ``PhotoLibraryError/editing(_:)`` when the photo's file is gone.
  func stamp(of subject: ImageRequest.Subject) throws(PhotoLibraryError) -> PhotoStamp {
    switch subject {
    case .file(let path): return try Self.stamp(path)
    case .asset(let asset):
      try checkVisibility(of: asset.localIdentifier)
      do throws(PhotoLibraryError) {
        return try Self.stamp(asset.path)
      } catch .editing(.storage(.originalMissing(let path))) {
        // The photo may have been moved since the asset was fetched.
        guard let now = try present(asset), now.path != path else {
          throw .editing(.storage(.originalMissing(path)))
        }
        return try Self.stamp(now.path)
      }
    }
  }

  /// The asset as it is now; `nil` when it is gone or does not show.
  private func present(_ asset: Asset) throws(PhotoLibraryError) -> Asset? {
    try fetchAssets(withLocalIdentifiers: [asset.localIdentifier]).firstObject
  }

  private static func stamp(_ path: FilePath) throws(PhotoLibraryError) -> PhotoStamp {
    do {
      return try PhotoStamp(path)
    } catch {
      throw .editing(.storage(error))
    }
  }
}
