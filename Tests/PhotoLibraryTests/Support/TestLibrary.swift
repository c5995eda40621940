import Foundation
import Glibc
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// A library in a folder of its own, which is removed after the test.
final class TestLibrary: Sendable {
  let folder: FilePath
  let library: PhotoLibrary

  init() throws {
    // In memory where possible, because every change set waits for the disk.
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    folder = FilePath(parent).appending("safelight-library-\(UUID().uuidString)")
    library = try PhotoLibrary(at: folder.appending("library"))
  }

  deinit { try? FileManager.default.removeItem(at: folder.fileURL) }

  /// The library as another process would open it.
  func reopened() throws -> PhotoLibrary { try PhotoLibrary(at: library.path) }

  /// Copies a fixture into the test's folder, outside of the library.
  func file(_ fixture: String, as name: String? = nil) throws -> FilePath {
    let source = Fixture.url(fixture)
    let target = folder.appending(name ?? source.lastPathComponent)
    try FileManager.default.copyItem(at: source, to: target.fileURL)
    return target
  }

  /// Adds a fixture to the library.
  @discardableResult
  func create(_ fixture: String = "beach.jpg") async throws -> Asset {
    let path = FilePath(Fixture.url(fixture).path)
    let identifier = Box("")
    try await library.performChanges {
      let request = AssetCreationRequest.creationRequestForAsset(fromImageAt: path)
      identifier.value = request.placeholderForCreatedAsset.localIdentifier
    }
    return try library.asset(identifier.value)
  }

  /// Makes an album.
  func album(_ title: String, of assets: [Asset] = []) throws -> AssetCollection {
    let identifier = Box("")
    try library.performChangesAndWait {
      let request = AssetCollectionChangeRequest.creationRequestForAssetCollection(
        withTitle: title)
      request.addAssets(assets)
      identifier.value = request.placeholderForCreatedAssetCollection.localIdentifier
    }
    return try library.album(identifier.value)
  }
}

extension ContentEditingOutput {
  /// An edit of a photo as another program makes it, whose render is a fixture.
  static func ofAnotherProgram(
    for photo: Photo, render: String = "orientation/1.jpg"
  ) async throws -> ContentEditingOutput {
    let input = try await PhotoEditor().contentEditingInput(for: photo)
    let output = ContentEditingOutput(
      contentEditingInput: input, editorBundleIdentifier: "com.example.app")
    output.adjustmentData = AdjustmentData(
      formatIdentifier: "com.example.editor", formatVersion: "1.0", data: Data("edit".utf8))
    try Data(contentsOf: Fixture.url(render)).write(to: output.renderedContentURL)
    return output
  }
}

/// The facts of an original that must not change.
struct OriginalState: Hashable {
  let bytes: [UInt8]
  let mode: UInt32
  let modified: FileStatus.Time

  init(_ path: FilePath) throws {
    bytes = try FileSystem.real.contents(of: path, limit: 1 << 24)
    let status = try #require(try FileSystem.real.status(of: path))
    (mode, modified) = (status.mode, status.modified)
  }
}

/// Brings a value out of a block that runs on any thread.
final class Box<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}

extension PhotoLibrary {
  /// Rows of the catalog as it is now.
  func rows<Element: Sendable>(
    _ text: String, _ values: [any DatabaseConvertible] = [], element: (Row) -> Element
  ) throws -> [Element] {
    try Snapshot(catalog.path).read { (database) throws(DatabaseError) in
      try database.rows(text, values, element: element)
    }
  }

  /// The assets that are not in the trash, in the order in which they came.
  func assets() throws -> [Asset] {
    try rows(
      "SELECT \(Asset.columns) FROM \(Asset.source) WHERE trashedDate IS NULL ORDER BY asset.id"
    ) { Asset(row: $0) }
  }

  func asset(_ identifier: String) throws -> Asset {
    guard let asset = try assets().first(where: { $0.localIdentifier == identifier }) else {
      throw PhotoLibraryError.identifierNotFound(identifier)
    }
    return asset
  }

  func album(_ identifier: String) throws -> AssetCollection {
    let found = try rows(
      "SELECT identifier, title, creationDate, id FROM collection WHERE identifier = ?",
      [identifier]
    ) {
      AssetCollection(
        localIdentifier: $0[0], kind: .album, localizedTitle: $0[1], creationDate: $0[2],
        estimatedAssetCount: nil, row: $0[3])
    }
    guard let album = found.first else { throw PhotoLibraryError.identifierNotFound(identifier) }
    return album
  }

  /// The identifiers of an album's members, also of hidden assets and assets in the trash.
  func members(of album: AssetCollection) throws -> [String] {
    try rows(
      """
      SELECT asset.identifier FROM member JOIN asset ON asset.id = member.asset
      JOIN collection ON collection.id = member.album WHERE collection.identifier = ?
      ORDER BY member.position
      """, [album.localIdentifier]
    ) { $0[0] }
  }

  /// Adds assets to the catalog without files, as many as a test needs.
  @discardableResult
  func addRows(_ count: Int) async throws -> [Asset] {
    let first = try assets().count
    try await catalog.change { database in
      try database.run("INSERT OR IGNORE INTO folder (id, path) VALUES (1, ?)", Array("/p".utf8))
      for number in first..<(first + count) {
        try database.run(
          """
          INSERT INTO asset (identifier, folder, name, size, modified, inode, format, pixelWidth,
            pixelHeight, orientation, modificationDate, addedDate)
          VALUES (?, 1, ?, 1, 1, 1, 'jpeg', 1, 1, 1, 1, 1)
          """, "asset-\(number)", Array("\(number).jpg".utf8))
      }
      return (first..<(first + count)).map {
        Catalog.ChangedObject(kind: .asset, identifier: "asset-\($0)", how: .inserted)
      }
    }
    return Array(try assets().suffix(count))
  }
}

extension TestLibrary {
  /// The staged files that are left.
  var stagedFiles: [String] {
    let stage = library.originals.appending(".incoming")
    return (try? FileManager.default.subpathsOfDirectory(atPath: stage.string)) ?? []
  }
}
