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

  /// Gives a photo another name, or none, and writes metadata into it as exiftool does: into a new file.
  private func rate(_ name: FilePath, as new: FilePath? = nil, keepingBackup: Bool = false) throws {
    let path = tree.photos.appending(name)
    let bytes = try Data(contentsOf: URL(filePath: path.string))
    let backup = FilePath("\((new ?? name).string)_original")
    tree.move(name, to: keepingBackup ? backup : ".aside")
    tree.remove(".aside")
    // A comment behind the first marker moves everything that follows it.
    let comment = Data([0xFF, 0xFE, 0x00, 0x08] + Array("rating".utf8))
    try (bytes.prefix(2) + comment + bytes.dropFirst(2)).write(
      to: URL(filePath: tree.photos.appending(new ?? name).string))
  }

  /// The photos in the order of the album, by name.
  private func album(_ library: PhotoLibrary) throws -> [String] {
    try library.rows(
      "SELECT name FROM asset JOIN member ON member.asset = asset.id ORDER BY position"
    ) { FilePath(bytes: $0[0] as [UInt8]).string }
  }

  enum Rating { case none, inANewFile, inANewFileBesideABackup }

  @Test(arguments: [
    ("z.jpg", Rating.none), ("inner/deep/a.jpg", .none), ("20240221.jpg", .inANewFile),
    ("inner/20240221.jpg", .inANewFile), ("z.jpg", .inANewFileBesideABackup),
  ])
  func aPhotoThatIsMovedAndRatedStaysWhatItIs(name: String, rating: Rating) async throws {
    let library = try await library()
    let before = try await state(library)
    tree.photos.appending("inner").makeFolder()
    if rating == .none {
      tree.move("a.jpg", to: FilePath(name))
    } else {
      try rate("a.jpg", as: FilePath(name), keepingBackup: rating == .inANewFileBesideABackup)
    }
    let result = try await library.scan()
    #expect((result.moved, result.added, result.removed) == (1, 0, 0))
    #expect(try await state(library) == before)
    #expect(try await library.scan().isUnchanged)
  }

  @Test func photosThatAreAllRenamedAndRatedStayWhatTheyAre() async throws {
    let library = try await library()
    try rate("a.jpg", as: "1.jpg")
    try rate("c.jpg", as: "2.jpg")
    try rate("b.jpg", as: "3.jpg")
    let result = try await library.scan()
    #expect((result.moved, result.added, result.removed) == (3, 0, 0))
    #expect(try album(library) == ["3.jpg", "1.jpg", "2.jpg"])
  }

  @Test(arguments: [false, true])
  func photosThatChangeTheirNamesStayWhatTheyAre(areRated: Bool) async throws {
    let library = try await library()
    tree.move("a.jpg", to: ".aside.jpg")
    tree.move("b.jpg", to: "a.jpg")
    tree.move(".aside.jpg", to: "b.jpg")
    if areRated {
      try rate("a.jpg")
      try rate("b.jpg")
    }
    let result = try await library.scan()
    #expect((result.moved, result.added, result.removed) == (2, 0, 0))
    #expect(try album(library) == ["a.jpg", "b.jpg", "c.jpg"])
    #expect(try await library.lines("SELECT name FROM asset WHERE favorite = 1") == ["b.jpg"])
  }

  @Test func eachPhotoTakesTheNameOfTheNext() async throws {
    let library = try await library()
    try rate("c.jpg", as: "d.jpg")
    try rate("b.jpg", as: "c.jpg")
    try rate("a.jpg", as: "b.jpg")
    #expect(try await library.scan().moved == 3)
    #expect(try album(library) == ["c.jpg", "b.jpg", "d.jpg"])
  }

  @Test func aRatedPhotoStaysAndItsCopyIsNew() async throws {
    let library = try await library()
    try tree.copy("a.jpg", to: "0.jpg")
    try rate("a.jpg")
    try tree.copy("a.jpg", to: "z.jpg")
    let result = try await library.scan()
    #expect((result.moved, result.added, result.updated) == (0, 2, 1))
    #expect(try await library.lines("SELECT name FROM asset WHERE favorite = 1") == ["a.jpg"])
  }

  @Test func thePhotoThatReplacesAnotherBringsItsAlbumsAlong() async throws {
    let library = try await library()
    tree.move("a.jpg", to: "b.jpg")
    let result = try await library.scan()
    #expect((result.moved, result.removed) == (1, 1))
    #expect(try album(library) == ["b.jpg", "c.jpg"])
    #expect(try await library.lines("SELECT name FROM asset WHERE favorite = 1") == ["b.jpg"])
  }

  @Test(arguments: ["2020:01:01 12:00:00", nil])
  func aPhotoThatIsMovedOverAnotherInheritsNothing(date: String?) async throws {
    let library = try await library()
    tree.photo("d.jpg", SmallJPEG(date: date, comment: "d"))
    try await library.scan()
    let moved = try await library.identifier("d.jpg")
    tree.move("d.jpg", to: "a.jpg")
    let result = try await library.scan()
    #expect((result.moved, result.removed, result.updated) == (1, 1, 0))
    #expect(try await library.identifier("a.jpg") == moved)
    #expect(try await library.lines("SELECT name FROM asset WHERE favorite = 1").isEmpty)
    #expect(try album(library) == ["b.jpg", "c.jpg"])
    // What was said of the other one waits for its picture.
    #expect(try await library.lines("SELECT count(*) FROM departed") == ["1"])
  }

  /// Writes a picture into a photo that is in the trash, and scans.
  private func trashed(
    _ old: SmallJPEG, replacedBy new: SmallJPEG, isNewFile: Bool
  ) async throws -> (kept: Bool, visible: Int) {
    tree.photo("t.jpg", old)
    let library = try tree.open()
    try await library.add([tree.photos])
    let before = try await library.identifier("t.jpg")
    try await library.write("UPDATE asset SET trashedDate = 5")
    if isNewFile {
      tree.photo(".aside.jpg", new)
      tree.move(".aside.jpg", to: "t.jpg")
    } else {
      let file = try FileHandle(forWritingTo: tree.photos.appending("t.jpg").fileURL)
      try file.write(contentsOf: Data(new.bytes))
      try file.truncate(atOffset: UInt64(new.bytes.count))
      try file.close()
    }
    try await library.scan()
    return (try await library.identifier("t.jpg") == before, try library.fetchAssets().counted())
  }

  private static let taken = "2024:05:06 07:08:09"

  /// A new photo under the name of one in the trash is seen; what a program makes of the one in the trash stays there.
  @Test(arguments: [
    (taken, taken, true, true), (taken, taken, false, true), (nil, nil, false, true),
    (taken, "2025:05:05 05:05:05", true, false),
  ])
  func whatIsWrittenIntoAPhotoInTheTrashStaysThereUnlessItIsAnother(
    old: String?, new: String?, isNewFile: Bool, isSame: Bool
  ) async throws {
    let result = try await trashed(
      SmallJPEG(date: old, comment: "old"),
      replacedBy: SmallJPEG(width: 99, date: new, comment: "new"), isNewFile: isNewFile)
    #expect(result.visible == (isSame ? 0 : 1))
    if isSame { #expect(result.kept) }
  }

  @Test func emptyingTheTrashTakesNoPhotoThatHasGotTheName() async throws {
    tree.photo("a.jpg", SmallJPEG(comment: "unwanted"))
    let library = try tree.open()
    try await library.add([tree.photos])
    try await library.write("UPDATE asset SET trashedDate = 5")
    tree.move("a.jpg", to: "z.jpg")
    tree.photo("a.jpg", SmallJPEG(date: "2025:05:05 05:05:05", comment: "another"))
    await #expect(throws: PhotoLibraryError.self) {
      try await library.performChanges { AssetChangeRequest.emptyTrash() }
    }
    try await library.scan()
    try await library.performChanges { AssetChangeRequest.emptyTrash() }
    #expect(tree.photos.appending("a.jpg").leadsSomewhere)
    #expect(!tree.photos.appending("z.jpg").leadsSomewhere)
    #expect(try await library.names == ["a.jpg"])
  }

  @Test func aPictureThatAProgramReplacesStaysWhereItIs() async throws {
    let library = try await library()
    let before = try await state(library)
    tree.photo("new.jpg", SmallJPEG(width: 99, comment: "retouched"))
    try await library.scan()
    tree.move("new.jpg", to: "a.jpg")
    #expect(try await library.scan().updated == 1)
    #expect(try await state(library) == before)
  }

  @Test func aPhotoThatComesBackRatedIsWhatItWas() async throws {
    let library = try await library()
    let before = try await state(library)
    tree.move("a.jpg", to: ".aside.jpg")
    #expect(try await library.scan().removed == 1)
    try rate(".aside.jpg", as: "back.jpg")
    #expect(try await library.scan().added == 1)
    #expect(try await state(library) == before)
  }

  @Test func whatExiftoolKeepsOfAPhotoIsNoPhoto() async throws {
    let library = try await library()
    try rate("a.jpg", keepingBackup: true)
    let result = try await library.scan()
    #expect((result.updated, result.added) == (1, 0))
    tree.move("a.jpg", to: ".aside.jpg")
    #expect(try await library.scan().removed == 1)
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
