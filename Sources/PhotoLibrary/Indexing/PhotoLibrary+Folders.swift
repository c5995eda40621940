import PhotoEditing
import SafelightStorage

extension PhotoLibrary {
  /// The folders that were added, absolute, by their paths.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read.
  public var folders: [FilePath] {
    get async throws(PhotoLibraryError) {
      try await catalog.folders().filter(\.isRoot).map(\.path).sorted(by: <)
    }
  }
}
