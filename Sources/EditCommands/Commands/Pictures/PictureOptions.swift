import PhotoEditing
import SafelightArguments

/// Options of commands that write a picture of a photo.
struct PictureOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The picture to write, .jpg, .png, .webp or .tif, or a folder for several.",
      valueName: "path"))
  var output: String

  @Option(help: "Quality of JPEG and WebP, from 1 to 100.")
  var quality = RenderOutput.standard.quality

  @Flag(help: "Replace files that are there.")
  var overwrite = false

  func validate() throws {
    try Limits.check(Double(quality), in: Limits.quality, "--quality")
  }

  /// Where the pictures of photos go.
  ///
  /// - Throws: `ValidationError` when no format fits, or several photos have no folder.
  func destination(of photos: [FilePath]) throws -> RenderDestination {
    try RenderDestination(writing: output, of: photos)
  }
}

extension RenderDestination {
  /// Where the pictures of photos go, in the formats of their endings.
  ///
  /// - Throws: `ValidationError` when no format fits, or several photos have no folder.
  init(writing output: String, of photos: [FilePath]) throws {
    self.init(FilePath(argument: output), photos: photos, format: nil)
    if let mismatch { throw ValidationError(mismatch) }
  }
}
