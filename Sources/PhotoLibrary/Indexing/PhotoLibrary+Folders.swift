import PhotoEditing
import Storage

extension PhotoLibrary {
  /// The folders that were added, absolute, by their paths.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalogue cannot be read.
  public var folders: [FilePath] {
    get async throws(PhotoLibraryError) {
      try await catalogue.folders().filter(\.isRoot).map(\.path).sorted(by: <)
    }
  }
}
