import SafelightFiles

/// Work on several photos: some at once, begun in their order, and none before those that it waits for.
///
/// A photo that fails is a result as any other. What takes the results says whether more photos are begun.
package struct BatchRun: Sendable {
  private let turns: PhotoTurns
  private let atOnce: Int

  /// How many photos a server works on at once, which does other things too.
  package static let besideOthers = 2

  /// - Parameters:
  ///   - count: How many photos there are.
  ///   - order: Which of them wait for which.
  ///   - atOnce: How many are worked on at once.
  package init(of count: Int, order: NameOrder = NameOrder(), atOnce: Int) {
    turns = PhotoTurns(count, order)
    self.atOnce = max(1, atOnce)
  }

  /// Photos whose renders may get the same names.
  package init(of photos: [FilePath], atOnce: Int) {
    let numbered = photos.enumerated().map { (index: $0.offset, path: $0.element) }
    self.init(of: photos.count, order: NameOrder(numbered), atOnce: atOnce)
  }

  /// Works until all photos are done, no more are wanted, or the surrounding task is cancelled. The work in hand is
  /// cancelled with the task, and waited for.
  ///
  /// - Parameters:
  ///   - begin: Called with the number of each photo before the work on it.
  ///   - work: Works on the photo of a number.
  ///   - note: Takes one result after the other, as they come. Gives whether more photos are begun.
  package func run<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    begin: (Int) async -> Void = { _ in },
    work: @escaping @Sendable (Int) async -> Result,
    note: (Int, Result) async -> Bool
  ) async {
    await withTaskGroup(of: (Int, Result).self) { group in
      var turns = turns
      var running = 0
      var goesOn = true
      while true {
        while goesOn, running < atOnce, !Task.isCancelled, let index = turns.next() {
          running += 1
          await begin(index)
          group.addTask { (index, await work(index)) }
        }
        guard let (index, result) = await group.next() else { break }
        running -= 1
        turns.finish(index)
        if await !note(index, result) { goesOn = false }
      }
    }
  }
}

/// The photos of a batch in their order, handed out one by one, and none before those that it waits for.
struct PhotoTurns: Sendable {
  /// How many photos may be begun from the first on that is not finished: results wait in memory for those before them.
  static let window = 1000

  private let order: NameOrder
  /// The numbers that were not handed out, the first one last.
  private var waiting: [Int]
  private var finished: Set<Int> = []
  /// The first number that is not finished.
  private var first = 0

  init(_ count: Int, _ order: NameOrder) {
    self.order = order
    waiting = Array((0..<count).reversed())
  }

  /// The number of the next photo that may be begun; `nil` when there is none, or none before another is finished.
  mutating func next() -> Int? {
    for place in waiting.indices.reversed() {
      guard waiting[place] < first + Self.window else { return nil }
      if order.isFree(waiting[place], finished: finished) { return waiting.remove(at: place) }
    }
    return nil
  }

  /// Says that a photo is finished.
  mutating func finish(_ index: Int) {
    finished.insert(index)
    while finished.contains(first) { first += 1 }
  }
}

/// Which photos of a list have to wait for which, because their renders may get the same name.
///
/// The render of `beach.png` is `beach_edited.jpg`, and `beach.png_edited.jpg` when another photo has that. The photo
/// that comes first in the list gets the short name, however long each takes.
package struct NameOrder: Sendable {
  private var earlier: [Int: Set<Int>] = [:]

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
        }
      }
    }
  }

  /// No photo waits.
  package init() {}

  /// Whether a photo may be begun when some are finished.
  func isFree(_ index: Int, finished: Set<Int>) -> Bool {
    earlier[index]?.isSubset(of: finished) ?? true
  }
}
