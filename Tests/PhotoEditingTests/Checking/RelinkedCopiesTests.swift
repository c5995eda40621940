import Glibc
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Edits whose photos were renamed or moved while copies and backups of them are around.
@Suite struct RelinkedCopiesTests {
  private let folder = PhotoFolder()
  private let backup = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  private func move(_ name: FilePath, to path: FilePath) {
    _ = Glibc.rename(self.path(name).string, path.string)
  }

  /// The picture with another comment, as programs that rate photos write it.
  private func rated() throws -> [UInt8] {
    let bytes = try Fixtures.bytes("orientation/1.jpg")
    return bytes[..<2] + [0xFF, 0xFE, 0, 6, 0x72, 0x61, 0x74, 0x65] + bytes[2...]
  }

  private func results(_ paths: [FilePath]? = nil) async throws -> [Result<FilePath?, RelinkError>]
  {
    try await editor.relinkings(paths ?? [folder.path], lookingIn: [backup.path])
      .map { $0.map(\.photo) }
  }

  private func edited(_ name: FilePath = "beach.jpg") async throws {
    try await editor.apply(.named("noir"), to: folder.add("orientation/1.jpg", as: name))
  }

  @Test(arguments: ["beach.jpg_original", "beach.jpg~", "beach.jpg.bak", ".trashed-17-beach.jpg"])
  func whatProgramsKeepOfAChangedFileIsNotThePhoto(kept: FilePath) async throws {
    try await edited()
    move("beach.jpg", to: path(kept))
    try await #expect(
      results() == [.failure(.originalNotFound(record: path("beach.jpg.aae")))])
    folder.put(try rated(), as: "shore.jpg")
    try await #expect(results() == [.success(path("shore.jpg"))])
    try #expect(folder.bytes(kept) == Fixtures.bytes("orientation/1.jpg"))
  }

  @Test func aRatedPhotoNearbyGoesBeforeItsBackup() async throws {
    backup.put(try Fixtures.bytes("orientation/1.jpg"), as: "beach.jpg")
    try await edited()
    folder.remove("beach.jpg")
    folder.put(try rated(), as: "shore.jpg")
    try await #expect(results() == [.success(path("shore.jpg"))])
  }

  @Test func aBackupIsThePhotoWhenNothingElseIs() async throws {
    backup.put(try Fixtures.bytes("orientation/1.jpg"), as: "beach.jpg")
    try await edited()
    folder.remove("beach.jpg")
    try await #expect(results() == [.success(backup.path.appending("beach.jpg"))])
  }

  @Test func aBackupOfAPhotoThatWasRetouchedGetsTheEditWhenTheSidecarIsNamed() async throws {
    let place = backup.path.appending("beach.jpg")
    backup.put(try Fixtures.bytes("orientation/1.jpg"), as: "beach.jpg")
    try await edited()
    folder.put(try Fixtures.bytes("orientation/2.jpg"), as: "beach.jpg")
    let record = path("beach.jpg.aae")
    try await #expect(
      results() == [.failure(.ambiguous(record: record, candidates: [place]))])
    try await #expect(results([record]) == [.success(place)])
  }

  @Test func aPhotoThatWasMovedWhileAnotherTookItsNameGetsItsEdit() async throws {
    try await edited()
    move("beach.jpg", to: backup.path.appending("beach.jpg"))
    try folder.add("orientation/2.jpg", as: "beach.jpg")
    try await #expect(results() == [.success(backup.path.appending("beach.jpg"))])
  }

  @Test(arguments: ["beach (2)", "beach (1)", "IMG_9"])
  func aDuplicateThatIsNamedLikeACopyIsAPhotoOfItsOwn(former: String) async throws {
    for name in ["beach", former] { try await edited(FilePath("\(name).jpg")) }
    for rest in [".jpg", ".jpg.aae", "_edited.jpg"] where former != "beach (2)" {
      move(FilePath("\(former)\(rest)"), to: path(FilePath("beach (2)\(rest)")))
    }
    move("beach (2).jpg", to: backup.path.appending("portrait.jpg"))
    let checks = try await editor.checks(of: folder.path, fixing: true)
    #expect(checks.flatMap(\.problems).map(\.code) == ["original-missing"])
    try await #expect(results() == [.success(backup.path.appending("portrait.jpg"))])
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func exchangedNamesAreFoundInAFolderThatWasCopiedSidecarsLast() async throws {
    try await edited("a.jpg")
    var other = try Fixtures.bytes("orientation/1.jpg")
    other[other.count - 3] ^= 1
    folder.put(other, as: "b.jpg")
    try await editor.apply(.named("fade"), to: Photo(path: path("b.jpg")))
    move("a.jpg", to: path("c.jpg"))
    move("b.jpg", to: path("a.jpg"))
    move("c.jpg", to: path("b.jpg"))
    for name: FilePath in ["a.jpg.aae", "b.jpg.aae"] {
      let bytes = try #require(folder.bytes(name))
      folder.remove(name)
      folder.put(bytes, as: name)
    }
    try await #expect(results() == [.success(path("b.jpg")), .success(path("a.jpg"))])
  }
}
