import SafelightFiles
import Synchronization

/// The pictures that a program keeps in memory: those whose keeping was begun and not ended, up to a limit of bytes.
package final class PictureMemory: Sendable {
  /// A photo and what is shown of it.
  package struct Entry: Sendable, Hashable {
    private let photo: String
    private let request: PictureRequest

    /// - Parameter photo: Any word that stands for the photo.
    package init(_ photo: String, _ request: PictureRequest) {
      var request = request
      request.urgency = .requested
      (self.photo, self.request) = (photo, request)
    }
  }

  private struct Kept {
    let key: PictureKey
    let image: DisplayImage
    let isDegraded: Bool
  }

  private struct State {
    var wanted: Set<Entry> = []
    var kept: RecentlyUsed<Entry, Kept>
  }

  private let state: Mutex<State>

  /// - Parameter limit: The largest number of bytes of pixels.
  package init(limit: Int) { state = Mutex(State(kept: RecentlyUsed(limit: limit))) }

  /// The largest number of bytes of pixels.
  package var limit: Int {
    get { state.withLock(\.kept.limit) }
    set { state.withLock { $0.kept.limit = newValue } }
  }

  /// Bytes of all pixels that are kept.
  package var bytes: Int { state.withLock(\.kept.bytes) }

  /// Begins to keep pictures of an entry; `false` when they are kept already.
  package func want(_ entry: Entry) -> Bool {
    state.withLock { $0.wanted.insert(entry).inserted }
  }

  /// Drops an entry and its picture.
  package func forget(_ entry: Entry) {
    state.withLock { state in
      state.wanted.remove(entry)
      state.kept.remove(entry)
    }
  }

  /// Drops all entries and pictures.
  package func forgetAll() {
    state.withLock { $0 = State(kept: RecentlyUsed(limit: $0.kept.limit)) }
  }

  func image(of entry: Entry, _ key: PictureKey, isDegraded: Bool) -> DisplayImage? {
    state.withLock { state in
      guard let kept = state.kept.value(entry), kept.key == key, kept.isDegraded == isDegraded
      else { return nil }
      return kept.image
    }
  }

  /// Keeps a picture when its entry is wanted; a degraded one until the good one is kept.
  func keep(_ image: DisplayImage, of entry: Entry, _ key: PictureKey, isDegraded: Bool) {
    state.withLock { state in
      guard state.wanted.contains(entry), image.pixels.count <= state.kept.limit else { return }
      if isDegraded, let kept = state.kept.value(entry), kept.key == key, !kept.isDegraded {
        return
      }
      state.kept.insert(
        Kept(key: key, image: image, isDegraded: isDegraded), bytes: image.pixels.count,
        for: entry)
    }
  }
}

/// Values in memory, up to a limit of bytes; the least recently used go first.
struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Kept {
    let value: Value
    let bytes: Int
    var use: Int
  }

  private var kept: [Key: Kept] = [:]
  private var uses = 0
  /// Bytes of all values.
  private(set) var bytes = 0
  /// Most bytes of all values.
  var limit: Int { didSet { shrink() } }

  init(limit: Int) { self.limit = limit }

  /// A value, which is used by that.
  mutating func value(_ key: Key) -> Value? {
    uses += 1
    kept[key]?.use = uses
    return kept[key]?.value
  }

  /// Keeps a value in place of an earlier one.
  mutating func insert(_ value: Value, bytes count: Int, for key: Key) {
    remove(key)
    uses += 1
    bytes += count
    kept[key] = Kept(value: value, bytes: count, use: uses)
    shrink()
  }

  mutating func remove(_ key: Key) {
    if let old = kept.removeValue(forKey: key) { bytes -= old.bytes }
  }

  private mutating func shrink() {
    while bytes > limit, let oldest = kept.min(by: { $0.value.use < $1.value.use }) {
      remove(oldest.key)
    }
  }
}
