import Filters
import Storage

extension Filter {
  /// Every filter that ships with Safelight, in the order in which they are listed.
  public static var shipped: [Filter] { ShippedFilters.all }

  /// Largest file that is read as a filter: 1 MiB.
  static let largestFile = 1 << 20

  /// The filter of a name, shipped or the user's own, or the filter in a JSON file.
  ///
  /// - Parameters:
  ///   - text: A name such as `noir`, or a path: anything with a slash, or ending in `.json`.
  ///     Undecodable bytes as in `FilePath.init(argument:)`.
  ///   - userFilters: The filters that the user saved; `nil` does without.
  /// - Throws: ``EditError/unknownFilter(_:)``, ``EditError/unusableFilter(path:detail:)``.
  public static func named(
    _ text: String, userFilters: UserFilters? = .standard
  ) throws(EditError) -> Filter {
    if let filter = shipped.first(where: { $0.name == text }) { return filter }
    if let filter = try userFilters?.filter(named: text) { return filter }
    guard text.contains("/") || text.hasSuffix(".json") else { throw .unknownFilter(text) }
    return try Filter(reading: FilePath(argument: text))
  }

  /// Reads a filter's JSON file.
  init(reading path: FilePath, through fileSystem: FileSystem = .real) throws(EditError) {
    do {
      self = try Filter(json: fileSystem.contents(of: path, limit: Self.largestFile))
    } catch let error as AdjustmentError {
      throw .unusableFilter(path: path, detail: error.description)
    } catch let error as StorageError {
      throw EditError(error, path: path)
    } catch {
      throw .unusableFilter(path: path, detail: "\(error)")
    }
  }
}
