import SafelightFiles

/// Which photos of a list have to wait for which, because their renders may get the same name.
///
/// The render of `beach.png` is `beach_edited.jpg`, and `beach.png_edited.jpg` when another photo has that. The photo
/// that comes first in the list gets the short name, however long each takes.
package struct NameOrder: Sendable {
  private var earlier: [Int: Set<Int>] = [:]
  private var awaited: Set<Int> = []

  /// - Parameter photos: The photos with their numbers, in their order.
  package init(_ photos: [(index: Int, path: FilePath)]) {
    var last: [FilePath: Int] = [:]
    for (index, path) in photos {
      let photo = path.placeOfPhoto
      guard let name = photo.lastComponent else { continue }
      let folder = photo.removingLastComponent()
      for name in Set([name, name.stem ?? name]) {
        // Some disks do not tell capital letters from small ones.
        let key = folder.appending(FilePath(argument: name.argument.lowercased()))
        if let before = last.updateValue(index, forKey: key), before != index {
          earlier[index, default: []].insert(before)
          awaited.insert(before)
        }
      }
    }
  }

  /// No photo waits.
  package init() {}

  /// Whether a photo may be begun when some are finished.
  package func isFree(_ index: Int, finished: Set<Int>) -> Bool {
    earlier[index]?.isSubset(of: finished) ?? true
  }

  /// Whether another photo waits for a photo.
  package func isAwaited(_ index: Int) -> Bool { awaited.contains(index) }
}

/// The photos of a batch in their order, handed out one by one, and none before those that it waits for.
package struct PhotoTurns: Sendable {
  private let order: NameOrder
  private var waiting: [Int]
  private var finished: Set<Int> = []

  /// All photos of a list.
  package init(_ photos: [FilePath]) {
    order = NameOrder(photos.enumerated().map { ($0.offset, $0.element) })
    waiting = Array(photos.indices.reversed())
  }

  /// The number of the next photo that may be begun; `nil` when there is none, or none before another is finished.
  package mutating func next() -> Int? {
    let place = waiting.lastIndex { order.isFree($0, finished: finished) }
    return place.map { waiting.remove(at: $0) }
  }

  /// Whether there is a photo that was not handed out.
  package var hasNext: Bool { !waiting.isEmpty }

  /// Says that a photo is finished.
  package mutating func finish(_ index: Int) { finished.insert(index) }
}
