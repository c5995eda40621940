/// What a change set did to one object.
public struct ObjectChangeDetails<Object: PhotoLibraryObject>: Sendable {
  /// The object as it was handed in.
  public let objectBeforeChanges: Object
  /// The object as it is since; `nil` when it is gone.
  public let objectAfterChanges: Object?
  /// Whether what is seen of a photo changed: its edit, or the original's file.
  public let assetContentChanged: Bool

  /// Whether the object is gone, into the trash or for good.
  public var objectWasDeleted: Bool { objectAfterChanges == nil }
}
