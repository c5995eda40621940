import PhotoLibraryKit
import SafelightArguments

/// `edit library list`: lists photos of a library.
struct ListAssetsCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List photos of the library.",
    discussion: """
      A line has the date on which the photo was taken, as the camera's clock showed it, its size as \
      it is seen, an f when it is a favorite, an e when it is edited, an h when it is hidden, and its \
      path. With --json it is an object with localIdentifier, path, creationDate, modificationDate, \
      pixelWidth, pixelHeight, favorite, hidden, hasAdjustments, location, localDate, \
      creationDateSource (metadata, file when the metadata have no date, or user), \
      \(details.dropLast().joined(separator: ", ")) and \(details.last ?? "").

      --where takes what NSPredicate takes: the keys above and filename, addedDate, latitude, \
      longitude, mediaSubtypes and adjustmentFormatIdentifier, compared with = != < > BETWEEN IN \
      BEGINSWITH CONTAINS ENDSWITH LIKE, joined by AND, OR and NOT. --sort takes the same keys.

      A creationDate is compared with what the camera's clock showed, and sorted by it; with Z or +02:00 \
      behind it, it is compared with the instant. Other dates are in local time. rating is 0 to 5, or -1 for a rejected photo; \
      exposureTime is in seconds, aperture the f-number, focalLength in millimeters, timeZoneOffset in \
      seconds. keywords CONTAINS 'beach' finds photos with this keyword, ANY keywords CONTAINS 'bea' \
      those with a part of it; [c] ignores case and [d] accents.

      Example:
        edit library list --limit 20 --sort creationDate:descending
        edit library list --album Holidays --json
        edit library list --where "favorite = 1 AND creationDate > '2024-01-01'"
        edit library list --where "camera CONTAINS[c] 'nikon'" --count
        edit library list --where "rating >= 4 AND keywords CONTAINS[cd] 'beach'"
      """)

  private static let details = Asset.details.map(\.name)

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

  @Option(help: ArgumentHelp("List at most this many.", valueName: "n"), in: 1...1e9)
  var limit: Int?

  @Flag(help: "List hidden photos too.")
  var hidden = false

  @Flag(help: "Print only how many there are.")
  var count = false

  @OptionGroup var options: LibraryOptions

  var isReading: Bool { true }

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let search = AssetSearch(
      album: album, predicate: predicate, order: sort, limit: limit ?? 0, includesHidden: hidden)
    let found = try search.fetch(in: library)
    if count {
      let number = found.count
      if let failure = found.failure { throw failure }
      print(.object(["count": number]), ["\(number)"], on: console)
      return .success
    }
    let code = list(found, while: { found.failure == nil }, on: console)
    // What was read before is printed; that it is not everything must not be overlooked.
    if let failure = found.failure { throw failure }
    return code
  }
}

extension CatalogCommand {
  /// Lists photos as they are read.
  ///
  /// - Parameter isRead: Whether all photos so far could be read. The list ends with the first that could not.
  func list(
    _ photos: some Sequence<Asset>, while isRead: () -> Bool = { true }, on console: Console
  ) -> ExitCode {
    let columns = console.columns()
    var count = 0
    for asset in photos {
      guard isRead() else { return .failure }
      print(asset.json, [AssetRow(asset).text(columns: columns)], on: console)
      count += 1
      if count % 100 == 0, Task.isCancelled { return ExitCode(130) }
    }
    if count == 0, isRead() { note("There are no photos.", on: console) }
    return .success
  }
}

/// A photo on one line for people.
struct AssetRow {
  private let date: String
  private let size: String
  private let marks: String
  private let path: String

  init(_ asset: Asset) {
    // What the camera's clock showed; seconds are of little use here.
    date = asset.localDate.map { String($0.text.prefix(16)) } ?? "no date"
    size = "\(asset.pixelWidth) × \(asset.pixelHeight)"
    marks =
      (asset.isFavorite ? "f" : "-") + (asset.hasAdjustments ? "e" : "-")
      + (asset.isHidden ? "h" : "-")
    path = asset.path.description.onOneLine
  }

  /// The line. In a narrow terminal the size gives way, then the time, then the middle of the path.
  ///
  /// - Parameter columns: How wide the terminal is; `nil` sets no limit.
  func text(columns: Int?) -> String {
    let full = [date.filled(to: 16), size.filled(to: 13), marks].joined(separator: "  ") + "  "
    guard let columns else { return full + path }
    let withoutSize = date.filled(to: 16) + "  " + marks + "  "
    let short = String(date.prefix(10)).filled(to: 10) + "  " + marks + "  "
    let start = [full, withoutSize].first { columns - $0.columns >= 32 } ?? short
    return start + path.shortened(toColumns: max(8, columns - start.columns))
  }
}

/// Which photos of a library are wanted, in which order.
struct AssetSearch: Sendable {
  /// An album, by name or identifier.
  var album: String?
  /// A predicate.
  var predicate: String?
  /// Keys, with `:descending` behind those that are.
  var order: [String] = []
  var limit = 0
  var includesHidden = false

  /// Fetches the photos; without an order, an album's are in its own, others as the cameras' clocks say.
  ///
  /// - Throws: ``EditCommandError`` or ``PhotoLibraryError``.
  func fetch(in library: PhotoLibrary) throws -> FetchResult<Asset> {
    let options = FetchOptions(includeHiddenAssets: includesHidden, fetchLimit: limit)
    options.wantsIncrementalChangeDetails = false
    if let predicate {
      do throws(PredicateFormatError) {
        options.predicate = try FetchPredicate(format: predicate)
      } catch {
        throw EditCommandError.invalidPredicate(predicate, error)
      }
    }
    options.sortDescriptors = try order.map { try Self.descriptor($0) }
    guard let album else { return try library.fetchAssets(with: options) }
    return try library.fetchAssets(in: Albums(of: library).album(named: album), options: options)
  }

  private static func descriptor(_ text: String) throws(EditCommandError) -> FetchSortDescriptor {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let directions = ["ascending": true, "descending": false]
    guard let key = parts.first,
      let ascending = directions[parts.count > 1 ? parts[1] : "ascending"]
    else {
      throw .invalidOrder(text)
    }
    do throws(PredicateFormatError) {
      return try FetchSortDescriptor(checking: key, ascending: ascending)
    } catch {
      throw .invalidSortKey(key, error)
    }
  }
}
