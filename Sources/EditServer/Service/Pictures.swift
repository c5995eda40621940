import PhotoEditing
import PhotoLibraryKit
import SafelightFiles
import SafelightRendering
import SafelightStorage
import Synchronization

/// What picture of a photo is wanted.
struct PictureWish: Sendable, Hashable {
  /// Most pixels along the longer side of the whole picture; `nil` is all that there are.
  var longestSide: Int?
  var showsEdit = true
  /// A filter in place of the photo's own, with its intensity.
  var filter: Filter?
  var intensity = 1.0
  var crop = NormalizedRect.whole
  /// Of the JPEG, 1 to 100.
  var quality = 85

  fileprivate var text: String {
    let crop = crop == .whole ? "" : " \(crop.x) \(crop.y) \(crop.width) \(crop.height)"
    // A filter of the user's may change under its name.
    let look = filter.map { SHA256.digest(of: Array($0.json.compact.text.utf8)).description } ?? ""
    return "\(longestSide ?? 0) \(showsEdit) \(look) \(intensity) \(quality)" + crop
  }

  /// Whether its address may stand for other bytes later, though the photo stays the same.
  var mayChange: Bool { filter.map { !Filter.shipped.contains($0) } ?? false }
}

/// Makes pictures of photos as JPEGs, and keeps the small ones in memory.
///
/// Thumbnails of photos as they are come from the library's image manager, which keeps them on the disk too.
final class Pictures: Sendable {
  private let manager: ImageManager
  private let display = DisplaySource()
  private let threads: Threads
  private let cache = PictureCache()

  init(_ library: PhotoLibrary, _ threads: Threads) {
    manager = ImageManager(library)
    self.threads = threads
  }

  /// The strong tag of a picture (RFC 9110, 8.8.3): everything that decides its bytes.
  static func tag(_ wish: PictureWish, revision: String) -> String {
    let text = "1 \(PhotoEditor.rendererVersion) \(revision) \(wish.text)"
    return "\"" + SHA256.digest(of: Array(text.utf8)).description.prefix(24) + "\""
  }

  /// A picture that is in memory.
  func kept(_ wish: PictureWish, of id: String, revision: String) -> SharedBytes? {
    cache[Self.key(wish, id, revision)]
  }

  private static func key(_ wish: PictureWish, _ id: String, _ revision: String) -> String {
    "\(id) \(revision) \(wish.text)"
  }

  /// A picture of a photo.
  func picture(_ wish: PictureWish, of photo: ServedPhoto) async throws -> SharedBytes {
    let key = Self.key(wish, photo.id, photo.revision)
    if let bytes = cache[key] { return bytes }
    let bytes = try await made(wish, of: photo)
    cache[key] = bytes
    return bytes
  }

  private func made(_ wish: PictureWish, of photo: ServedPhoto) async throws -> SharedBytes {
    guard let filter = wish.filter else {
      let image = try await image(wish, of: photo)
      do {
        return SharedBytes(try image.jpegBytes(quality: wish.quality))
      } catch {
        throw EditError(error, path: photo.path)
      }
    }
    let live = try await LivePhoto(photo, threads)
    var stack = live.present
    try stack.setFilter(filter.applied(intensity: wish.intensity))
    let all = LivePreviews.Wish(
      longestSide: wish.longestSide ?? .max, crop: wish.crop, quality: wish.quality)
    return try await live.picture(of: stack, all).jpeg
  }

  private func image(_ wish: PictureWish, of photo: ServedPhoto) async throws -> DisplayImage {
    if wish.crop == .whole, let side = wish.longestSide, side <= 2048,
      !photo.isTrashed
    {
      let options = ImageRequestOptions()
      options.version = wish.showsEdit ? .current : .unadjusted
      options.deliveryMode = .highQualityFormat
      options.resizeMode = .fast
      do {
        return try await manager.requestImage(
          for: photo.asset, targetSize: PixelSize(width: side, height: side), options: options)
      } catch PhotoLibraryError.userCancelled {
        throw CancellationError()
      }
    }
    let fit = wish.fit(of: photo.asset)
    return try await threads.run { [display] cancellation in
      try display.image(
        of: photo.stamp, showsEdit: wish.showsEdit, fit: fit, cancellation: cancellation)
    }
  }
}

extension PictureWish {
  fileprivate func fit(of asset: Asset) -> DisplayFit {
    var fit = DisplayFit()
    if crop == .whole {
      fit.target = longestSide.map { PixelSize(width: $0, height: $0) }
      return fit
    }
    // A damaged catalog may have any numbers, and no picture is longer.
    let (width, height) = (min(asset.pixelWidth, 1 << 20), min(asset.pixelHeight, 1 << 20))
    let longest = Double(max(width, height, 1))
    let scale = min(1, longestSide.map { Double($0) / longest } ?? 1)
    func side(_ count: Int, _ share: Double) -> Int {
      max(Int((Double(count) * share * scale).rounded()), 1)
    }
    fit.target = PixelSize(
      width: side(width, crop.width), height: side(height, crop.height))
    fit.exactness = .exact
    fit.crop = crop
    return fit
  }
}

/// Encoded pictures in memory, up to a limit; the least recently used go first.
final class PictureCache: Sendable {
  /// Bytes of all pictures: some six thousand thumbnails.
  static let limit = 128 << 20
  /// Larger pictures are few and not kept.
  static let largest = 1 << 20

  private struct Kept {
    let bytes: SharedBytes
    var use: Int
  }

  private struct State {
    var pictures: [String: Kept] = [:]
    var bytes = 0
    var uses = 0
  }

  private let state = Mutex(State())

  /// The bytes of all pictures.
  var bytes: Int { state.withLock(\.bytes) }

  subscript(key: String) -> SharedBytes? {
    get {
      state.withLock { state in
        state.uses += 1
        state.pictures[key]?.use = state.uses
        return state.pictures[key]?.bytes
      }
    }
    set {
      guard let newValue, newValue.count <= Self.largest else { return }
      state.withLock { state in
        state.uses += 1
        state.bytes += newValue.count - (state.pictures[key]?.bytes.count ?? 0)
        state.pictures[key] = Kept(bytes: newValue, use: state.uses)
        guard state.bytes > Self.limit else { return }
        // An eighth at once, so that sorting is seldom.
        for (key, kept) in state.pictures.sorted(by: { $0.value.use < $1.value.use }) {
          guard state.bytes > Self.limit / 8 * 7 else { break }
          state.bytes -= kept.bytes.count
          state.pictures[key] = nil
        }
      }
    }
  }
}
