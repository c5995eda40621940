/// An album of the user's or a list of such, where both stand side by side.
public enum UserCollection: PhotoLibraryObject {
  /// An album.
  case album(AssetCollection)
  /// A list of albums and lists.
  case list(CollectionList)

  /// What names the album or list.
  public var localIdentifier: String {
    switch self {
    case .album(let album): album.localIdentifier
    case .list(let list): list.localIdentifier
    }
  }

  /// Its name; for people.
  public var localizedTitle: String {
    switch self {
    case .album(let album): album.localizedTitle
    case .list(let list): list.localizedTitle
    }
  }
}
