import Glibc

/// What makes the program start sooner.
public enum QuickStart {
  /// Keeps libvips from loading its modules, which takes as long as the rest of its start: of
  /// ImageMagick, Poppler, OpenSlide, JPEG XL and HEIF only the last is used, and loaded when a photo
  /// needs it.
  ///
  /// libvips looks for modules below `VIPSHOME`. Call this before any other thread runs, since it
  /// sets the environment; a `VIPSHOME` that is set already stays.
  public static func withoutModules() {
    setenv("VIPSHOME", "/nonexistent", 0)
  }
}
