import PhotoEditing

/// What a fetch found: an ordered list that never changes, whoever writes to the library.
///
/// Assets are read when they are asked for, from the library as it was at the fetch; the list itself
/// costs little, however long it is. Reading from several threads at once is fine. Only a disk that
/// cannot be read, or a catalog that was damaged since, stops the program; ``preload(_:)`` finds
/// that out before.
public struct FetchResult<Object: PhotoLibraryObject>: Sendable, RandomAccessCollection {
  /// How the objects are kept.
  enum Storage: Sendable {
    /// Read when asked for; the function makes an asset what is listed.
    case assets(FetchedAssets, @Sendable (Asset) -> Object)
    /// At hand, with their rows.
    case list(ContiguousArray<Object>, rows: ContiguousArray<Int64>)
  }

  let storage: Storage
  /// The library as it was at the fetch; `nil` when nothing may be seen.
  let snapshot: Snapshot?
  /// Whether changes of it shall be told one by one.
  let wantsIncrementalChangeDetails: Bool
  /// Does the same fetch at another moment.
  let fetch: @Sendable (Snapshot) throws(PhotoLibraryError) -> FetchResult

  /// The numbers of the rows in the catalog, in order.
  ///
  /// - Throws: ``PhotoLibraryError``.
  func rows() throws(PhotoLibraryError) -> ContiguousArray<Int64> {
    switch storage {
    case .assets(let assets, _): try assets.rows()
    case .list(_, let rows): rows
    }
  }

  /// Whether it lists assets, rather than albums and lists of albums.
  var listsAssets: Bool { Object.self == Asset.self }

  /// The same fetch at another moment.
  func refetched(in snapshot: Snapshot) throws(PhotoLibraryError) -> FetchResult {
    try fetch(snapshot)
  }

  /// The first index; always 0.
  public var startIndex: Int { 0 }
  /// The index behind the last object.
  public var endIndex: Int { count }

  /// How many objects there are. Assets are counted when it is asked for the first time.
  public var count: Int {
    switch storage {
    case .assets(let assets, _): Self.read { () throws(PhotoLibraryError) in try assets.count() }
    case .list(let objects, _): objects.count
    }
  }

  /// Whether there is no object; reads no more than the first page.
  public var isEmpty: Bool { firstObject == nil }

  /// An object; the index must be below ``count``.
  public subscript(index: Int) -> Object {
    guard let object = self.object(ifAt: index) else {
      preconditionFailure("index \(index) is out of the range of a fetch result of \(count)")
    }
    return object
  }

  /// An object; the index must be below ``count``.
  public func object(at index: Int) -> Object { self[index] }

  /// The first object; `nil` when there is none.
  public var firstObject: Object? { object(ifAt: 0) }
  /// The first object; `nil` when there is none.
  public var first: Object? { firstObject }
  /// The last object; `nil` when there is none.
  public var lastObject: Object? { count == 0 ? nil : self[count - 1] }
  /// The last object; `nil` when there is none.
  public var last: Object? { lastObject }

  /// Reads what stands at some indexes, so that it is at hand.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read any more.
  public func preload(_ range: Range<Int>) throws(PhotoLibraryError) {
    guard case .assets(let assets, _) = storage, !range.isEmpty else { return }
    let size = AssetPlan.pageSize
    for page in range.lowerBound / size...(range.upperBound - 1) / size {
      _ = try assets.page(page)
    }
  }

  private func object(ifAt index: Int) -> Object? {
    guard index >= 0 else { return nil }
    let (page, offset) = index.quotientAndRemainder(dividingBy: AssetPlan.pageSize)
    switch storage {
    case .list(let objects, _): return index < objects.count ? objects[index] : nil
    case .assets(let assets, let object):
      let assets = Self.read { () throws(PhotoLibraryError) in try assets.page(page) }
      return offset < assets.count ? object(assets[offset]) : nil
    }
  }

  /// Reads what cannot fail unless the disk does.
  static func read<Value>(_ work: () throws(PhotoLibraryError) -> Value) -> Value {
    do { return try work() } catch { fatalError("a fetch result cannot be read: \(error)") }
  }
}
