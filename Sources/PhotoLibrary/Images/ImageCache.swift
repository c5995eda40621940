import Dispatch
import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightStorage
import Synchronization

/// Pictures on disk, for all processes that use a library: JPEGs of quality 90 in `cache`, inside of
/// the catalog's folder, in 256 folders by the first two digits of their keys.
///
/// A cache only: all of it may be removed at any time, also while it is used. A picture appears whole
/// under its name or not at all, and a damaged one is made anew. A disk that is full or not to be
/// written on means only that nothing is kept. The time of a file's last modification is that of its
/// last use, to a quarter of an hour, and those that were not used for the longest time go first.
final class ImageCache: Sendable {
  /// Most bytes unless told otherwise: some thirty thousand thumbnails.
  static let usualLimit = 512 << 20
  /// Most pixels of a picture that is kept: larger ones are few, and the JPEG would show.
  private static let pixelLimit = 4 << 20

  let folder: FilePath

  private struct State {
    var limit = ImageCache.usualLimit
    var settlingTime = 2.0
    /// Bytes that this process wrote since it last counted all; `nil` before the first time.
    var written: Int?
    var isTrimming = false
  }

  private let state = Mutex(State())
  private let trimming = DispatchQueue(label: "org.safelight.images.trim", qos: .utility)
  private static let count = Atomic<Int>(0)

  /// The cache of a library; nothing is read or made.
  init(in library: FilePath) { folder = library.appending("cache") }

  /// Most bytes of all files; 0 keeps none.
  ///
  /// Counted over all processes, each of which may write a sixteenth of it before it counts again.
  var limit: Int {
    get { state.withLock(\.limit) }
    set { state.withLock { ($0.limit, $0.written) = (newValue, nil) } }
  }

  /// Seconds since the last change of a photo's files after which its pictures are kept. The clocks of
  /// some disks stand still for two, so that what changed may change again without its stamp.
  var settlingTime: Double {
    get { state.withLock(\.settlingTime) }
    set { state.withLock { $0.settlingTime = newValue } }
  }

  /// The picture of a key; `nil` when it is not there, or damaged.
  func image(for key: ImageKey) -> DisplayImage? {
    guard limit > 0 else { return nil }
    let path = path(of: key)
    let descriptor = FileTrace.withCString(path) { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let trace = FileTrace(descriptor: descriptor), trace.kind == .file,
      let bytes = Self.contents(of: descriptor, count: Int(trace.size)),
      let image = CachedJPEG.image(in: bytes, key)
    else { return nil }
    if Self.now - trace.modifiedSeconds > 900 { futimens(descriptor, nil) }
    return image
  }

  /// Whether a picture is one to keep: small enough, and of files that did not change just now.
  func keeps(_ image: DisplayImage, madeFrom stamp: PhotoStamp) -> Bool {
    limit > 0 && image.width * image.height <= Self.pixelLimit
      && Self.now - stamp.lastChange > settlingTime
  }

  /// Keeps a picture, if the disk takes it.
  func store(_ image: DisplayImage, for key: ImageKey) {
    guard let bytes = CachedJPEG.bytes(of: image, key), write(bytes, to: path(of: key)) else {
      return
    }
    let isDue = state.withLock { state in
      let written = (state.written ?? state.limit) + bytes.count
      state.written = written
      guard written > state.limit / 16, !state.isTrimming else { return false }
      state.isTrimming = true
      return true
    }
    if isDue { trimming.async { self.trim() } }
  }

  /// Removes what was not used for the longest time, until an eighth of the limit is free.
  func trim() {
    let limit = state.withLock { state in
      state.written = 0
      return state.limit
    }
    CacheFolder(folder, now: Self.now).shrink(to: limit, leaving: limit / 8)
    state.withLock { $0.isTrimming = false }
  }

  /// Removes all pictures.
  func removeAll() { CacheFolder(folder, now: Self.now).shrink(to: 0, leaving: 0) }

  /// Waits until what is being removed is gone.
  func finishTrimming() { trimming.sync {} }

  /// Seconds since 1970 UTC.
  private static var now: Double { Date().timeIntervalSince1970 }

  func path(of key: ImageKey) -> FilePath {
    let name = key.text
    return folder.appending(FilePath(String(name.prefix(2))))
      .appending(FilePath(name.dropFirst(2) + ".jpg"))
  }

  private static func contents(of descriptor: Int32, count: Int) -> [UInt8]? {
    guard count <= pixelLimit * 4 else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(pread(descriptor, buffer.baseAddress, count, 0), 0)
    }
    return bytes.count == count ? bytes : nil
  }

  /// Writes a file under a name of its own and then gives it its name, replacing what has it.
  private func write(_ bytes: [UInt8], to path: FilePath) -> Bool {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    let parent = path.removingLastComponent()
    let temporary = parent.appending("\(CacheFolder.temporaryMark)\(getpid())-\(number)")
    func create() -> Int32 {
      FileTrace.withCString(temporary) {
        open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      }
    }
    var descriptor = create()
    if descriptor < 0, errno == ENOENT {
      CacheFolder(folder, now: Self.now).make()
      _ = FileTrace.withCString(parent) { mkdir($0, 0o700) }
      descriptor = create()
    }
    guard descriptor >= 0 else { return false }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    close(descriptor)
    let isDone =
      rest.isEmpty
      && FileTrace.withCString(temporary) { from in
        FileTrace.withCString(path) { rename(from, $0) }
      } == 0
    if !isDone { _ = FileTrace.withCString(temporary) { unlink($0) } }
    return isDone
  }
}
