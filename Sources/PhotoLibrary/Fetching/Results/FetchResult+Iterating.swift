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
          let number = number
          page = FetchResult.read { () throws(PhotoLibraryError) in try assets.page(number) }
          self.number += 1
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
