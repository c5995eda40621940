import PhotoEditing

/// Which program this is.
enum Version {
  /// The version of Safelight: of the library, the command line and the formats together.
  static let number = "0.1.0"

  /// The day of the version, for the manual page.
  static let date = "2026-11-21"

  /// The version with those of libvips and of the renderer, which decide what a render looks like.
  static let text = """
    edit \(number) (libvips \(PhotoEditor.imagingLibraryVersion))
    renderer \(PhotoEditor.rendererVersion)
    """
}
