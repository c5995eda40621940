// Where a predicate is expected, `.camera.contains("D750")` begins with one of these.
extension FetchPredicate {
  /// What names the object for as long as it exists.
  public static var localIdentifier: AssetKey<String> { .localIdentifier }
  /// The format of the asset's edit; missing when it has none.
  public static var adjustmentFormatIdentifier: AssetKey<String> { .adjustmentFormatIdentifier }
  /// The name of the original's file, without its folder.
  public static var filename: AssetKey<String> { .filename }
  /// The original's path.
  public static var path: AssetKey<String> { .path }
  /// The camera that took the photo.
  public static var camera: AssetKey<String> { .camera }
  /// The title of an album or of a list of albums.
  public static var title: AssetKey<String> { .title }
  /// What kinds of photo it is.
  public static var mediaSubtypes: AssetKey<AssetMediaSubtype> { .mediaSubtypes }
  /// Columns of the photo as it is seen.
  public static var pixelWidth: AssetKey<Int> { .pixelWidth }
  /// Rows of the photo as it is seen.
  public static var pixelHeight: AssetKey<Int> { .pixelHeight }
}
