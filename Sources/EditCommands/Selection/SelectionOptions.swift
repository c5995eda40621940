import PhotoEditing
import SafelightArguments

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

  @Option(
    help: ArgumentHelp(
      "Instead of naming photos, take those of this album of the library.", valueName: "album"),
    completion: .albums)
  var album: String?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Instead of naming photos, take those of the library for which this holds.",
      valueName: "predicate"))
  var predicate: String?

  @OptionGroup var location: LibraryLocation

  /// All that the command was given, for the processes that it hands work to.
  @GivenWords var words

  /// Which photos of the library; `nil` when photos are named. Hidden ones are left out, and they
  /// come in the album's order, else by creation date.
  var search: AssetSearch? {
    guard album != nil || predicate != nil else { return nil }
    return AssetSearch(album: album, predicate: predicate)
  }

  func validate() throws {
    if search != nil {
      if !photos.isEmpty || filesFrom != nil || recursive {
        throw ValidationError(
          "--album and --where take photos of the library: name no others beside them.")
      }
    } else if location.library != nil {
      throw ValidationError("--library goes with --album or --where, which take photos of it.")
    } else if photos.isEmpty, filesFrom == nil {
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
