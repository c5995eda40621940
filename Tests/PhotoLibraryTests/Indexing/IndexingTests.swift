import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct IndexingTests {
  private let tree = PhotoTree()

  /// Of a scan that was cut off nobody knows what it did not see yet.
  @Test func aCancelledScanEndsAndRemovesNothing() async throws {
    for name in ["a.jpg", "deep/b.jpg"] { tree.photo(FilePath(name)) }
    let library = try tree.open()
    try await library.add([tree.photos])
    tree.remove("a.jpg")
    let scan = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await library.scan()
    }
    await #expect(throws: PhotoLibraryError.userCancelled) { try await scan.value }
    #expect(try await library.names == ["a.jpg", "b.jpg"])
    try await library.scan()
    #expect(try await library.names == ["b.jpg"])
  }

  @Test func takesInPhotosByTheirContentAndPassesOverEverythingElse() async throws {
    tree.photo("a.jpg")
    tree.photo("inner/deep/b.txt")
    tree.photo(".hidden.jpg")
    tree.photo(".folder/c.jpg")
    tree.put(Array("no photo".utf8), "notes.txt")
    tree.put(Array("<plist/>".utf8), "a.jpg.aae")
    symlink(tree.photos.appending("a.jpg").string, tree.photos.appending("link.jpg").string)
    let library = try tree.open()
    let result = try await library.add([tree.photos])
    #expect(result.added == 2)
    #expect(try await library.names == ["a.jpg", "b.txt"])
  }

  @Test func keepsWhatTheHeaderSays() async throws {
    tree.photo(
      "a.jpg",
      SmallJPEG(
        width: 400, height: 300, orientation: 6, camera: "Maker Model",
        place: (north: (48, 30), west: (11, 15))))
    let library = try tree.open()
    try await library.add([tree.photos])
    #expect(
      try await library.lines(
        """
        SELECT pixelWidth, pixelHeight, orientation, camera, creationDate, latitude, longitude,
          format FROM asset
        """) == ["300 | 400 | 6 | Maker Model | 1714979289.0 | 48.5 | -11.25 | jpeg"])
  }

  @Test(arguments: [
    (SmallJPEG(width: 500, height: 200), AssetMediaSubtype.photoPanorama),
    (SmallJPEG(width: 500, height: 200, camera: nil), AssetMediaSubtype()),
    (SmallJPEG(userComment: "Screenshot"), .photoScreenshot),
    (
      SmallJPEG(xmp: #"<x xmlns:g="http://ns.google.com/photos/1.0/camera/" g:MotionPhoto="1"/>"#),
      .photoLive
    ),
    (
      SmallJPEG(
        xmp: #"<x xmlns:p="http://ns.google.com/photos/1.0/panorama/" p:ProjectionType=""/>"#),
      .photoPanorama
    ),
    (SmallJPEG(xmp: #"<x hdrgm:Version="1.0"/>"#), .photoHDR),
    (
      SmallJPEG(xmp: #"<x xmlns:d="http://ns.google.com/photos/1.0/depthmap/"/>"#),
      .photoDepthEffect
    ),
  ])
  func tellsKindsOfPhotosByTheirHeaders(header: SmallJPEG, kinds: AssetMediaSubtype) async throws {
    tree.photo("a.jpg", header)
    let library = try tree.open()
    try await library.add([tree.photos])
    #expect(try await library.lines("SELECT mediaSubtypes FROM asset") == ["\(kinds.rawValue)"])
  }

  @Test func addingAgainChangesNothingAndLeavesNoTraceInTheHistory() async throws {
    tree.photo("a.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    let tokens = try await library.lines("SELECT token FROM change")
    #expect(try await library.add([tree.photos, tree.photos]).isUnchanged)
    #expect(try await library.scan().isUnchanged)
    #expect(try await library.lines("SELECT token FROM change") == tokens)
  }

  @Test func aChangedFileStaysTheSamePhoto() async throws {
    tree.photo("a.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    try await library.write("UPDATE asset SET favorite = 1, creationDate = 5")
    tree.photo("a.jpg", SmallJPEG(width: 60, date: "2020:01:01 00:00:00"))
    #expect(try await library.scan().updated == 1)
    #expect(
      try await library.lines("SELECT pixelWidth, favorite, creationDate FROM asset")
        == ["60 | 1 | 5.0"])
  }

  @Test func anEditAndARevertAreNoticedAndTheRenderIsNoPhoto() async throws {
    try tree.fixture("beach.jpg", as: "a.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    let before = try await library.lines("SELECT pixelWidth, pixelHeight FROM asset")
    let photo = Photo(path: tree.photos.appending("a.jpg"))
    let editor = PhotoEditor()
    _ = try await editor.adjust(photo) { (stack) throws(AdjustmentError) in
      try stack.adjust(Adjustments.Crop.self) { ($0.width, $0.height) = (0.5, 0.5) }
    }
    #expect(try await library.scan().updated == 1)
    let edited = try await library.lines(
      "SELECT name, adjustmentFormat, pixelWidth, pixelHeight FROM asset")
    #expect(edited.count == 1)
    #expect(edited[0].hasPrefix("a.jpg | org.safelight"))
    #expect(!edited[0].hasSuffix(before[0]))
    _ = try await editor.revertAssetContentToOriginal(photo)
    #expect(try await library.scan().updated == 1)
    #expect(
      try await library.lines("SELECT adjustmentFormat, pixelWidth, pixelHeight FROM asset")
        == ["nil | " + before[0]])
  }

  @Test func namesThatAreNoTextStayTheirBytes() async throws {
    let name = FilePath(bytes: [0x66, 0xFF, 0x0A, 0x2E, 0x6A])
    tree.photo(name)
    let library = try tree.open()
    try await library.add([tree.photos])
    #expect(try await library.lines("SELECT name FROM asset") == ["\(name.bytes)"])
    #expect(try await library.scan().isUnchanged)
  }

  @Test func aFolderThatIsNoneIsRefusedBeforeAnythingIsDone() async throws {
    let none = tree.photos.appending("none")
    let library = try tree.open()
    await #expect(throws: PhotoLibraryError.self) { try await library.add([tree.photos, none]) }
    #expect(try await library.lines("SELECT path FROM folder").isEmpty)
  }

  @Test func aFileThatCannotBeReadIsReportedAndNotTakenIn() async throws {
    tree.put([0xFF, 0xD8, 0xFF, 0xE0], "broken.jpg")
    let library = try tree.open()
    let result = try await library.add([tree.photos])
    #expect(result.unreadable == [tree.photos.appending("broken.jpg")])
    #expect(result.added == 0)
  }

  @Test func aFolderInAnAddedOneNeedsNoRootOfItsOwn() async throws {
    tree.photo("inner/a.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    tree.photo("inner/b.jpg")
    #expect(try await library.add([tree.photos.appending("inner")]).added == 1)
    #expect(
      try await library.lines("SELECT path FROM folder WHERE isRoot = 1") == [tree.photos.string])
  }

  @Test func identifiersFollowFromThePathBelowTheRoot() async throws {
    let other = PhotoTree()
    for tree in [tree, other] { tree.photo("2024/a.jpg") }
    let (one, two) = (try tree.open(), try other.open())
    try await one.add([tree.photos])
    try await two.add([other.photos])
    let identifier = try await one.identifier("a.jpg")
    #expect(try await two.identifier("a.jpg") == identifier)
    #expect(
      identifier.wholeMatch(
        of: /[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}\/L0\/001/) != nil)
  }
}
