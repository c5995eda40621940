import Foundation
import Glibc
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct AssetNameTests {
  @Test(
    arguments: [
      "IMG 0001 (1).JPG", "two\nlines.jpg", "🏖️ Ünï.jpg", "e\u{301}.jpg", "no_extension", ".hidden",
      "-dash.jpg", "a.b.c.jpg",
    ] as [FilePath] + [FilePath(bytes: [0xFF, 0xFE, 0x2E, 0x6A, 0x70, 0x67])])
  func everyNameCanBeEditedAndReverted(name: FilePath) throws {
    let folder = PhotoFolder(name)
    try folder.edit("first", by: "com.example.other")
    try folder.edit("second", base: .currentRender)
    let stem = try #require(name.stem)
    #expect(
      Set(folder.names) == [
        name, name.suffixed(".aae"), stem.suffixed("_edited.jpg"), stem.suffixed("_base.jpg"),
      ])
    let snapshot = try folder.files.read(timeout: .zero)
    #expect(snapshot.record?.original?.name == name)
    try snapshot.checkOriginal()
    try folder.revert()
    #expect(folder.names == [name])
  }

  @Test(arguments: [(244, nil), (245, "_edited.jpg"), (251, "_edited.jpg"), (252, ".aae")])
  func namesThatLeaveNoRoomAreRefusedClearly(length: Int, suffix: String?) throws {
    let name = FilePath(bytes: [UInt8](repeating: 0x78, count: length))
    let folder = PhotoFolder(name)
    let expected = suffix.map {
      StorageError.nameTooLong(folder.photo.suffixed($0), limit: 255)
    }
    #expect(storageError { try folder.edit("x") } == expected)
    if suffix != nil { #expect(folder.names == [name]) }
  }

  @Test func aNameOf255BytesCanBeReadAndRevertedToNoEffect() throws {
    let folder = PhotoFolder(FilePath(bytes: [UInt8](repeating: 0x78, count: 255)))
    try #expect(folder.files.read(timeout: .zero).record == nil)
    try folder.revert()
    #expect(folder.names.count == 1)
  }

  @Test func photosThatShareAStemDoNotShareARender() throws {
    let folder = PhotoFolder("a.jpg")
    try folder.edit("jpg")
    let other = folder.path.appending("a.png")
    folder.put("png", at: other)
    let transaction = try PhotoFiles(other).begin(timeout: .zero)
    let render = try transaction.stageRender { try $0.write([1]) }
    _ = try transaction.commit("x", rendered: render)
    transaction.end()
    #expect(folder.bytes(folder.path.appending("a.png_edited.jpg")) == [1])
    #expect(folder.text("a_edited.jpg") == "render of jpg")
  }

  @Test func whenEveryNameIsTakenNothingIsOverwritten() throws {
    let folder = PhotoFolder()
    let taken = ["beach_edited.jpg", "beach.jpg_edited.jpg"].map { folder.path.appending($0) }
    for path in taken { folder.put("somebody's", at: path) }
    #expect(storageError { try folder.edit("x") } == .nameTaken(taken))
    #expect(folder.names.count == 3)
    #expect(folder.text("beach_edited.jpg") == "somebody's")
  }

  @Test func aSymbolicLinkStandsForTheFileItLeadsTo() throws {
    let folder = PhotoFolder()
    let links = PhotoFolder("other.jpg")
    let first = links.path.appending("first.jpg")
    let second = links.path.appending("second.jpg")
    _ = folder.photo.withCString { target in first.withCString { symlink(target, $0) } }
    _ = symlink("first.jpg", second.string)
    let transaction = try PhotoFiles(second).begin(timeout: .zero)
    #expect(transaction.original.path == folder.photo)
    let render = try transaction.stageRender { try $0.write([1]) }
    _ = try transaction.commit("x", rendered: render)
    transaction.end()
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
    #expect(links.names == ["first.jpg", "other.jpg", "second.jpg"])
    try #expect(PhotoFiles(first).read(timeout: .zero).record != nil)
  }

  @Test func rendersAndBasesAreRecognizedByTheirRecords() throws {
    let folder = PhotoFolder()
    try folder.edit("first", by: "com.example.other")
    try folder.edit("second", base: .currentRender)
    folder.put("somebody's", at: folder.path.appending("cliff_edited.jpg"))
    let assets = try FolderRecords(folder.path)
    #expect(
      assets.membership(of: "beach_edited.jpg") == .init(original: folder.photo, role: .render))
    #expect(assets.membership(of: "beach_base.jpg") == .init(original: folder.photo, role: .base))
    #expect(assets.membership(of: "cliff_edited.jpg") == nil)
    #expect(assets.membership(of: "beach.jpg") == nil)
  }

  @Test func aRenderIsRecognizedWhenPhotoAndSidecarWereRenamed() throws {
    let folder = PhotoFolder()
    try folder.edit("first")
    _ = rename(folder.photo.string, folder.path.appending("dune.jpg").string)
    _ = rename(folder.photo.string + ".aae", folder.path.appending("dune.jpg.aae").string)
    #expect(
      try FolderRecords(folder.path).membership(of: "beach_edited.jpg")
        == .init(original: folder.path.appending("dune.jpg"), role: .render))
  }

  @Test func aRenderIsRecognizedByAPendingRecordToo() throws {
    let folder = PhotoFolder()
    try folder.edit("first")
    let pending = PhotoNames(folder.photo).pending
    _ = rename(folder.photo.string + ".aae", pending.string)
    #expect(
      try FolderRecords(folder.path).membership(of: "beach_edited.jpg")
        == .init(original: folder.photo, role: .render))
  }
}
