import PhotoEditing

/// Which program this is.
enum Version {
  /// The version of Safelight: of the library, the command line and the formats together.
  static let number = "0.1.0"

  /// The version with that of libvips, since both decide what a render looks like.
  static let text = "edit \(number) (libvips \(PhotoEditor.imagingLibraryVersion))"
}
