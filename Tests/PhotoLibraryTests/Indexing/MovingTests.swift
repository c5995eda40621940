import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct MovingTests {
  private let tree = PhotoTree()

  /// A library of three photos, of which `a.jpg` is a favorite in an album, between the others.
  private func library() async throws -> PhotoLibrary {
    for name in ["a.jpg", "b.jpg", "c.jpg"] { tree.photo(FilePath(name)) }
    let library = try tree.open()
    try await library.add([tree.photos])
    try await library.write(
      """
      UPDATE asset SET favorite = 1 WHERE name = CAST('a.jpg' AS BLOB);
      INSERT INTO collection (id, identifier, title, position, creationDate)
        VALUES (1, 'album', 'Album', 0, 0);
      INSERT INTO member (album, position, asset) SELECT 1, CASE name WHEN CAST('b.jpg' AS BLOB) THEN 0
        WHEN CAST('a.jpg' AS BLOB) THEN 1 ELSE 2 END, id FROM asset;
      """)
    return library
  }

  private func state(_ library: PhotoLibrary) async throws -> [String] {
    try await library.lines(
      """
      SELECT identifier, favorite, position FROM asset LEFT JOIN member ON member.asset = asset.id
      """)
  }

  @Test(arguments: ["z.jpg", "inner/deep/a.jpg"])
  func aMovedPhotoStaysWhatItIs(name: String) async throws {
    let library = try await library()
    let before = try await state(library)
    tree.move("a.jpg", to: FilePath(name))
    let result = try await library.scan()
    #expect((result.moved, result.added, result.removed) == (1, 0, 0))
    #expect(try await state(library) == before)
  }

  @Test func aPhotoCopiedElsewhereAndRemovedStaysWhatItIs() async throws {
    let library = try await library()
    let before = try await state(library)
    try tree.copy("a.jpg", to: "elsewhere/copy.jpg")
    tree.remove("a.jpg")
    #expect(try await library.scan().moved == 1)
    #expect(try await state(library) == before)
  }

  @Test func aCopyIsAPhotoOfItsOwn() async throws {
    let library = try await library()
    try tree.copy("a.jpg", to: "copy.jpg")
    #expect(try await library.scan().added == 1)
    #expect(try await library.lines("SELECT name FROM asset WHERE favorite = 1") == ["a.jpg"])
  }

  @Test func aMovedFolderTakesItsPhotosAlong() async throws {
    let library = try await library()
    tree.photo("inner/d.jpg")
    try await library.scan()
    try await library.write("UPDATE asset SET hidden = 1 WHERE name = CAST('d.jpg' AS BLOB)")
    tree.move("inner", to: "other")
    #expect(try await library.scan().moved == 1)
    #expect(try await library.lines("SELECT name FROM asset WHERE hidden = 1") == ["d.jpg"])
    #expect(try await library.scan().isUnchanged)
  }

  @Test func aPhotoThatIsGoneLeavesAndComesBackWithWhatWasSaidOfIt() async throws {
    let library = try await library()
    let before = try await state(library)
    try tree.copy("a.jpg", to: ".aside.jpg")
    tree.remove("a.jpg")
    #expect(try await library.scan().removed == 1)
    #expect(try await library.names == ["b.jpg", "c.jpg"])
    tree.move(".aside.jpg", to: "back.jpg")
    #expect(try await library.scan().added == 1)
    #expect(try await state(library) == before)
    #expect(try await library.lines("SELECT identifier FROM departed").isEmpty)
  }

  @Test func aNewPhotoUnderAnOldNameIsAnotherPhoto() async throws {
    let library = try await library()
    tree.move("a.jpg", to: "z.jpg")
    tree.photo("a.jpg", SmallJPEG(width: 99, comment: "new"))
    try await library.scan()
    #expect(try await library.names.count == 4)
    #expect(try await library.lines("SELECT DISTINCT identifier FROM asset").count == 4)
  }

  @Test(arguments: [true, false])
  func aDiskThatIsNotThereTakesNoPhotosAway(isEmptyFolder: Bool) async throws {
    let library = try await library()
    let before = try await state(library)
    let aside = tree.path.appending("aside")
    #expect(rename(tree.photos.string, aside.string) == 0)
    if isEmptyFolder { tree.photos.makeFolder() }
    let result = try await library.scan()
    #expect(result.unavailable == [tree.photos])
    #expect(try await state(library) == before)
    rmdir(tree.photos.string)
    #expect(rename(aside.string, tree.photos.string) == 0)
    #expect(try await library.scan().isUnchanged)
  }
}
