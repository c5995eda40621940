import Arguments
import PhotoEditing

/// Which photos a command works on.
struct SelectionOptions: ParsableArguments {
  @Argument(
    help: "The photos: JPEG, PNG, TIFF, WebP, HEIC or AVIF; folders with --recursive.",
    completion: .photos)
  var photos: [String] = []

  @Flag(name: .shortAndLong, help: "Take all photos in folders, and in folders in these.")
  var recursive = false

  @Option(
    help: ArgumentHelp(
      "Read more photos from a file, one to a line; - is standard input.", valueName: "file"),
    completion: .file())
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "The names of --files-from end with NUL, as “find -print0” writes them.")
  var null = false

  @Option(
    help: ArgumentHelp(
      "Do only the i-th of n shares, told by the photos' paths; other machines do the others.",
      valueName: "i/n"))
  var shard: Shard?

  /// All that the command was given, for the processes that it hands work to.
  @GivenWords var words

  func validate() throws {
    if photos.isEmpty, filesFrom == nil {
      throw ValidationError("Name the photos, or a list of them with --files-from.")
    }
    if null, filesFrom == nil {
      throw ValidationError("-0 says how the names of --files-from end; give that too.")
    }
    if let shard, shard.count > 1_000_000 {
      throw ValidationError("--shard takes at most a million shares.")
    }
  }
}
