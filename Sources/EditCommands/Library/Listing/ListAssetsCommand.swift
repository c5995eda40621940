import PhotoLibraryKit
import SafelightArguments

/// `edit library list`: lists photos of a library.
struct ListAssetsCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List photos of the library.",
    discussion: """
      A line has the date on which the photo was taken (UTC), its size as it is seen, an f when it \
      is a favorite, an e when it is edited, an h when it is hidden, and its path. With --json it is \
      an object with localIdentifier, path, creationDate, modificationDate, pixelWidth, \
      pixelHeight, favorite, hidden, hasAdjustments and location.

      --where takes what NSPredicate takes: the keys above and filename, camera, addedDate, \
      latitude, longitude, mediaSubtypes and adjustmentFormatIdentifier, compared with = != < > \
      BETWEEN IN BEGINSWITH CONTAINS ENDSWITH LIKE, joined by AND, OR and NOT. Dates in it are in \
      local time; with a Z behind them they are UTC.

      Example:
        edit library list --limit 20 --sort creationDate:descending
        edit library list --album Holidays --json
        edit library list --where "favorite = 1 AND creationDate > '2024-01-01'"
        edit library list --where "camera CONTAINS[c] 'nikon'" --count
      """)

  @Option(help: "Only photos of this album, in its order.", completion: .albums)
  var album: String?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Only photos for which this holds.", valueName: "predicate"))
  var predicate: String?

  @Option(
    help: ArgumentHelp(
      "Sort by this key, “:descending” behind it turns the order; again for a second key.",
      valueName: "key"), completion: .sortKeys)
  var sort: [String] = []

  @Option(help: ArgumentHelp("List at most this many.", valueName: "n"))
  var limit: Int?

  @Flag(help: "List hidden photos too.")
  var hidden = false

  @Flag(help: "Print only how many there are.")
  var count = false

  @OptionGroup var options: LibraryOptions

  func validate() throws {
    if let limit { try Limits.check(Double(limit), in: 1...1e9, "--limit") }
  }

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let search = AssetSearch(
      album: album, predicate: predicate, order: sort, limit: limit ?? 0, includesHidden: hidden)
    let found = try search.fetch(in: library)
    if count {
      print(
        .object([.init("count", .number(Double(found.count)))]), ["\(found.count)"], on: console)
      return .success
    }
    return list(found, on: console)
  }
}

extension CatalogCommand {
  /// Lists photos as they are read.
  func list(_ photos: some Sequence<Asset>, on console: Console) -> ExitCode {
    let columns = console.columns()
    var count = 0
    for asset in photos {
      print(asset.json, [AssetRow(asset).text(columns: columns)], on: console)
      count += 1
      if count % 100 == 0, Task.isCancelled { return ExitCode(130) }
    }
    if count == 0 { note("There are no photos.", on: console) }
    return .success
  }
}
