import SafelightCatalog

/// The result of a fetch: an ordered list that never changes, whoever writes to the library.
///
/// Assets are read on demand, from the library as it was at the fetch. So a long result costs as little as a
/// short one. Several threads may read at once.
///
/// ```swift
/// for asset in try library.fetchAssets(with: options) { print(asset.path) }
/// ```
///
/// As PhotoKit's results, which are objects, a result is equal to its copies and to no result of another fetch, even when
/// both have the same objects: comparing costs nothing, however many objects there are. `elementsEqual` compares
/// the objects. All results of ``init()`` are equal.
///
/// When the catalog can no longer be read, a result still has the assets that were read. All other assets then
/// have an empty ``Asset/localIdentifier``; a result that was not counted before has none of them.
/// ``failure`` says why, ``allObjects()`` and ``preload(_:)`` throw it, and a ``PhotoLibraryAvailabilityObserver`` is
/// called.
public struct FetchResult<Object: PhotoLibraryObject>: Sendable, Hashable,
  RandomAccessCollection
{
  /// Where the objects are.
  enum Storage: Sendable {
    /// In the catalog. The function makes an object of the result from an asset.
    case assets(FetchedAssets, @Sendable (Asset) -> Object)
    /// In memory, with their rows.
    case list(ContiguousArray<Object>, rows: ContiguousArray<Int64>)
  }

  let storage: Storage
  /// The library as it was at the fetch; `nil` when the client may see nothing.
  let snapshot: Snapshot?
  /// Whether the details of a change have the indexes of the objects that changed.
  let wantsIncrementalChangeDetails: Bool
  /// Makes the same fetch from another snapshot.
  let fetch: @Sendable (Snapshot) throws(PhotoLibraryError) -> FetchResult
  private let identity: FetchIdentity

  init(
    storage: Storage, snapshot: Snapshot?, wantsIncrementalChangeDetails: Bool,
    identity: FetchIdentity = FetchIdentity(),
    fetch: @escaping @Sendable (Snapshot) throws(PhotoLibraryError) -> FetchResult
  ) {
    (self.storage, self.snapshot, self.fetch) = (storage, snapshot, fetch)
    (self.wantsIncrementalChangeDetails, self.identity) = (wantsIncrementalChangeDetails, identity)
  }

  /// A result without objects, for a program that has not fetched yet. It has no changes.
  public init() {
    self.init(
      storage: .list([], rows: []), snapshot: nil, wantsIncrementalChangeDetails: true,
      identity: .none, fetch: { _ in FetchResult() })
  }

  /// Whether one result is a copy of the other.
  public static func == (left: FetchResult, right: FetchResult) -> Bool {
    left.identity === right.identity
  }

  /// Hashes which fetch it was.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }

  /// The objects' rows in the catalog, in order.
  ///
  /// - Throws: ``PhotoLibraryError``.
  func rows() throws(PhotoLibraryError) -> ContiguousArray<Int64> {
    switch storage {
    case .assets(let assets, _): try assets.rows()
    case .list(_, let rows): rows
    }
  }

  /// Whether the result has assets, and not albums or lists.
  var listsAssets: Bool { Object.self == Asset.self }

  /// The same fetch from another snapshot.
  func refetched(in snapshot: Snapshot) throws(PhotoLibraryError) -> FetchResult {
    try fetch(snapshot)
  }

  /// The first index; always 0.
  public var startIndex: Int { 0 }
  /// The index after the last object.
  public var endIndex: Int { count }

  /// The number of objects. Assets are counted when a program asks for the first time.
  public var count: Int {
    switch storage {
    case .assets(let assets, _): assets.countKept
    case .list(let objects, _): objects.count
    }
  }

  /// Why objects could not be counted or read; `nil` as long as everything that was asked for could be. An empty
  /// result without a failure is really empty.
  public var failure: PhotoLibraryError? {
    if case .assets(let assets, _) = storage { assets.failure } else { nil }
  }

  /// The number of objects.
  ///
  /// - Throws: ``PhotoLibraryError`` when they cannot be counted, unlike ``count``.
  public func counted() throws(PhotoLibraryError) -> Int {
    switch storage {
    case .assets(let assets, _): try assets.count()
    case .list(let objects, _): objects.count
    }
  }

  /// All objects, in order.
  ///
  /// - Throws: ``PhotoLibraryError`` when an object cannot be read, unlike a loop over the result.
  public func allObjects() throws(PhotoLibraryError) -> [Object] {
    // Not `Array(self)`, which takes as many as were counted.
    var objects: [Object] = []
    for object in self { objects.append(object) }
    if let failure { throw failure }
    return objects
  }

  /// Whether there is no object. Reads no more than the first page.
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

  /// Reads the assets of a range now. What lies outside of the result is left out.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read any more.
  public func preload(_ range: Range<Int>) throws(PhotoLibraryError) {
    guard case .assets(let assets, _) = storage else { return }
    let range = range.clamped(to: 0..<(try assets.count()))
    if range.isEmpty { return }
    let size = QueryPlan.pageSize
    for page in range.lowerBound / size...(range.upperBound - 1) / size {
      _ = try assets.page(page)
    }
  }

  private func object(ifAt index: Int) -> Object? {
    guard index >= 0 else { return nil }
    let (page, offset) = index.quotientAndRemainder(dividingBy: QueryPlan.pageSize)
    switch storage {
    case .list(let objects, _): return index < objects.count ? objects[index] : nil
    case .assets(let assets, let object):
      let assets = assets.pageKept(page)
      return offset < assets.count ? object(assets[offset]) : nil
    }
  }
}

/// Tells one fetch from another; copies of a result share it.
final class FetchIdentity: Sendable {
  /// That of results without a fetch.
  static let none = FetchIdentity()
}

extension FetchResult {
  /// Reads a result page by page.
  public struct Iterator: IteratorProtocol {
    fileprivate let result: FetchResult
    fileprivate var number = 0
    fileprivate var offset = 0
    fileprivate var page: ContiguousArray<Asset> = []

    /// The next object; `nil` after the last.
    public mutating func next() -> Object? {
      switch result.storage {
      case .list(let objects, _):
        guard offset < objects.count else { return nil }
        defer { offset += 1 }
        return objects[offset]
      case .assets(let assets, let object):
        if offset == page.count {
          guard number == 0 || page.count == QueryPlan.pageSize else { return nil }
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

  /// Begins to read all objects in order.
  public func makeIterator() -> Iterator { Iterator(result: self) }

  /// Calls a function with every object and its index, until it sets `stop`.
  public func enumerateObjects(_ body: (Object, Int, _ stop: inout Bool) throws -> Void) rethrows {
    var stop = false
    for (index, object) in enumerated() {
      try body(object, index, &stop)
      if stop { return }
    }
  }
}

extension FetchResult {
  /// The index of an object; `nil` when it is not in the result.
  ///
  /// The identifier decides: a later state of the same object has the same index.
  public func index(of object: Object) -> Int? {
    switch storage {
    case .list(let objects, _):
      return objects.firstIndex {
        $0.localIdentifier == object.localIdentifier && isOfSameLibrary(object)
      }
    case .assets(let assets, _):
      guard let asset = object as? Asset, isOfSameLibrary(object) else { return nil }
      // SQLite may have given the row of a deleted asset to another one.
      guard let index = assets.rowsKept.firstIndex(of: asset.row),
        self[index].localIdentifier == object.localIdentifier
      else { return nil }
      return index
    }
  }

  private func isOfSameLibrary(_ object: Object) -> Bool {
    snapshot.map { object.belongs(to: $0.path) } ?? true
  }

  /// The index of an object; `nil` when it is not in the result.
  public func firstIndex(of object: Object) -> Int? { index(of: object) }

  /// Whether an object is in the result, in this or another state.
  public func contains(_ object: Object) -> Bool { index(of: object) != nil }

  /// The objects at some indexes, such as a range; all indexes must be below ``count``.
  public func objects(at indexes: some Sequence<Int>) -> [Object] { indexes.map { self[$0] } }
}

extension FetchResult where Object == Asset {
  /// The number of assets of a medium.
  public func countOfAssets(with mediaType: AssetMediaType) -> Int {
    mediaType == .image ? count : 0
  }

  /// The number of assets that are of all these kinds.
  public func countOfAssets(with subtypes: AssetMediaSubtype) -> Int {
    guard case .assets(let assets, _) = storage else { return 0 }
    return assets.countKept(of: .bits(Int64(subtypes.rawValue), of: .mediaSubtypes))
  }
}
