/// What a walk through folders leaves out, besides hidden files and symbolic links.
///
/// By themselves rules leave out folders that disks, NAS and programs keep for themselves (``usual``). Patterns are
/// added to them, and a file `.safelightignore` in any folder adds patterns for that folder and all below it. Of all
/// patterns that fit a name the last one decides: those given here come after those of the nearest folder, these after
/// those of the folders above, and these after the usual ones. Nothing in a folder that is left out is looked at.
///
/// The rules are for what a walk finds. A file or folder that somebody names is taken whatever they say.
public struct FolderRules: Sendable, Hashable {
  /// The file with the patterns of a folder.
  public static let fileName = ".safelightignore"

  /// The patterns that hold without being asked for. Capital and small letters are the same in them.
  public static let usual = [
    // Synology, QNAP and other NAS: thumbnails, recycle bins, snapshots.
    "@eaDir/", "#recycle/", "#snapshot/", "@tmp/", "@sharebin/", "SYNOPHOTO_THUMB_*",
    "SYNOFILE_THUMB_*", "@Recycle/", "@Recently-Snapshot/", "@Transcode/", "@__thumb/",
    ".@__thumb/", "~snapshot/", "trashbox/",
    // Windows, macOS and Linux.
    "$RECYCLE.BIN/", "RECYCLER/", "RECYCLED/", "System Volume Information/",
    "FOUND.[0-9][0-9][0-9]/", ".Trashes/", ".Spotlight-V100/", ".fseventsd/", ".TemporaryItems/",
    "Network Trash Folder/", "Temporary Items/", "__MACOSX/", "._*", ".Trash-*/", "lost+found/",
    // What programs keep of a file that they changed.
    "*.*_original", "*~", "*.bak", "*.orig",
    // Thumbnails of cameras, phones and programs, and libraries of other programs.
    ".thumbnails/", "THMBNL/", "*.thm", "*.lrdata/", "*.photoslibrary/", "*.photolibrary/",
    "*.migratedphotolibrary/", "*.aplibrary/", ".dtrash/", ".picasaoriginals/", ".stversions/",
    ".stfolder/",
  ]

  /// The rules that hold without being asked for.
  public static let standard = FolderRules()

  /// What was given, the later ones stronger.
  private var given: [Given]

  private struct Given: Sendable, Hashable {
    let pattern: IgnorePattern
    /// What the words may be the path of.
    var path: FilePath?
  }

  /// Rules with patterns as gitignore(5) describes them. A pattern with a slash that is not at its end counts from the
  /// folder where the walk begins.
  ///
  /// - Parameter patterns: The patterns; later ones decide. Those that fit no name are passed over.
  public init(excluding patterns: [String] = []) {
    given = patterns.compactMap { IgnorePattern(argument: $0).map { Given(pattern: $0) } }
  }

  /// The same from a command line, where a pattern may also be the path of something below the folder where the walk
  /// begins.
  ///
  /// - Throws: ``UselessPattern`` for a pattern that fits no name.
  package init(arguments: [String]) throws(UselessPattern) {
    given = []
    for argument in arguments {
      guard let pattern = IgnorePattern(argument: argument) else {
        throw UselessPattern(pattern: argument)
      }
      let path = FilePath(argument: argument)
      given.append(
        Given(pattern: pattern, path: path.bytes.contains(FilePath.slash) ? path : nil))
    }
  }

  /// The rules for a walk that begins at a folder: what is the path of something in it is about that alone.
  package func placed(at root: FilePath, _ fileSystem: FileSystem = .real) -> FolderRules {
    var rules = self
    rules.given = given.map { given in
      guard let path = given.path, let name = path.lastComponent,
        (try? fileSystem.exists(path)) == true,
        let start = try? fileSystem.resolve(root),
        let folder = try? fileSystem.resolve(path.removingLastComponent())
      else { return Given(pattern: given.pattern) }
      let place = folder.appending(name)
      let exact =
        place.isInside(start) ? IgnorePattern(exactly: place.relative(to: start)) : nil
      return Given(pattern: exact ?? given.pattern)
    }
    return rules
  }

  var patterns: [IgnorePattern] { given.map(\.pattern) }

  /// A pattern that fits no name.
  package struct UselessPattern: Error, Equatable {
    /// The pattern.
    package let pattern: String
  }

  // MARK: - As bytes

  /// The patterns as a file has them, one on a line.
  package var lines: [UInt8] { patterns.flatMap { $0.line + [UInt8(ascii: "\n")] } }

  /// The patterns as text, in which bytes that are not UTF-8 are as in ``FilePath/argument``.
  package var texts: [String] { patterns.map { FilePath.argument(decoding: $0.line) } }

  /// Rules with the ``texts`` of others.
  package init(texts: [String]) {
    self.init(lines: texts.flatMap { FilePath.bytes(ofArgument: $0) + [UInt8(ascii: "\n")] })
  }

  /// Rules with the patterns of a file.
  package init(lines: some Collection<UInt8>) {
    given = Self.patterns(of: lines).map { Given(pattern: $0) }
  }

  fileprivate static func patterns(of lines: some Collection<UInt8>) -> [IgnorePattern] {
    // Editors of Windows put a byte order mark first.
    let text = Array(lines)[(lines.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...]
    return text.split(separator: UInt8(ascii: "\n")).compactMap(IgnorePattern.init(line:))
  }

  /// These rules, and then those of others.
  package func adding(_ others: FolderRules) -> FolderRules {
    var sum = self
    for other in others.given {
      // Of a pattern and its opposite the later one counts.
      sum.given.removeAll { $0.pattern.positive == other.pattern.positive }
      sum.given.append(other)
    }
    return sum
  }
}

/// A folder that somebody walks through, with the rules that hold in it.
///
/// ```swift
/// let start = try WalkedFolder("photos", .standard)
/// try FileSystem.real.forEachEntry(in: start.path) { entry in
///   if !start.leavesOut(entry) { print(entry.name) }
/// }
/// ```
package struct WalkedFolder: Sendable {
  /// The folder's path, as the walk came to it.
  package let path: FilePath
  private let fileSystem: FileSystem
  /// The usual patterns and those of files, the weakest first.
  private var layers: [Layer]
  /// The patterns that the walk was given, which are the strongest.
  private var given: Layer

  /// The patterns of one file, or of a command.
  private struct Layer: Sendable, Hashable {
    let patterns: [IgnorePattern]
    var ignoresCase = false
    /// The names from the folder of the patterns to this one.
    var way: [[Character]] = []
  }

  /// The patterns of a file are for people to write.
  private static let largestFile = 1 << 18

  /// A folder where a walk begins.
  ///
  /// - Throws: `FileSystemError` when the folder has a file of patterns that cannot be read. What would be left out
  ///   cannot be known then.
  package init(
    _ path: FilePath, _ rules: FolderRules, _ fileSystem: FileSystem = .real
  ) throws(FileSystemError) {
    self.path = path
    self.fileSystem = fileSystem
    given = Layer(patterns: rules.placed(at: path, fileSystem).patterns)
    layers = [Layer(patterns: Self.usual, ignoresCase: true)]
    // A folder follows the same rules wherever the walk began.
    if var above = try? fileSystem.resolve(path) {
      var outer: [Layer] = []
      var way: [[Character]] = []
      while let name = above.lastComponent {
        above = above.removingLastComponent()
        way.insert(name.characters, at: 0)
        let patterns = try? Self.patterns(in: above, fileSystem)
        if let patterns, !patterns.isEmpty { outer.append(Layer(patterns: patterns, way: way)) }
      }
      layers += outer.reversed()
    }
    try addOwn()
  }

  private static let usual = FolderRules.usual.compactMap { pattern in
    IgnorePattern(argument: pattern.lowercased())
  }

  private mutating func addOwn() throws(FileSystemError) {
    let patterns = try Self.patterns(in: path, fileSystem)
    if !patterns.isEmpty { layers.append(Layer(patterns: patterns)) }
  }

  private static func patterns(
    in folder: FilePath, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> [IgnorePattern] {
    let isLibrary: Bool
    do throws(FileSystemError) {
      // The pictures that a library keeps are no photos.
      isLibrary = try fileSystem.kind(of: folder.appending("catalogue.sqlite")) == .file
    } catch {
      // What cannot be examined is the folder.
      throw FileSystemError(.init(.list, folder), errno: error.errno)
    }
    let own = isLibrary ? [IgnorePattern(exactly: "cache")].compactMap(\.self) : []
    let path = folder.appending(FolderRules.fileName)
    guard let kind = try fileSystem.kind(of: path), kind != .folder else { return own }
    let file = try fileSystem.openReadOnly(path)
    // A pipe has no end.
    guard try fileSystem.status(of: file).kind == .file else { return own }
    return own + FolderRules.patterns(of: try fileSystem.contents(of: file, limit: largestFile))
  }
}

extension WalkedFolder {
  /// Whether a walk passes a file or folder in this folder over.
  package func leavesOut(_ entry: FolderEntry) -> Bool {
    leavesOut(entry.name, isFolder: entry.isFolder)
  }

  /// The same of a name.
  package func leavesOut(_ name: FilePath, isFolder: Bool) -> Bool {
    name.isHidden || isExcluded(name, isFolder: isFolder)
  }

  /// Whether a pattern leaves a file or folder out.
  package func isExcluded(_ name: FilePath, isFolder: Bool) -> Bool {
    let own = name.characters
    var small: [Character]?
    for layer in [given] + layers.reversed() {
      if layer.ignoresCase, small == nil { small = Array(name.argument.lowercased()) }
      let path = layer.way + [layer.ignoresCase ? small ?? own : own]
      if let last = layer.patterns.last(where: { $0.fits(path, isFolder: isFolder) }) {
        return !last.isNegated
      }
    }
    return false
  }

  /// A folder in this one.
  ///
  /// - Returns: `nil` when it is left out.
  /// - Throws: As ``init(_:_:_:)``.
  package func folder(_ name: FilePath) throws(FileSystemError) -> WalkedFolder? {
    if leavesOut(name, isFolder: true) { return nil }
    return try WalkedFolder(name, in: self)
  }

  private init(_ name: FilePath, in parent: WalkedFolder) throws(FileSystemError) {
    path = parent.path.appending(name)
    fileSystem = parent.fileSystem
    (layers, given) = (parent.layers, parent.given)
    for index in layers.indices { layers[index].way.append(name.characters) }
    given.way.append(name.characters)
    try addOwn()
  }

  /// A folder at any depth below this one, or this one.
  ///
  /// - Parameter path: A path that begins with this folder's.
  /// - Returns: `nil` when it is left out, or one of the folders on the way is.
  /// - Throws: As ``init(_:_:_:)``.
  package func folder(at path: FilePath) throws(FileSystemError) -> WalkedFolder? {
    var folder = self
    guard path != self.path else { return folder }
    for part in path.relative(to: self.path).bytes.split(separator: FilePath.slash) {
      guard let next = try folder.folder(FilePath(bytes: part)) else { return nil }
      folder = next
    }
    return folder
  }

  /// Whether what is at a path below this folder is left out. What cannot be found out is not.
  package func leavesOut(at path: FilePath, isFolder: Bool) -> Bool {
    guard let name = path.lastComponent, path.isInside(self.path) else { return false }
    do {
      guard let folder = try folder(at: path.removingLastComponent()) else { return true }
      return folder.leavesOut(name, isFolder: isFolder)
    } catch {
      return false
    }
  }

  /// A word that changes with the rules.
  package var digest: Digest {
    var bytes: [UInt8] = []
    for layer in layers + [given] {
      for pattern in layer.patterns { bytes += pattern.line + [UInt8(ascii: "\n")] }
      // The same patterns mean something else at another depth.
      bytes += Array(layer.way.map { String($0) }.joined(separator: "/").utf8) + [0]
    }
    return SHA256.digest(of: bytes)
  }
}

extension FilePath {
  /// Whether a name begins with a dot.
  package var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

  fileprivate var characters: [Character] { Array(argument) }
}
