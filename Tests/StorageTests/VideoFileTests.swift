import Glibc
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// The edited video of a Live Photo as a file among other files.
@Suite struct VideoFileTests {
  private func record(_ folder: PhotoFolder) throws -> Record {
    try #require(try folder.files.read(timeout: .zero).record)
  }

  @Test func theVideoComesAndGoesWithTheEdit() throws {
    let folder = PhotoFolder()
    try folder.edit("1", video: .new)
    #expect(folder.text("beach_edited.mov") == "video of 1")
    let member = try #require(try record(folder).members[.video])
    #expect(member.file.name == "beach_edited.mov" && member.file.size == 10)
    try folder.edit("2", video: .new)
    #expect(folder.text("beach_edited.mov") == "video of 2")
    try folder.edit("2", history: .renderAgain, video: .kept)
    #expect(folder.text("beach_edited.mov") == "video of 2")
    try folder.saveVersion("warm")
    #expect(folder.text("beach_edited.mov") == "video of 2")
    try folder.edit("3")
    #expect(folder.text("beach_edited.mov") == nil)
    #expect(try record(folder).members[.video] == nil)
  }

  /// Older programs would leave the video behind when they revert.
  @Test func onlyRecordsWithAVideoNeedANewerProgram() throws {
    let folder = PhotoFolder()
    try folder.edit("1")
    func has(_ number: Int) -> Bool {
      let text = folder.text("beach.jpg.aae") ?? ""
      return text.split(separator: "recordVersion</key>").last?
        .drop { $0 != ">" }.dropFirst().prefix { $0 != "<" } == "\(number)"
    }
    #expect(has(1))
    try folder.edit("2", video: .new)
    #expect(has(3))
    try folder.saveVersion("warm")
    #expect(has(3))
    try folder.edit("3")
    #expect(has(2))
  }

  @Test func aStrangersVideoIsNotReplaced() throws {
    let folder = PhotoFolder()
    folder.put("somebody's", at: folder.path.appending("beach_edited.mov"))
    try folder.edit("1", video: .new)
    #expect(folder.text("beach_edited.mov") == "somebody's")
    #expect(folder.text("beach.jpg_edited.mov") == "video of 1")
    try folder.revert()
    #expect(folder.names == ["beach.jpg", "beach_edited.mov"])
  }

  @Test func aChangedVideoIsNeverLost() throws {
    let folder = PhotoFolder()
    try folder.edit("1", video: .new)
    let video = folder.path.appending("beach_edited.mov")
    folder.put("cut anew", at: video)
    #expect(storageError { try folder.edit("2", video: .new) } == .renderChanged(video))
    #expect(storageError { try folder.revert() } == .renderChanged(video))
    try folder.edit("3")
    #expect(folder.text("beach_edited.mov") == "cut anew")
    try folder.revert()
    #expect(folder.names == ["beach.jpg", "beach_edited.mov"])
  }

  @Test func aMissingVideoDoesNotStandInTheWay() throws {
    let folder = PhotoFolder()
    try folder.edit("1", video: .new)
    unlink(folder.path.appending("beach_edited.mov").string)
    try #expect(folder.files.read(timeout: .zero).path(of: .video) == nil)
    try folder.edit("2", video: .new)
    #expect(folder.text("beach_edited.mov") == "video of 2")
    unlink(folder.path.appending("beach_edited.mov").string)
    try folder.revert()
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func theVideoGoesWithARenamedPhoto() throws {
    let folder = PhotoFolder()
    try folder.edit("1", video: .new)
    let new = folder.path.appending("coast.jpg")
    #expect(rename(folder.photo.string, new.string) == 0)
    #expect(rename(folder.sidecar.string, new.suffixed(".aae").string) == 0)
    let transaction = try PhotoFiles(new).begin(timeout: .zero)
    _ = try transaction.moveEdit(transaction.snapshot.editMove(from: nil))
    transaction.end()
    #expect(folder.text("coast_edited.mov") == "video of 1")
    #expect(
      folder.names == ["coast.jpg", "coast.jpg.aae", "coast_edited.jpg", "coast_edited.mov"])
  }

  /// A copy with the sidecar of the first photo never touches that one's video.
  @Test func aCopyLeavesTheFirstPhotosVideoAlone() throws {
    let folder = PhotoFolder()
    try folder.edit("1", video: .new)
    let copy = folder.path.appending("copy.jpg")
    folder.put(folder.bytes(folder.photo)!, at: copy)
    folder.put(folder.bytes(folder.sidecar)!, at: copy.suffixed(".aae"))
    let transaction = try PhotoFiles(copy).begin(timeout: .zero)
    _ = try transaction.revert()
    transaction.end()
    #expect(folder.text("beach_edited.mov") == "video of 1")
    #expect(
      folder.names
        == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg", "beach_edited.mov", "copy.jpg"])
  }
}
