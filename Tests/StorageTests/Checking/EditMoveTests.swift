import Foundation
import Glibc
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct EditMoveTests {
  private func scene(_ photo: MovedPhoto = .renamed) throws -> MovedPhoto.Scene {
    try photo.scene(photo.preparedFiles())
  }

  @Test(arguments: MovedPhoto.allCases)
  func editAndHistoryStayByteForByte(photo: MovedPhoto) throws {
    let scene = try scene(photo)
    // The record that counts, with keys that nobody here knows.
    let before = try #require(
      try LoadedRecord.load(
        around: PhotoNames(scene.former ?? scene.photo), .real))
    let text = String(decoding: before.bytes, as: UTF8.self)
      .replacing(
        "\t\t<key>history</key>",
        with: "\t\t<key>mood</key><real> 1e0 </real>\n\t\t<key>history</key>")
    scene.old.put(text, at: before.path)
    let relinked = try scene.relink()
    let move = relinked.move
    #expect(move.outcome == .moved)
    #expect(relinked.unfinished == nil)

    let after = try #require(scene.new.bytes(scene.photo.suffixed(".aae")))
    let moved = try Record(parsing: after)
    #expect(moved.original?.name == scene.photo.lastComponent)
    #expect(move.render.flatMap(\.lastComponent) == moved.render?.file.name)
    let old = try Record(parsing: Array(text.utf8))
    #expect(moved.adjustmentData == old.adjustmentData)
    #expect(moved.history.count == old.history.count)
    // Take out what names files, and both are the same text.
    func kept(_ text: String) -> [String] {
      let names = ["beach", "shore", "replaces"]
      let list = /\t\t<key>(newVersions|staged)<\/key>\n\t\t<array(\/>|>(\n.*?)+<\/array>)\n/
      var lines = text.replacing(list, with: "").split(separator: "\n").map(String.init)
      for (index, line) in lines.enumerated() where line.contains("<key>replaces") {
        lines[index + 1] = "replaces"
      }
      return lines.filter { line in !names.contains(where: line.contains) }
    }
    #expect(kept(String(decoding: after, as: UTF8.self)) == kept(text))
  }

  @Test func aRetouchedRenderStays() throws {
    let scene = try scene()
    let render = scene.old.path.appending("beach_edited.jpg")
    scene.old.put("retouched", at: render)
    let before = scene.contents
    #expect(storageError { try scene.relink() } == .renderChanged(render))
    #expect(scene.contents == before)
  }

  @Test func aChangedBaseStays() throws {
    let scene = try scene(.renamedTogether)
    let base = scene.old.path.appending("beach_base.jpg")
    scene.old.put("other", at: base)
    let before = scene.contents
    #expect(storageError { try scene.relink() } == .baseChanged(base))
    #expect(scene.contents == before)
  }

  @Test(arguments: MovedPhoto.allCases)
  func aMissingRenderIsSaid(photo: MovedPhoto) throws {
    guard photo != .renamedAfterCrash else { return }
    let scene = try scene(photo)
    unlink(scene.old.path.appending("beach_edited.jpg").string)
    let move = try scene.relink().move
    #expect(move.isRenderMissing)
    #expect(move.render == nil)
    #expect(scene.new.names == photo.finalNames.filter { !$0.isMissingRender(of: photo) })
  }

  @Test func anEditThatIsThereIsNotReplaced() throws {
    let scene = try scene()
    let transaction = try PhotoFiles(scene.photo).begin(timeout: .zero)
    let render = try transaction.stageRender { try $0.write(Array("mine".utf8)) }
    _ = try transaction.commit("mine", rendered: render)
    transaction.end()
    let before = scene.contents
    try #expect(scene.relink().move.outcome == .hasAnEdit)
    #expect(scene.contents == before)
  }

  @Test func anotherProgramsSidecarIsNotReplaced() throws {
    let scene = try scene()
    scene.new.put(try ForeignSidecar.apple.bytes(), at: scene.photo.suffixed(".aae"))
    let before = scene.contents
    try #expect(scene.relink().move.outcome == .hasAnEdit)
    #expect(scene.contents == before)
  }

  @Test func anotherPhotosEditIsNotTaken() throws {
    let scene = try scene()
    scene.new.put("pixels of beach.jpX", at: scene.photo)
    let before = scene.contents
    #expect(
      storageError { try scene.relink() }
        == .recordBelongsToAnotherPhoto(record: scene.old.sidecar, recorded: "beach.jpg"))
    #expect(scene.contents == before)
  }

  @Test func aPhotoThatIsBackKeepsItsEdit() throws {
    let scene = try scene()
    scene.old.put("pixels of beach.jpg", at: scene.old.photo)
    let before = scene.contents
    try #expect(scene.relink().move.outcome == .nothingToMove)
    #expect(scene.contents == before)
  }

  @Test func aCopyWithItsSidecarGetsFilesOfItsOwn() throws {
    let folder = PhotoFolder()
    try folder.edit("first")
    let copy = folder.path.appending("copy.jpg")
    folder.put("pixels of beach.jpg", at: copy)
    folder.put(try #require(folder.bytes(folder.sidecar)), at: copy.suffixed(".aae"))
    let scene = MovedPhoto.Scene(old: folder, new: folder, former: nil, photo: copy)
    try scene.relink()
    #expect(
      folder.names == [
        "beach.jpg", "beach.jpg.aae", "beach_edited.jpg", "copy.jpg", "copy.jpg.aae",
        "copy_edited.jpg",
      ])
    #expect(folder.text("copy_edited.jpg") == "render of first")
    try #expect(folder.files.read(timeout: .zero).render?.lastComponent == "beach_edited.jpg")
  }

  @Test func filesLeftBehindByHandAreBroughtAlong() throws {
    // Photo and sidecar were copied elsewhere by hand, the photo was removed, the render forgotten.
    let scene = try scene(.movedAway)
    scene.new.put(
      try #require(scene.old.bytes(scene.old.sidecar)), at: scene.photo.suffixed(".aae"))
    let move = try scene.relink().move
    #expect(move.outcome == .moved)
    #expect(scene.new.names == MovedPhoto.movedAway.finalNames)
    #expect(scene.new.text("beach_edited.jpg") == "render of second")
    #expect(scene.old.names == [])
  }

  @Test(arguments: MovedPhoto.allCases)
  func aPreviewTellsWithoutDoing(photo: MovedPhoto) throws {
    let scene = try scene(photo)
    let before = scene.contents
    let preview = try PhotoFiles(scene.photo).read(timeout: .zero).editMove(from: scene.former)
    #expect(scene.contents == before)
    let move = try scene.relink().move
    #expect(preview.outcome == move.outcome)
    if photo != .renamedAfterCrash { #expect(preview.render == move.render) }
  }
}

extension FilePath {
  fileprivate func isMissingRender(of photo: MovedPhoto) -> Bool {
    // What is somebody's at the new place stays, of course.
    self == (photo == .movedAndRenamed ? "shore.jpg_edited.jpg" : self)
      && string.hasSuffix("_edited.jpg")
  }
}
