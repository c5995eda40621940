import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// Edits that other programs make beside the library.
@Suite struct OutsideEditTests {
  private let tree = PhotoTree()
  private let editor = PhotoEditor()

  private func library() async throws -> PhotoLibrary {
    try tree.fixture("beach.jpg", as: "beach.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    return library
  }

  private var photo: Photo {
    Photo(path: tree.photos.appending("beach.jpg"))
  }

  private func edit() async throws {
    try await editor.adjust(photo) { edit throws(AdjustmentError) in
      try edit.set("exposure", to: "0.5")
    }
  }

  private func isEdited(_ library: PhotoLibrary) throws -> Bool {
    try library.fetchAssets().first { $0.path == photo.path }?.hasAdjustments ?? false
  }

  @Test func aWatchNoticesAnEdit() async throws {
    let library = try await library()
    try await library.startWatching()
    defer { library.stopWatching() }
    try await edit()
    #expect(try await eventually { try isEdited(library) })
    #expect(try await library.names == ["beach.jpg"])
  }

  @Test(arguments: ["beach.AAE", "beach.aae", "beach.jpg.aae"])
  func aSidecarCountsWhenTheEditorTakesItForTheEdit(name: String) async throws {
    let library = try await library()
    try await edit()
    let sidecar = tree.photos.appending("beach.jpg.aae")
    let bytes = [UInt8](try Data(contentsOf: sidecar.fileURL))
    _ = try await editor.revertAssetContentToOriginal(photo)
    tree.put(bytes, FilePath(name))
    try await library.scan()
    #expect(try isEdited(library) == (try await editor.state(of: photo).edit != nil))
    #expect(try isEdited(library) == (name == "beach.jpg.aae"))
  }

  @Test func aPhotoThatAChangeSetMakesIsSeenAsAScanSeesIt() async throws {
    let test = try TestLibrary()
    let asset = try await test.create("exif-gps-makernote.jpg")
    let query = "SELECT hex(fingerprint), mediaSubtypes, camera, pixelWidth, modified FROM asset"
    let made = try await test.library.lines(query)
    #expect(!made[0].hasPrefix(" |"))
    try await test.library.write("UPDATE asset SET modified = 1, fingerprint = NULL")
    #expect(try await test.library.scan().updated == 1)
    #expect(try await test.library.lines(query) == made)
    #expect(asset.camera != nil)
  }

  @Test func aFileThatIsStillToComeIsNotMissed() async throws {
    tree.photo("a.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    let path = tree.photos.appending("a.jpg")
    try await library.catalog.update { database in
      try database.run(
        "INSERT INTO fileMove (kind, source, target) VALUES (0, ?, ?)",
        Array("/nowhere".utf8) as [UInt8], path.bytes)
    }
    tree.remove("a.jpg")
    #expect(try await library.scan().removed == 0)
    try await library.write("DELETE FROM fileMove")
    tree.photo("b.jpg")
    #expect(try await library.scan().removed == 1)
  }
}
