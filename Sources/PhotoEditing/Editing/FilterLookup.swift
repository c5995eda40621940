import Filters
import Storage

extension Filter {
  /// Every filter that ships with Safelight, in the order in which they are listed.
  public static var shipped: [Filter] { ShippedFilters.all }

  /// Largest file that is read as a filter: 1 MiB.
  static let largestFile = 1 << 20

  /// The shipped filter of a name, or the filter in a JSON file.
  ///
  /// - Parameter text: A name such as `noir`, or a path: anything with a slash, or ending in
  ///   `.json`. Undecodable bytes as in `FilePath.init(argument:)`.
  /// - Throws: ``EditError/unknownFilter(_:)``, ``EditError/unusableFilter(path:detail:)``.
  public static func named(_ text: String) throws(EditError) -> Filter {
    if let filter = shipped.first(where: { $0.name == text }) { return filter }
    guard text.contains("/") || text.hasSuffix(".json") else { throw .unknownFilter(text) }
    let path = FilePath(argument: text)
    do {
      return try Filter(json: FileSystem.real.contents(of: path, limit: largestFile))
    } catch let error as AdjustmentError {
      throw .unusableFilter(path: path, detail: error.description)
    } catch let error as StorageError {
      throw EditError(error, path: path)
    } catch {
      throw .unusableFilter(path: path, detail: "\(error)")
    }
  }
}
