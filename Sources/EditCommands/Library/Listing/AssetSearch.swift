import PhotoLibraryKit
import SafelightArguments

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

  /// Fetches the photos; without an order, an album's are in its own, others by creation date.
  ///
  /// - Throws: ``PhotoFailure``, ``InvalidPredicate`` or ``PhotoLibraryError``.
  func fetch(in library: PhotoLibrary) throws -> FetchResult<Asset> {
    var options = FetchOptions(includeHiddenAssets: includesHidden, fetchLimit: limit)
    options.wantsIncrementalChangeDetails = false
    if let predicate {
      do throws(PredicateFormatError) {
        options.predicate = try FetchPredicate(format: predicate)
      } catch {
        throw InvalidPredicate(text: predicate, error: error)
      }
    }
    options.sortDescriptors = try order.map { try Self.descriptor($0) }
    guard let album else { return try library.fetchAssets(with: options) }
    return try library.fetchAssets(in: Albums(of: library).album(named: album), options: options)
  }

  private static func descriptor(_ text: String) throws(PhotoFailure) -> FetchSortDescriptor {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let directions = ["ascending": true, "descending": false]
    guard let key = parts.first,
      let ascending = directions[parts.count > 1 ? parts[1] : "ascending"]
    else {
      throw PhotoFailure(
        code: "invalid-predicate", message: "“\(text)” is no order.",
        hint: "Write --sort creationDate or --sort creationDate:descending.")
    }
    do throws(PredicateFormatError) {
      return try FetchSortDescriptor(key: key, ascending: ascending)
    } catch {
      throw PhotoFailure(
        code: "invalid-predicate", message: "There is no “\(key)” to sort by.", hint: error.hint)
    }
  }
}
