import Dispatch
import FoundationEssentials
import Glibc
import SafelightFiles
import SafelightStorage
import Synchronization

/// Pictures on disk, for all processes that use a library: JPEGs of quality 90 in the folder `cache` of
/// the library, in 256 folders by the first two digits of their keys.
///
/// All of it may be removed at any time, also while it is used. A picture appears whole under its name or
/// not at all, and a damaged picture is made again. When the disk is full or read-only, no picture is
/// kept. A file's modification time is the time of its last use, to a quarter of an hour; the least
/// recently used files are removed first.
///
/// A library may come from somebody else. So everything is reached from the library's folder, name by name and over
/// no symbolic link, and only files with names of this cache's making are removed.
package final class PictureDisk: Sendable {
  /// The usual limit in bytes: some thirty thousand thumbnails.
  static let usualLimit = 512 << 20
  /// The largest number of pixels of a picture that is kept: larger pictures are few, and the JPEG's loss
  /// would be visible.
  private static let pixelLimit = 4 << 20

  package let folder: FilePath
  private let library: FilePath
  /// Whether pictures are only read: nothing is written, removed or touched.
  private let isReadOnly: Bool

  private struct State {
    var limit = PictureDisk.usualLimit
    var settlingTime = 2.0
    /// Bytes that this process wrote since it last counted all files; `nil` before the first count.
    var written: Int?
    var isTrimming = false
  }

  private let state = Mutex(State())
  /// The sizes of pictures that this process kept or found last, the last one first.
  private let recentRequests = Mutex<[PictureRequest]>([])
  private static let recentCount = 8
  private let trimming = DispatchQueue(label: "org.safelight.images.trim", qos: .utility)
  private let fileSystem: FileSystem

  /// The beginning of the names of files that are being written.
  private static let temporaryPrefix = ".writing-"

  /// The cache of a library. Reads and makes nothing.
  package init(in library: FilePath, readOnly: Bool = false, _ fileSystem: FileSystem = .real) {
    folder = library.appending(Self.name)
    (self.library, isReadOnly) = (library, readOnly)
    self.fileSystem = fileSystem
  }

  private static let name: FilePath = "cache"

  /// Why no picture is kept or found, for people; `nil` when nothing is wrong, or nothing is there yet.
  package var problem: String? {
    guard let kind = (try? fileSystem.status(of: folder))?.kind, kind != .folder else { return nil }
    return kind == .symbolicLink
      ? "\(folder) is a symbolic link and is not used" : "\(folder) is no folder and is not used"
  }

  /// Opens the cache's folder. A symbolic link with its name is an error.
  private func opened() throws(FileSystemError) -> Folder {
    try Folder(library, fileSystem).folder(Self.name)
  }

  /// The largest number of bytes of all files; 0 keeps none.
  ///
  /// Counts the files of all processes; each may write a sixteenth of the limit before it counts again.
  package var limit: Int {
    get { state.withLock(\.limit) }
    set { state.withLock { ($0.limit, $0.written) = (newValue, nil) } }
  }

  /// Seconds after the last change of a photo's files before its pictures are kept. Some disks' times
  /// have steps of two seconds, so a second change may leave the stamp as it is.
  package var settlingTime: Double {
    get { state.withLock(\.settlingTime) }
    set { state.withLock { $0.settlingTime = newValue } }
  }

  /// The picture of a key; `nil` when it is missing or damaged.
  package func image(for key: PictureKey) -> DisplayImage? {
    guard limit > 0 else { return nil }
    let (inner, name) = Self.place(of: key)
    guard let file = try? opened().folder(inner).open(name),
      let status = try? fileSystem.status(of: file), status.kind == .file,
      let bytes = try? fileSystem.contents(of: file, limit: Self.pixelLimit * 4),
      let image = CachedJPEG.image(in: bytes, key)
    else { return nil }
    if !isReadOnly, Self.now - status.modified.inSeconds > 900 {
      try? fileSystem.setTimes(of: file)
    }
    return image
  }

  /// Remembers that the cache has pictures of this size.
  func noteUse(of request: PictureRequest) {
    guard request.fit.target != nil, request.fit.crop == .whole else { return }
    var request = request
    request.urgency = .requested
    recentRequests.withLock { recent in
      if recent.first == request { return }
      recent.removeAll { $0 == request }
      recent.insert(request, at: 0)
      if recent.count > Self.recentCount { recent.removeLast() }
    }
  }

  /// A picture of the same photo that is smaller than the one of a request, the largest that there is.
  ///
  /// - Parameters:
  ///   - request: What a program asked for. Only sizes that this process used lately are looked for.
  ///   - stamp: The photo's files.
  ///   - find: Looks for the picture of a key elsewhere first.
  func smallerImage(
    than request: PictureRequest, of stamp: PhotoRevision,
    _ find: (PictureRequest, PictureKey) -> DisplayImage?
  ) -> DisplayImage? {
    let smaller = recentRequests.withLock(\.self).filter { $0.isSmaller(than: request) }
    for request in smaller.sorted(by: { $0.targetArea > $1.targetArea }) {
      let key = request.key(of: stamp)
      if let image = find(request, key) ?? image(for: key) { return image }
    }
    return nil
  }

  /// Whether a picture is kept: it is small enough, and its files did not change just now.
  func keeps(_ image: DisplayImage, madeFrom stamp: PhotoRevision) -> Bool {
    limit > 0 && !isReadOnly && image.width * image.height <= Self.pixelLimit
      && Self.now - stamp.lastChange > settlingTime
  }

  /// Keeps a picture, if the disk has room for it.
  package func store(_ image: DisplayImage, for key: PictureKey) {
    guard !isReadOnly, let bytes = CachedJPEG.bytes(of: image, key),
      (try? write(bytes, for: key)) != nil
    else { return }
    let isDue = state.withLock { state in
      let written = (state.written ?? state.limit) + bytes.count
      state.written = written
      guard written > state.limit / 16, !state.isTrimming else { return false }
      state.isTrimming = true
      return true
    }
    if isDue { trimming.async { self.trim() } }
  }

  /// Removes the least recently used pictures, until an eighth of the limit is free.
  package func trim() {
    let limit = state.withLock { state in
      state.written = 0
      return state.limit
    }
    shrink(to: limit, leaving: limit / 8)
    state.withLock { $0.isTrimming = false }
  }

  /// Removes all pictures.
  package func removeAll() { shrink(to: 0, leaving: 0) }

  /// Waits until a running removal is done.
  package func finishTrimming() { trimming.sync {} }

  /// Seconds since 1970 UTC.
  private static var now: Double { Date().timeIntervalSince1970 }

  package func path(of key: PictureKey) -> FilePath {
    let (inner, name) = Self.place(of: key)
    return folder.appending(inner).appending(name)
  }

  /// The folder in the cache in which a key's picture is, and its name there.
  private static func place(of key: PictureKey) -> (folder: FilePath, name: FilePath) {
    let digits = key.digest.description
    return (FilePath(String(digits.prefix(2))), FilePath(digits.dropFirst(2) + ending))
  }

  private static let ending = ".jpg"

  /// Whether a name is one that ``place(of:)`` gives.
  private static func isPicture(_ name: FilePath, in folder: FilePath) -> Bool {
    guard name.bytes.count == 62 + ending.utf8.count,
      name.bytes.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    else { return false }
    return isInner(folder) && name.bytes.prefix(62).allSatisfy(isDigit)
  }

  /// Whether a name is one that the cache gives to the folders in it.
  private static func isInner(_ name: FilePath) -> Bool {
    name.bytes.count == 2 && name.bytes.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { "0123456789abcdef".utf8.contains(byte) }

  /// Whether a name is one that the cache gives to a file that is being written: a process and a random number.
  private static func isTemporary(_ name: FilePath) -> Bool {
    guard name.bytes.starts(with: temporaryPrefix.utf8) else { return false }
    let numbers = name.bytes.dropFirst(temporaryPrefix.utf8.count)
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return numbers.count == 2
      && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { (48...57).contains($0) } }
  }

  /// Writes a file under a hidden name and then gives it its name, in place of a file that has it.
  private func write(_ bytes: [UInt8], for key: PictureKey) throws(FileSystemError) {
    let (inner, name) = Self.place(of: key)
    let cache = try made()
    try cache.createFolder(inner, mode: 0o700)
    let sink = try FileSink(in: cache.folder(inner), prefix: Self.temporaryPrefix, mode: 0o600)
    do throws(FileSystemError) {
      try sink.write(bytes)
      try sink.place(as: name, replacing: true, durably: false)
    } catch {
      sink.discard()
      throw error
    }
  }

  /// Makes the folder, with the file by which backups recognize a cache.
  ///
  /// Source: Cache Directory Tagging Specification 0.6, bford.info/cachedir.
  private func made() throws(FileSystemError) -> Folder {
    let library = try Folder(library, fileSystem)
    guard try library.createFolder(Self.name, mode: 0o700) else {
      return try library.folder(Self.name)
    }
    let folder = try library.folder(Self.name)
    let tag = Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)
    // A cache without the tag works, too.
    guard let file = try? folder.create("CACHEDIR.TAG", mode: 0o600) else { return folder }
    try? fileSystem.write(tag, to: file)
    return folder
  }

  /// Removes the least recently used files, when all files have more bytes than a limit.
  ///
  /// - Parameter room: How many bytes are free below the limit afterwards.
  private func shrink(to limit: Int, leaving room: Int) {
    guard !isReadOnly else { return }
    var files = self.files
    var total = files.reduce(0) { $0 + $1.size }
    guard total > limit || limit == 0 else { return }
    files.sort { $0.lastUse < $1.lastUse }
    for file in files {
      guard total > limit - room || limit == 0 else { return }
      // Another process may have removed the file.
      try? opened().folder(file.inner).remove(file.name)
      total -= file.size
    }
  }

  /// All files except those that a process is writing. Removes what a dead process was writing.
  private var files: [(inner: FilePath, name: FilePath, size: Int, lastUse: Double)] {
    guard let cache = try? opened() else { return [] }
    var files: [(inner: FilePath, name: FilePath, size: Int, lastUse: Double)] = []
    for inner in (try? cache.names()) ?? [] where Self.isInner(inner) {
      guard let folder = try? cache.folder(inner) else { continue }
      for name in (try? folder.names()) ?? [] {
        let isTemporary = Self.isTemporary(name)
        guard isTemporary || Self.isPicture(name, in: inner),
          let status = try? folder.status(of: name), status.kind == .file
        else { continue }
        if isTemporary {
          // Nobody takes an hour to write a thumbnail.
          if Self.now - status.modified.inSeconds > 3600 { try? folder.remove(name) }
          continue
        }
        files.append((inner, name, Int(status.size), status.modified.inSeconds))
      }
    }
    return files
  }
}

/// The form of a picture on disk: a JPEG that any program opens. A comment in it has the picture's key and a
/// check whether the file is whole.
///
/// The comment comes right after the start of the image (ITU-T T.81, B.2.4.5): a mark, the picture's
/// key, and the first half of the SHA-256 of all bytes after it. A crash of the machine may leave a file
/// of zeros, and a failing disk other pixels; neither is shown.
enum CachedJPEG {
  /// The quality of the JPEG, 1 to 100.
  static let quality = 90

  private static let mark = Array("Safelight ".utf8)
  /// The marker's two bytes, its length, the mark, the key and the check.
  private static let commentLength = 2 + 2 + mark.count + 32 + 16

  /// The file of a picture; `nil` when the picture is too large for a JPEG.
  static func bytes(of image: DisplayImage, _ key: PictureKey) -> [UInt8]? {
    guard let jpeg = try? image.jpegBytes(quality: quality) else { return nil }
    let rest = Array(jpeg[2...])
    let length = commentLength - 2
    return jpeg[..<2] + [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)] + mark
      + key.digest.bytes
      + check(rest) + rest
  }

  /// The picture in a file; `nil` unless the file is whole and has this key.
  static func image(in bytes: [UInt8], _ key: PictureKey) -> DisplayImage? {
    let start = 2 + commentLength
    guard bytes.count > start,
      bytes[6..<(start - 16)].elementsEqual(mark + key.digest.bytes)
    else { return nil }
    let rest = Array(bytes[start...])
    guard bytes[(start - 16)..<start].elementsEqual(check(rest)) else { return nil }
    return bytes.withUnsafeBytes(DisplayImage.init(jpegBytes:))
  }

  private static func check(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    SHA256.digest(of: bytes).bytes[..<16]
  }
}
