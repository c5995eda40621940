import Foundation
import PhotoEditing
import SafelightStorage
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// Every kind of change that a library makes on the disk.
enum LibraryChange: String, CaseIterable, Sendable {
  case create, createByMoving, createWithEdit, trash, restore, emptyTrash, addFolder, removeFolder
  case scan, edit, revert, album, rebuild

  /// Whether a change that fails may be half done. A scan reads what it can, and goes on the next time.
  var goesOnLater: Bool { self == .addFolder || self == .rebuild }
}

/// A library with photos of its own and of others, which can be put back into its first state many times.
final class LibraryScene {
  /// What somebody sees who opens the library, and looks into the folders.
  struct View: Hashable {
    fileprivate var lines: [String] = []

    func contains(_ other: View) -> Bool { Set(lines).isSuperset(of: other.lines) }
  }

  let folder: TemporaryFolder
  let change: LibraryChange
  /// What is there before the change, and after it.
  let old: View
  let new: View
  private let start: VolatileDisk.State
  private let disk: VolatileDisk
  private var originals: [OriginalState] = []

  /// Makes a library, and tries the change once.
  init(_ change: LibraryChange) async throws {
    let folder = TemporaryFolder()
    (self.folder, self.change) = (folder, change)
    for (number, name) in ["photos/a.jpg", "photos/b.jpg", "more/c.jpg", "new.jpg", "own.jpg"]
      .enumerated()
    {
      let path = folder[FilePath(name)]
      path.removingLastComponent().makeFolder()
      try FileManager.default.copyItem(
        at: Fixture.url("orientation/\(number + 1).jpg"), to: path.fileURL)
    }
    try await Self.prepare(change, in: folder)
    let disk = VolatileDisk(folder.path)
    let start = try #require(disk.presentStates.first)
    (self.disk, self.start) = (disk, start)
    old = try await Self.view(of: folder)
    try disk.restore(start)
    try await Self.perform(change, in: folder)
    new = try await Self.view(of: folder)
  }

  private static func prepare(_ change: LibraryChange, in folder: TemporaryFolder) async throws {
    try await using(folder) { library in
      let own = folder["own.jpg"]
      _ = try await library.add([folder["photos"]])
      try await library.performChanges {
        AssetCreationRequest.creationRequestForAsset(fromImageAt: own).isFavorite = true
      }
      let asset = try #require(try library.assets().last)
      if change == .revert || change == .emptyTrash { try await edit(asset, in: library) }
      if change == .restore || change == .emptyTrash {
        try await library.performChanges { AssetChangeRequest.deleteAssets([asset]) }
      }
      await library.finishExport()
    }
  }

  /// Puts the first state back.
  func reset() throws {
    try disk.restore(start)
    originals = try Self.photos(in: folder).map(OriginalState.init)
  }

  /// Makes the change.
  func perform(through fileSystem: FileSystem) async throws {
    try await Self.perform(change, in: folder, through: fileSystem)
  }

  /// Makes the change in a process that dies at an operation, and tells whether it got there.
  ///
  /// The export is folded by a task of its own and goes on, so that a number always means the same operation.
  @discardableResult func performDying(at number: Int, on disk: VolatileDisk? = nil) async -> Bool {
    let faults = FaultInjection(.crash, at: number)
    try? await Self.perform(
      change, in: folder, through: disk?.fileSystem(failing: faults) ?? faults.fileSystem,
      exportingThrough: disk?.fileSystem ?? .real)
    return faults.wasReached
  }

  /// Opens the library, which finishes what was interrupted.
  func open(through fileSystem: FileSystem = .real) async throws {
    try await Self.using(folder, fileSystem) { _ in }
  }

  /// Looks for changes in all folders.
  func scan(through fileSystem: FileSystem) async throws {
    try await Self.using(folder, fileSystem) { _ = try await $0.scan() }
  }

  func view() async throws -> View { try await Self.view(of: folder) }

  /// Does work with a library that nobody has open afterwards, because SQLite's files are replaced then.
  private static func using(
    _ folder: TemporaryFolder, _ fileSystem: FileSystem = .real,
    exportingThrough exportFileSystem: FileSystem? = nil,
    _ work: (PhotoLibrary) async throws -> Void
  ) async throws {
    try await closing {
      let path = folder["library"]
      try PhotoLibrary.finishRebuild(in: path, through: fileSystem)
      let library = try PhotoLibrary(
        at: path, file: "catalogue.sqlite",
        export: ExportJournal(in: path, through: exportFileSystem ?? fileSystem),
        fileSystem: fileSystem)
      do { try await work(library) } catch { return (library, error) }
      return (library, nil)
    }
  }

  /// Waits until the library of some work is closed, and throws the error of the work.
  private static func closing(
    _ work: () async throws -> (PhotoLibrary, (any Error)?)
  ) async throws {
    weak var catalog: Catalog?
    var failure: (any Error)?
    do {
      let (library, error) = try await work()
      await library.finishExport()
      catalog = library.catalog
      failure = error
    }
    try #require(try await eventually { catalog == nil })
    if let failure { throw failure }
  }

  private static func edit(_ asset: Asset, in library: PhotoLibrary) async throws {
    let output = try await ContentEditingOutput.ofAnotherProgram(for: asset.photo)
    try await library.performChanges {
      AssetChangeRequest(for: asset).contentEditingOutput = output
    }
  }

  private static func perform(
    _ change: LibraryChange, in folder: TemporaryFolder, through fileSystem: FileSystem = .real,
    exportingThrough exportFileSystem: FileSystem? = nil
  ) async throws {
    if change == .rebuild {
      return try await closing {
        (try await PhotoLibrary.rebuild(at: folder["library"], through: fileSystem), nil)
      }
    }
    let new = folder["new.jpg"]
    try await using(folder, fileSystem, exportingThrough: exportFileSystem) { library in
      let isTrashed = change == .restore || change == .emptyTrash
      let own = try #require(
        try isTrashed ? library.trashedAssets().first : library.assets().last)
      switch change {
      case .create:
        try await library.performChanges {
          _ = AssetCreationRequest.creationRequestForAsset(fromImageAt: new)
        }
      case .createByMoving:
        try await library.performChanges {
          let options = AssetResourceCreationOptions()
          options.shouldMoveFile = true
          AssetCreationRequest.forAsset().addResource(with: .photo, path: new, options: options)
        }
      case .createWithEdit:
        let output = try await ContentEditingOutput.ofAnotherProgram(for: Photo(path: new))
        try await library.performChanges {
          AssetCreationRequest.creationRequestForAsset(fromImageAt: new).contentEditingOutput =
            output
        }
      case .trash: try await library.performChanges { AssetChangeRequest.deleteAssets([own]) }
      case .restore: try await library.performChanges { AssetChangeRequest.restoreAssets([own]) }
      case .emptyTrash: try await library.performChanges { AssetChangeRequest.emptyTrash() }
      case .addFolder: _ = try await library.add([folder["more"]])
      case .removeFolder: _ = try await library.remove([folder["photos"]])
      case .scan: _ = try await library.scan()
      case .edit:
        let output = try await ContentEditingOutput.ofAnotherProgram(for: own.photo)
        try await library.performChanges {
          let request = AssetChangeRequest(for: own)
          request.isHidden = true
          request.contentEditingOutput = output
        }
      case .revert:
        try await library.performChanges {
          let request = AssetChangeRequest(for: own)
          request.isHidden = true
          request.revertAssetContentToOriginal()
        }
      case .album:
        try await library.performChanges {
          let request = AssetCollectionChangeRequest.creationRequestForAssetCollection(
            withTitle: "Sea")
          request.addAssets([own])
        }
      case .rebuild: break
      }
    }
  }
}

extension LibraryScene {
  private static func photos(in folder: TemporaryFolder) throws -> [FilePath] {
    try files(in: folder).filter {
      $0.string.hasSuffix(".jpg") && !$0.string.hasSuffix("_edited.jpg")
    }
  }

  /// All files below the folder, sorted, without those of SQLite and of the export.
  private static func files(in folder: TemporaryFolder) throws -> [FilePath] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path.string).sorted()
      .filter { !$0.hasPrefix("library/catalogue.") }.map { folder[FilePath($0)] }
      .filter { $0.status?.kind == .file }
  }

  /// Opens the library and looks.
  private static func view(of folder: TemporaryFolder) async throws -> View {
    var view = View()
    try await using(folder) { library in
      for query in [
        """
        SELECT name, favorite, hidden, trashedDate IS NULL, adjustmentFormat FROM asset
        """, "SELECT title, count(asset) FROM collection JOIN member ON album = id GROUP BY id",
        "SELECT path FROM folder WHERE isRoot = 1", "SELECT kind, source FROM fileMove",
        "PRAGMA integrity_check",
      ] {
        view.lines += try await library.lines(query)
      }
      let export = ExportJournal(in: library.path)
      view.lines += try ExportReader().entries(export.whole, export.journal)
        .compactMap(\.asset?.favorite).map { "favorite \($0)" }
    }
    // The next change on a photo never meets an obstacle, and then nothing is left to be put right.
    for photo in try photos(in: folder) { try PhotoFiles(photo).begin(timeout: .zero).end() }
    try await PhotoEditor().verify(contentsOf: folder.path, recursively: true, fixing: true) { _ in
    }
    for file in try files(in: folder) {
      let name = String(file.string.dropFirst(folder.path.bytes.count))
        .replacing(/[0-9A-F]{8}-[0-9A-F-]{27}/, with: "#")
      let digest =
        file.string.hasSuffix(".jpg") ? "\(try FileSystem.real.digestOfFile(at: file))" : ""
      view.lines.append(name + " " + digest)
    }
    return view
  }

  /// Checks that each original is somewhere below the folder, as it was.
  func expectOriginals(_ comment: Comment) throws {
    let present = Set(try Self.photos(in: folder).map(OriginalState.init))
    #expect(Set(originals).isSubset(of: present), comment)
  }

  /// Checks that nobody holds a lock.
  func expectNoLocks(_ comment: Comment) throws {
    let library = folder["library"]
    let files =
      try Self.photos(in: folder) + [
        library.appending("originals"), library.appending("catalogue.journal.ndjson"),
      ]
    for path in files where path.status != nil {
      let file = try FileSystem.real.openReadOnly(path)
      #expect(try FileSystem.real.lock(file, exclusively: true), comment)
    }
  }

  /// Leaves out of a view what may stay: the hidden files of a process that died, which is this process and
  /// lives, and the file that was to leave its place.
  func settled(_ view: View, afterCrash: Bool = true) -> View {
    var view = view
    view.lines.removeAll { line in
      afterCrash && line.contains("/library/.safelight-export-")
        || change == .createByMoving && line.hasPrefix("/new.jpg")
    }
    return view
  }

  /// The number of the first operation at which a process can die and leave the change decided.
  func firstCrashAfterDecision() async throws -> Int {
    let decided = ["catalogue.rebuilt.sqlite", "catalogue.before-rebuild.sqlite"].map {
      folder["library"].appending(FilePath($0))
    }
    var (first, last) = (1, 400)
    while first < last {
      let number = (first + last) / 2
      try reset()
      await performDying(at: number)
      let isDecided = decided.contains { $0.status != nil }
      if try await change == .rebuild ? isDecided : settled(view()) == settled(new) {
        last = number
      } else {
        first = number + 1
      }
    }
    return first
  }
}
