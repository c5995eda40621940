import Foundation
import Testing

/// Whatever option writes a file, no photo and no file of an edit is ever written over.
@Suite struct OutputRuleTests {
  private let folder = CommandFolder()

  /// Commands that write `@/out/1.jpg`, allowed to replace what is there.
  private static let commands = [
    ["render", "@/1.jpg", "-o", "@/out", "--overwrite"],
    ["render", "@/1.jpg", "-o", "@/out/1.jpg", "--overwrite"],
    ["compare", "@/1.jpg", "--filter", "noir", "-o", "@/out/1.jpg", "--overwrite"],
    ["show", "--histogram", "@/1.jpg", "-o", "@/out/1.jpg", "--overwrite"],
    ["filters", "noir", "--sheet", "@/1.jpg", "-o", "@/out/1.jpg", "--overwrite"],
  ]

  private func expectRefusal(_ words: [String], saying text: String) async throws {
    let before = folder.data("out/1.jpg")
    let transcript = await folder.edit(words)
    #expect(transcript.code == 1)
    #expect(transcript.messages.first?.contains("@/out/1.jpg " + text) == true)
    #expect(folder.data("out/1.jpg") == before)
  }

  @Test(arguments: commands)
  func anotherPhotoStays(words: [String]) async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg", as: "out/1.jpg")
    try await expectRefusal(words, saying: "is a photo and is not overwritten.")
  }

  @Test(arguments: commands)
  func anExportWithAnEditIsAPhoto(words: [String]) async throws {
    try folder.add("orientation/1.jpg")
    mkdir(folder.path + "/out", 0o755)
    _ = await folder.edit("render", "@/1.jpg", "-o", "@/out")
    await #expect(folder.edit("apply", "noir", "@/out/1.jpg").code == 0)
    try await expectRefusal(words, saying: "is a photo and is not overwritten.")
  }

  @Test(arguments: commands)
  func anExportIsReplacedWhenAllowed(words: [String]) async throws {
    try folder.add("orientation/1.jpg")
    mkdir(folder.path + "/out", 0o755)
    _ = await folder.edit("render", "@/1.jpg", "-o", "@/out", "--longest-side", "20")
    let before = folder.data("out/1.jpg")
    await #expect(folder.edit(words.filter { $0 != "--overwrite" }).code == 1)
    #expect(folder.data("out/1.jpg") == before)
    await #expect(folder.edit(words).code == 0)
    #expect(folder.data("out/1.jpg") != before)
  }

  /// Raw files and the like are photos too.
  @Test(arguments: [
    Data([0xFF, 0x0A, 1, 2]), Data("FUJIFILMCCD-RAW 0201".utf8), Data("\0\0\0\u{18}ftypcrx ".utf8),
    Data([0xFF, 0xD8, 0xFF, 0xE0]),
  ])
  func aPictureOfAnyKindStays(bytes: Data) async throws {
    try folder.add("orientation/1.jpg")
    try folder.put(bytes, as: "out/1.jpg")
    try await expectRefusal(Self.commands[0], saying: "is a photo and is not overwritten.")
  }

  @Test(arguments: ["png", "jpg", "tif", "webp"])
  func everyFormatSaysThatItIsARender(ending: String) async throws {
    try folder.add("beach.jpg")
    let words = ["render", "@/beach.jpg", "-o", "@/out.\(ending)", "--longest-side", "60"]
    await #expect(folder.edit(words).code == 0)
    await #expect(folder.edit(words + ["--overwrite"]).code == 0)
  }

  /// Programs would read a picture or a report of such a name as an edit.
  @Test(arguments: ["b.jpg.aae", "b.AAE", "1.xmp", "1.jpg.xmp", "1.jpg.pp3", "1.dop"])
  func aNameOfASidecarIsNeverUsed(name: String) async throws {
    try folder.add("orientation/1.jpg")
    for isThere in [false, true] {
      if isThere { try folder.put("<x/>", as: name) }
      for words in [["render", "--format", "jpeg"], ["compare", "--filter", "noir"]] {
        let transcript = await folder.edit(
          words + ["@/1.jpg", "-o", "@/\(name)", "--overwrite"])
        #expect(transcript.code != 0)
      }
      let report = await folder.edit("show", "@/1.jpg", "--report", "@/\(name)")
      #expect(report.code != 0)
      #expect(folder.data(name) == (isThere ? Data("<x/>".utf8) : nil))
    }
  }

  @Test(arguments: [
    ("2.jpg.aae", "belongs to the photo 2.jpg"), ("2_edited.jpg", "belongs to the photo 2.jpg"),
    ("IMG.AAE", "belongs to the photo IMG"), ("sub", "is no file but a folder"),
    ("/dev/null", "is no file but a folder"),
  ])
  func otherFilesThatStay(name: String, text: String) async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    try folder.put("", as: "sub/1.jpg/x")
    try folder.put("from a phone", as: "IMG.AAE")
    _ = await folder.edit("apply", "noir", "@/2.jpg")
    let before = folder.contents
    let path = name.hasPrefix("/") ? name : "@/" + name
    let transcript = await folder.edit(
      "render", "@/1.jpg", "-o", path, "--format", "jpeg", "--overwrite")
    #expect(transcript.code == 1)
    #expect(transcript.messages.first?.contains(text) == true)
    #expect(folder.contents == before)
  }

  @Test func aReportsPicturesTakeNoPhotosPlace() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg", as: "page/pictures/000001-after.jpg")
    let before = folder.data("page/pictures/000001-after.jpg")
    await #expect(folder.edit("apply", "noir", "@/1.jpg", "--html", "@/page").code == 0)
    #expect(folder.data("page/pictures/000001-after.jpg") == before)
    let first = folder.data("page/pictures/000001-before.jpg")
    #expect(first != nil)
    _ = await folder.edit("rotate", "90", "@/1.jpg", "--html", "@/page")
    #expect(folder.data("page/pictures/000001-before.jpg") == first)
    #expect(folder.data("page/pictures/000001-after.jpg") == before)
  }
}

/// A picture on standard output.
@Suite struct StandardOutputTests {
  private let folder = CommandFolder()

  @Test func thePictureIsAllThatIsWritten() throws {
    try folder.add("orientation/1.jpg")
    let edit = try EditProcess(
      shell: "$EDIT render 1.jpg -o - --format png > out && $EDIT render 1.jpg -o file.png",
      in: folder)
    #expect(edit.status == 0)
    #expect(edit.errors == "")
    // The file says where its photo is, in a space and 16 digits.
    let written = try #require(folder.data("out"))
    #expect(written.count + 17 == folder.data("file.png")?.count)
    #expect(folder.data("out")?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
  }

  @Test func aFullDiskIsAFailure() throws {
    try folder.add("orientation/1.jpg")
    let edit = try EditProcess(shell: "$EDIT render 1.jpg -o - > /dev/full", in: folder)
    #expect(edit.status == 1)
    #expect(edit.errors.contains("standard output could not be written: the disk is full."))
  }
}
