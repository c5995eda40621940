import PhotoEditing
import SafelightFiles
import Synchronization

/// The pictures that a caching manager keeps in memory: pictures whose caching was started and not
/// stopped, up to a limit of bytes.
final class ImageMemory: Sendable {
  /// An asset and a recipe whose picture is cached.
  struct Entry: Sendable, Hashable {
    let asset: String
    let recipe: ImageRecipe
  }

  private struct Kept {
    let key: ImageKey
    let image: DisplayImage
    let isDegraded: Bool
    var lastUse: Int
  }

  private struct State {
    var limit: Int
    var wanted: Set<Entry> = []
    var kept: [Entry: Kept] = [:]
    var entries: [ImageKey: Entry] = [:]
    var bytes = 0
    var uses = 0

    mutating func remove(_ entry: Entry) {
      guard let old = kept.removeValue(forKey: entry) else { return }
      bytes -= old.image.pixels.count
      if entries[old.key] == entry { entries[old.key] = nil }
    }

    mutating func shrink() {
      while bytes > limit, let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse }) {
        remove(oldest.key)
      }
    }
  }

  private let state: Mutex<State>

  /// - Parameter limit: The largest number of bytes of pixels.
  init(limit: Int) { state = Mutex(State(limit: limit)) }

  /// The largest number of bytes of pixels.
  var limit: Int {
    get { state.withLock(\.limit) }
    set {
      state.withLock { state in
        state.limit = newValue
        state.shrink()
      }
    }
  }

  /// Bytes of all pixels that are kept.
  var bytes: Int { state.withLock(\.bytes) }

  /// Begins to keep pictures of an entry; `false` when they are kept already.
  func want(_ entry: Entry) -> Bool { state.withLock { $0.wanted.insert(entry).inserted } }

  /// Drops an entry and its picture.
  func forget(_ entry: Entry) {
    state.withLock { state in
      state.wanted.remove(entry)
      state.remove(entry)
    }
  }

  /// Drops all entries and pictures.
  func forgetAll() {
    state.withLock { state in
      let limit = state.limit
      state = State(limit: limit)
    }
  }

  func image(_ key: ImageKey) -> DisplayImage? { image(key, isDegraded: false) }

  /// The degraded picture of a key.
  func thumbnail(_ key: ImageKey) -> DisplayImage? { image(key, isDegraded: true) }

  /// Keeps a picture when its entry is wanted.
  func keep(_ image: DisplayImage, for key: ImageKey, of request: ImageRequest) {
    keep(image, for: key, of: request, isDegraded: false)
  }

  /// Keeps a degraded picture until the good one is kept.
  func keep(thumbnail image: DisplayImage, for key: ImageKey, of request: ImageRequest) {
    keep(image, for: key, of: request, isDegraded: true)
  }

  private func image(_ key: ImageKey, isDegraded: Bool) -> DisplayImage? {
    state.withLock { state in
      guard let entry = state.entries[key], let kept = state.kept[entry],
        kept.isDegraded == isDegraded
      else { return nil }
      state.uses += 1
      state.kept[entry]?.lastUse = state.uses
      return kept.image
    }
  }

  private func keep(
    _ image: DisplayImage, for key: ImageKey, of request: ImageRequest, isDegraded: Bool
  ) {
    guard case .asset(let asset) = request.subject else { return }
    let entry = Entry(asset: asset.localIdentifier, recipe: request.recipe)
    state.withLock { state in
      guard state.wanted.contains(entry), image.pixels.count <= state.limit else { return }
      if isDegraded, let kept = state.kept[entry], kept.key == key, !kept.isDegraded { return }
      state.remove(entry)
      state.uses += 1
      state.kept[entry] = Kept(
        key: key, image: image, isDegraded: isDegraded, lastUse: state.uses)
      state.entries[key] = entry
      state.bytes += image.pixels.count
      state.shrink()
    }
  }
}
