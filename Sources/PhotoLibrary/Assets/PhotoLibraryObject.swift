/// What a library can be asked for: assets, albums and lists of albums.
public protocol PhotoLibraryObject: Sendable, Hashable {
  /// What names the object for as long as it exists.
  var localIdentifier: String { get }
}

extension Asset: PhotoLibraryObject {}
extension AssetCollection: PhotoLibraryObject {}
extension CollectionList: PhotoLibraryObject {}
