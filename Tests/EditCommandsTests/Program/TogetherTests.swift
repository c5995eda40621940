import Foundation
import Glibc
import Testing

/// Batches that change all photos or none.
@Suite(.timeLimit(.minutes(15))) struct TogetherTests {
  private let folder = CommandFolder()

  @Test func allPhotosAreChangedTogether() throws {
    for name in ["1.jpg", "2.jpg", "3.jpg"] { try folder.add("orientation/1.jpg", as: name) }
    let edit = try EditProcess(
      ["apply", "noir", "--together", "1.jpg", "2.jpg", "3.jpg"], in: folder)
    #expect(edit.messages == "")
    #expect(
      edit.output == """
        1.jpg: noir, rendered to 1_edited.jpg
        2.jpg: noir, rendered to 2_edited.jpg
        3.jpg: noir, rendered to 3_edited.jpg

        """)
    #expect(edit.status == 0)
    #expect(folder.names.count == 9)
    let single = CommandFolder()
    try single.add("orientation/1.jpg", as: "1.jpg")
    _ = try EditProcess(["apply", "noir", "1.jpg"], in: single)
    #expect(folder.data("1_edited.jpg") == single.data("1_edited.jpg"))
    let revert = try EditProcess(["revert", "--together", "1.jpg", "2.jpg", "3.jpg"], in: folder)
    #expect(revert.output == "1.jpg: reverted\n2.jpg: reverted\n3.jpg: reverted\n")
    #expect(folder.names == ["1.jpg", "2.jpg", "3.jpg"])
  }

  @Test func aPhotoUnderTwoNamesIsChangedOnce() throws {
    try folder.add("orientation/1.jpg", as: "a.jpg")
    symlink("a.jpg", folder.path + "/b.jpg")
    let edit = try EditProcess(
      ["apply", "noir", "--together", "-j", "2", "a.jpg", "b.jpg"], in: folder)
    #expect(edit.status == 0)
    #expect(edit.output.contains("b.jpg: skipped") || edit.output.contains("same file as a.jpg"))
    #expect(folder.names == ["a.jpg", "a.jpg.aae", "a_edited.jpg", "b.jpg"])
  }

  @Test func photosWithOneStemAreChangedTogether() throws {
    for name in ["1.jpg", "1.jpeg"] { try folder.add("orientation/1.jpg", as: name) }
    let edit = try EditProcess(
      ["apply", "noir", "--together", "-j", "2", "1.jpg", "1.jpeg"], in: folder)
    #expect(edit.status == 0)
    #expect(
      folder.names.filter { $0.contains("_edited") }.count == 2
        && folder.names.contains("1_edited.jpg"))
    #expect(folder.names.count == 6)
  }

  @Test func onePhotoThatFailsKeepsAllAsTheyWere() throws {
    for name in ["1.jpg", "2.jpg", "3.jpg"] { try folder.add("orientation/1.jpg", as: name) }
    _ = try EditProcess(["apply", "sepia", "2.jpg"], in: folder)
    try folder.put("no picture", as: "bad.jpg")
    let before = folder.contents
    let edit = try EditProcess(
      ["apply", "noir", "--together", "-j", "2", "1.jpg", "2.jpg", "bad.jpg"], in: folder)
    #expect(edit.status == 1)
    #expect(
      edit.output == """
        1.jpg: skipped: It was not changed, since not all could be.
        2.jpg: skipped: It was not changed, since not all could be.
        bad.jpg: failed

        """)
    #expect(edit.errors.contains("edit: No photo was changed, because not all could be."))
    #expect(folder.contents == before)
  }

  @Test func aDecoderThatDiesKeepsAllAsTheyWere() throws {
    try folder.add("orientation/1.jpg", as: "1.jpg")
    try folder.put(LargeTIFF.data(side: 20_000), as: "large.tif")
    let watch = FolderWatch(folder)
    let edit = try EditProcess(
      ["apply", "noir", "--together", "-j", "1", "1.jpg", "large.tif"], in: folder
    ) { process in
      #expect(watch.waitForStagedRender())
      #expect(watch.waitForStagedRender())
      // A decoder that dies before it has begun is replaced.
      #expect(FolderWatch(folder, for: IN_MODIFY).waitForStagedRender())
      for decoder in try process.children { kill(decoder, SIGKILL) }
    }
    #expect(edit.status == 1)
    #expect(edit.output.hasSuffix("large.tif: failed\n"))
    #expect(folder.names == ["1.jpg", "large.tif"])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func anInterruptedOneChangesNothing(signal: Int32) throws {
    try folder.add("orientation/1.jpg", as: "1.jpg")
    try folder.put(LargeTIFF.data(side: 20_000), as: "large.tif")
    let watch = FolderWatch(folder)
    let edit = try EditProcess(
      ["apply", "noir", "--together", "-j", "1", "1.jpg", "large.tif"], in: folder
    ) { process in
      #expect(watch.waitForStagedRender())
      #expect(watch.waitForStagedRender())
      kill(process.processIdentifier, signal)
    }
    #expect(edit.status == 130)
    #expect(folder.names == ["1.jpg", "large.tif"])
  }

  @Test func thereMayBeManyPhotos() throws {
    let names = (0..<1010).map { "\($0).jpg" }
    try folder.add("orientation/1.jpg", as: "one")
    for name in names { link(folder.path + "/one", folder.path + "/" + name) }
    let edit = try EditProcess(["revert", "--together"] + names, in: folder)
    #expect(edit.messages == "")
    #expect(edit.status == 0)
    #expect(edit.output.split(separator: "\n").count == 1010)
  }
}
