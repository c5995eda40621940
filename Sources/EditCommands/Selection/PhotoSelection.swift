import Glibc
import PhotoEditing
import PhotoLibraryKit
import SafelightArguments
import SafelightFiles

/// The photos that a command line names, in the order it names them.
struct PhotoSelection: Sendable {
  /// One photo, or a file that is passed over.
  enum Item: Sendable {
    case photo(FilePath)
    /// A photo that is passed over; the reason is a sentence for people.
    case skipped(FilePath, reason: String)
    /// A file of a photo's edit, such as its render; the reason is a sentence for people.
    case part(FilePath, reason: String)
    /// A folder that cannot be taken; the error says why.
    case failed(FilePath, PhotoFailure)

    var path: FilePath {
      switch self {
      case .photo(let path), .skipped(let path, _), .part(let path, _), .failed(let path, _): path
      }
    }
  }

  /// What was found.
  private(set) var items: [Item] = []
  /// How many renders, base photos and sidecars in folders were left out.
  private(set) var leftOut = 0
  /// How many pictures in folders were left out because Safelight made them.
  private(set) var exports = 0
  /// How many files and folders the rules left out.
  private(set) var excluded = 0
  /// The folders for pictures that were met and left out.
  private(set) var outputs: [FilePath] = []
  /// How many pictures in folders are of a kind that Safelight does not edit, by kind.
  private(set) var unsupported: [String: Int] = [:]
  /// How many photos other machines process, by `--shard`.
  private(set) var elsewhere = 0
  /// All photos that are named, with those that other machines process, so that all machines number and name them alike.
  private(set) var whole: [FilePath] = []
  /// The place of each item in ``whole``; of a file that is no photo, that of a photo beside it.
  private(set) var places: [Int] = []

  /// The photos among the items.
  var photos: [FilePath] {
    items.compactMap { item in
      if case .photo(let path) = item { path } else { nil }
    }
  }

  private var recognizer = PhotoRecognizer()
  private var seen: Set<FilePath> = []
  private let options: SelectionOptions
  private let takesRenders: Bool
  private let rules: FolderRules
  /// Absolute, without links.
  private let outputFolders: [FilePath]
  /// The library that the photos come from; `nil` when they were named.
  private var library: PhotoLibrary?

  /// Finds the photos.
  ///
  /// - Parameters:
  ///   - takesRenders: Whether renders and base photos count as photos too.
  ///   - isReading: Whether the photos are only looked at. A library is then opened only to be read.
  ///   - outputs: Where the command's pictures go: such folders are not looked through.
  /// - Throws: `FileSystemError` for the list of photos. When the library does not give the photos,
  ///   ``EditCommandError`` or `PhotoLibraryError`.
  init(
    _ options: SelectionOptions, takesRenders: Bool = false, isReading: Bool = false,
    outputs: [FilePath] = []
  ) throws {
    self.options = options
    self.takesRenders = takesRenders
    rules = try options.exclusion.rules
    outputFolders = outputs.compactMap { FileSystem.real.folder(at: $0) }
    if let search = options.search {
      let library = try isReading ? options.location.openToRead() : options.location.open()
      self.library = library
      for asset in try search.fetch(in: library).allObjects() {
        // What an earlier run put there, and a scan took in.
        if outputFolders.contains(where: { asset.path.isInside($0) }),
          PhotoFolder.isExport(asset.path)
        {
          exports += 1
        } else {
          add(.photo(asset.path))
        }
      }
    }
    for photo in options.photos { take(FilePath(argument: photo)) }
    guard let list = options.filesFrom else { return }
    let separator = options.null ? 0 : UInt8(ascii: "\n")
    for path in try Self.paths(in: list, separator: separator) { take(path) }
  }

  /// Reads a list of paths to its end. Empty names are passed over, and names are bytes like any path.
  ///
  /// - Parameters:
  ///   - name: The file; `-` is standard input.
  ///   - separator: What stands between two names.
  /// - Throws: `FileSystemError`, or `ValidationError` when a name has a NUL in it, which no name can
  ///   have.
  private static func paths(in name: String, separator: UInt8) throws -> [FilePath] {
    let path = FilePath(argument: name)
    let file = name == "-" ? nil : try FileSystem.real.openForInput(path)
    let reader = LineReader(file?.descriptor ?? STDIN_FILENO, separator: separator)
    var paths: [FilePath] = []
    while let line = reader.next() {
      if line.contains(0) {
        throw ValidationError(
          "The names in \(name == "-" ? "standard input" : path.description) end with NUL: say so with -0."
        )
      }
      let isFirst = paths.isEmpty
      let path = separator == 0 ? FilePath(bytes: line) : Self.path(in: line, isFirst: isFirst)
      if !path.isEmpty { paths.append(path) }
    }
    if let errno = reader.failure { throw FileSystemError(.init(.read, path), errno: errno) }
    withExtendedLifetime(file) {}
    return paths
  }

  /// The path in a line, without what Windows programs put around lines: a byte order mark before the
  /// first and a carriage return behind each. A file whose name has them comes first.
  private static func path(in line: [UInt8], isFirst: Bool) -> FilePath {
    var bytes = line[...]
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    if isFirst, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    let whole = FilePath(bytes: line)
    return bytes.count < line.count && !whole.leadsSomewhere ? FilePath(bytes: Array(bytes)) : whole
  }

  /// What opening the library found of interrupted changes, in sentences for people.
  var recoveryNotes: [String] { library?.recoveryNotes ?? [] }

  /// Lets the library read the new edits of its photos.
  ///
  /// - Returns: Why that failed, for people; `nil` when it did not.
  func refreshLibrary() async -> String? {
    guard let library, !library.isReadOnly else { return nil }
    return await library.tellOfEdits(items.map(\.path))
  }

  private mutating func take(_ given: FilePath) {
    let path = given.withoutTrailingSlashes
    switch recognizer.part(path) {
    case .folder where options.recursive: search(path)
    case .folder: add(.failed(path, PhotoFailure(EditCommandError.folder(path))))
    case let part? where !takesRenders || part.isSidecar:
      add(.part(path, reason: part.reason))
    default: add(.photo(path))
    }
  }

  /// Takes what lies below a folder: its photos first, then its folders, each by name.
  ///
  /// - Parameter parent: The folder in which the folder was found; `nil` when it was named.
  private mutating func search(_ path: FilePath, in parent: PhotoFolder? = nil) {
    if parent != nil, !outputFolders.isEmpty, let resolved = FileSystem.real.folder(at: path),
      outputFolders.contains(resolved)
    {
      outputs.append(path)
      return
    }
    do throws(EditError) {
      let folder: PhotoFolder
      if let parent {
        folder = try parent.inner(path)
      } else {
        folder = try PhotoFolder(path, rules: rules)
      }
      leftOut += folder.leftOut
      exports += folder.exports
      excluded += folder.excluded
      unsupported.merge(folder.unsupported, uniquingKeysWith: +)
      for photo in folder.photos { add(.photo(photo)) }
      for inner in folder.folders { search(inner, in: folder) }
    } catch {
      add(.failed(path, PhotoFailure(error)))
    }
  }

  /// Passes over photos that are the file of an earlier one, through a link or in another spelling.
  /// Changes that are held for all of them would wait for each other.
  mutating func leaveOutSameFiles() {
    var first: [FileStatus.Identity: FilePath] = [:]
    for (index, item) in items.enumerated() {
      guard case .photo(let path) = item,
        let status = try? FileSystem.real.statusFollowingLinks(of: path)
      else { continue }
      if let earlier = first[status.identity] {
        items[index] = .skipped(path, reason: "It is the same file as \(earlier).")
      } else {
        first[status.identity] = path
      }
    }
  }

  private mutating func add(_ item: Item) {
    let isNew = seen.insert(item.path).inserted
    if isNew, case .photo(let path) = item { whole.append(path) }
    if let shard = options.shard, !shard.contains(item.path) {
      elsewhere += 1
      return
    }
    places.append(max(whole.count - 1, 0))
    if isNew {
      items.append(item)
    } else if case .part = item {
      items.append(item)
    } else {
      items.append(.skipped(item.path, reason: "It was named before."))
    }
  }
}

extension PhotoLibrary {
  /// Reads the new edits of photos.
  ///
  /// - Returns: Why that failed, for people; `nil` when it did not.
  func tellOfEdits(_ photos: [FilePath]) async -> String? {
    do {
      try await refresh(photos)
      await finishExport()
      return nil
    } catch {
      return "The library was not told of the edits: \(error) “edit library scan” does it."
    }
  }
}

extension FilePath {
  /// The path without the slash that a shell's completion puts after a folder.
  fileprivate var withoutTrailingSlashes: FilePath {
    var bytes = bytes
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return FilePath(bytes: bytes)
  }
}

extension PhotoRecognizer.Part {
  /// Whether it is no picture at all.
  var isSidecar: Bool {
    if case .sidecar = self { true } else { false }
  }

  /// Why a command passes the file over, as a sentence.
  var reason: String {
    switch self {
    case .folder: "It is a folder."
    case .sidecar(let original): "It is the sidecar of \(original)."
    case .render(let original): "It is a render of \(original); edit that photo instead."
    case .base(let original): "It is the base photo of \(original); edit that photo instead."
    }
  }
}

extension PhotoResult {
  /// The result for a photo that was skipped; `nil` for others.
  init?(skipped result: EditResult) {
    guard result.status == .skipped, let reason = result.warnings.first else { return nil }
    self = .skipped(because: reason)
  }

  /// The result for a file that is no photo to edit.
  static func skipped(because reason: String) -> PhotoResult {
    PhotoResult(
      status: EditResult.Status.skipped.rawValue, text: "skipped: \(reason)", warnings: [reason])
  }
}

/// Which photos a command works on.
struct SelectionOptions: ParsableArguments {
  @Argument(
    help: "The photos: JPEG, PNG, TIFF, WebP, HEIC or AVIF; folders with --recursive.",
    completion: .photos)
  var photos: [String] = []

  @Flag(name: .shortAndLong, help: "Take all photos in folders, and in folders in these.")
  var recursive = false

  @OptionGroup var exclusion: ExclusionOptions

  @Option(
    help: ArgumentHelp(
      "Read more photos from a file, one to a line; - is standard input.", valueName: "file"),
    completion: .file())
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "The names of --files-from end with NUL, as “find -print0” writes them.")
  var null = false

  @Option(
    help: ArgumentHelp(
      "Do only share i of n; each photo's path decides its share. Other machines do the others.",
      valueName: "i/n"))
  var shard: Shard?

  @Option(
    help: ArgumentHelp(
      "Instead of naming photos, take those of this album of the library.", valueName: "album"),
    completion: .albums)
  var album: String?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Instead of naming photos, take those of the library for which this holds.",
      valueName: "predicate"))
  var predicate: String?

  @OptionGroup var location: LibraryLocation

  /// Which photos of the library; `nil` when photos are named. Hidden ones are left out, and they
  /// come in the album's order, else as the cameras' clocks say.
  var search: AssetSearch? {
    guard album != nil || predicate != nil else { return nil }
    return AssetSearch(album: album, predicate: predicate)
  }

  func validate() throws {
    if search != nil {
      if !photos.isEmpty || filesFrom != nil || recursive {
        throw ValidationError(
          "--album and --where take photos of the library: name no others beside them.")
      }
    } else if location.library != nil {
      throw ValidationError("--library goes with --album or --where, which take photos of it.")
    } else if photos.isEmpty, filesFrom == nil {
      throw ValidationError("Name the photos, or a list of them with --files-from.")
    }
    if !exclusion.exclude.isEmpty, !recursive {
      throw ValidationError("--exclude says what --recursive leaves out of folders: give that too.")
    }
    if null, filesFrom == nil {
      throw ValidationError("-0 says how the names of --files-from end; give that too.")
    }
    if let shard, shard.count > 1_000_000 {
      throw ValidationError("--shard takes at most a million shares.")
    }
  }
}

/// One share of a batch that several machines divide among them: `2/8` is the second of eight.
///
/// A photo's share follows from its path as it is given, and from nothing else. Machines that get the
/// same paths make the same shares, on every day and in every version.
struct Shard: Hashable, Sendable, ExpressibleByArgument {
  /// Which share, from 1 on.
  let number: Int
  /// How many there are.
  let count: Int

  static var expectation: String? { "a share and their number, such as 2/8" }

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], count > 0,
      (1...count).contains(number)
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Whether the photo at a path belongs to this share.
  func contains(_ path: FilePath) -> Bool {
    Int(Self.hash(path.bytes) % UInt64(count)) + 1 == number
  }

  /// FNV-1a with 64 bits (Fowler, Noll and Vo), whose upper half is folded into the lower one, as
  /// its authors advise for remainders.
  static func hash(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes {
      hash ^= UInt64(byte)
      hash &*= 0x100_0000_01b3
    }
    return (hash >> 32) ^ (hash & 0xffff_ffff)
  }
}
