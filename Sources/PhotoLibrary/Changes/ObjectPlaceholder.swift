/// Stands for an object that is being made, in the requests of the same change set.
public struct ObjectPlaceholder: PhotoLibraryObject {
  /// What will name the object; final already.
  public let localIdentifier: String

  /// Whether an object is the one that the placeholder stood for.
  public static func == (
    placeholder: ObjectPlaceholder, object: some PhotoLibraryObject
  ) -> Bool {
    placeholder.localIdentifier == object.localIdentifier
  }
}
