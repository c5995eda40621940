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
      "Do only share i of n; each photo's path decides its share. Other machines do the others.",
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

/// One share of a batch that several machines divide among them: `2/8` is the second of eight.
///
/// A photo's share follows from its path as it is given, and from nothing else. Machines that get the
/// same paths make the same shares, on every day and in every version.
struct Shard: Hashable, Sendable, ExpressibleByArgument {
  /// Which share, from 1 on.
  let number: Int
  /// How many there are.
  let count: Int

  static var expectation: String? { "a share and their number, such as 2/8" }

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], count > 0,
      (1...count).contains(number)
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Whether the photo at a path belongs to this share.
  func contains(_ path: FilePath) -> Bool {
    Int(Self.hash(path.bytes) % UInt64(count)) + 1 == number
  }

  /// FNV-1a with 64 bits (Fowler, Noll and Vo), whose upper half is folded into the lower one, as
  /// its authors advise for remainders.
  static func hash(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes {
      hash ^= UInt64(byte)
      hash &*= 0x100_0000_01b3
    }
    return (hash >> 32) ^ (hash & 0xffff_ffff)
  }
}
