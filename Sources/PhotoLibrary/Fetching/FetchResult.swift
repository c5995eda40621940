import SafelightCatalog

/// What a fetch found: an ordered list that never changes, whoever writes to the library.
///
/// Assets are read on demand, from the library as it was at the fetch; the list itself costs little,
/// however long it is. Several threads may read at once.
///
/// ```swift
/// for asset in try library.fetchAssets(with: options) { print(asset.path) }
/// ```
///
/// When the catalog can no longer be read, a result keeps what it has read: an asset that it had not read
/// has an empty ``Asset/localIdentifier``, and a result that was never counted is empty beyond that.
/// ``preload(_:)`` throws in this case, and a ``PhotoLibraryAvailabilityObserver`` is told.
public struct FetchResult<Object: PhotoLibraryObject>: Sendable, RandomAccessCollection {
  /// How the objects are kept.
  enum Storage: Sendable {
    /// Read on demand; the function makes an asset an object of the result.
    case assets(FetchedAssets, @Sendable (Asset) -> Object)
    /// In memory, with their rows.
    case list(ContiguousArray<Object>, rows: ContiguousArray<Int64>)
  }

  let storage: Storage
  /// The library as it was at the fetch; `nil` when nothing may be seen.
  let snapshot: Snapshot?
  /// Whether observers get the changes of the result one by one.
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
    case .assets(let assets, _): assets.countKept
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

  /// Reads the assets at some indexes now.
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
      let assets = assets.pageKept(page)
      return offset < assets.count ? object(assets[offset]) : nil
    }
  }
}

extension FetchResult {
  /// Goes through a result a page at a time.
  public struct Iterator: IteratorProtocol {
    fileprivate let result: FetchResult
    fileprivate var number = 0
    fileprivate var offset = 0
    fileprivate var page: ContiguousArray<Asset> = []

    /// The next object; `nil` behind the last one.
    public mutating func next() -> Object? {
      switch result.storage {
      case .list(let objects, _):
        guard offset < objects.count else { return nil }
        defer { offset += 1 }
        return objects[offset]
      case .assets(let assets, let object):
        if offset == page.count {
          guard number == 0 || page.count == AssetPlan.pageSize else { return nil }
          page = assets.pageKept(number)
          number += 1
          offset = 0
          guard !page.isEmpty else { return nil }
        }
        defer { offset += 1 }
        return object(page[offset])
      }
    }
  }

  /// Goes through all objects in order.
  public func makeIterator() -> Iterator { Iterator(result: self) }

  /// Calls a function with every object and its index, until it says stop.
  public func enumerateObjects(_ body: (Object, Int, _ stop: inout Bool) throws -> Void) rethrows {
    var stop = false
    for (index, object) in enumerated() {
      try body(object, index, &stop)
      if stop { return }
    }
  }
}

extension FetchResult {
  /// Where an object stands; `nil` when it is not in the result.
  ///
  /// The identifier decides: a later state of the same object has the same index.
  public func index(of object: Object) -> Int? {
    switch storage {
    case .list(let objects, _):
      return objects.firstIndex { $0.localIdentifier == object.localIdentifier }
    case .assets(let assets, _):
      guard let asset = object as? Asset else { return nil }
      // SQLite may have given the row to another asset since.
      guard let index = try? assets.rows().firstIndex(of: asset.row),
        self[index].localIdentifier == object.localIdentifier
      else { return nil }
      return index
    }
  }

  /// Where an object stands; `nil` when it is not in the result.
  public func firstIndex(of object: Object) -> Int? { index(of: object) }

  /// Whether an object is in the result, in this or another state.
  public func contains(_ object: Object) -> Bool { index(of: object) != nil }

  /// The objects at some indexes, such as those of a range; all must be below ``count``.
  public func objects(at indexes: some Sequence<Int>) -> [Object] { indexes.map { self[$0] } }
}

extension FetchResult where Object == Asset {
  /// How many of the assets are photos, videos and so on.
  public func countOfAssets(with mediaType: AssetMediaType) -> Int {
    mediaType == .image ? count : 0
  }

  /// How many of the assets are of all these kinds.
  public func countOfAssets(with subtypes: AssetMediaSubtype) -> Int {
    guard case .assets(let assets, _) = storage else { return 0 }
    return (try? assets.count(of: .bits(Int64(subtypes.rawValue), of: .mediaSubtypes))) ?? 0
  }
}
