import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import SafelightEditCommands

@Suite struct SelectionTests {
  private let folder = CommandFolder()

  private func select(_ words: String...) throws -> PhotoSelection {
    let options = try SelectionOptions.parse(words.map(folder.expanded))
    return try PhotoSelection(options)
  }

  /// What was selected, in short.
  private func found(_ selection: PhotoSelection) -> [String] {
    selection.items.map { item in
      let name = item.path.string.replacing(folder.path + "/", with: "")
      return switch item {
      case .photo: name
      case .skipped(_, let reason), .part(_, let reason): "\(name): \(reason)"
      case .failed(_, let failure): "\(name)! \(failure.message)".replacing(folder.path, with: "@")
      }
    }
  }

  private func fill() async throws {
    for name in ["b.jpg", "a.jpg", "sub/c.jpg", "sub/deep/d.jpg", ".hidden/e.jpg", "sub/.f.jpg"] {
      try folder.add("orientation/1.jpg", as: name)
    }
    try folder.put("words", as: "notes.txt")
    try folder.put(Data(contentsOf: Fixture.url("alpha.png")), as: "picture without ending")
    _ = await folder.edit("apply", "noir", "@/a.jpg")
  }

  @Test func foldersGiveTheirPhotosByContentAndInOrder() async throws {
    try await fill()
    symlink(folder.path, folder.path + "/sub/loop")
    let selection = try select("--recursive", "@/")
    #expect(
      found(selection) == [
        "a.jpg", "b.jpg", "picture without ending", "sub/c.jpg", "sub/deep/d.jpg",
      ])
    #expect(selection.leftOut == 2)
  }

  @Test func foldersOfANASAreLeftOutAndSoIsWhatRulesSay() throws {
    for name in [
      "a.jpg", "b.jpg", "@eaDir/a.jpg/thumb.jpg", "#recycle/c.jpg", "drafts/d.jpg",
      "x/drafts/e.jpg",
    ] { try folder.add("orientation/1.jpg", as: name) }
    #expect(try found(select("-r", "@")) == ["a.jpg", "b.jpg", "drafts/d.jpg", "x/drafts/e.jpg"])
    let selection = try select("-r", "@", "--exclude", "drafts/", "--exclude", "a.*")
    #expect(found(selection) == ["b.jpg"])
    #expect(selection.excluded == 5)
    #expect(
      try found(select("-r", "@", "--exclude", "@/drafts")) == ["a.jpg", "b.jpg", "x/drafts/e.jpg"])
    try folder.put("/b.jpg\n", as: ".safelightignore")
    #expect(try found(select("-r", "@")) == ["a.jpg", "drafts/d.jpg", "x/drafts/e.jpg"])
    // What is named is taken.
    #expect(
      try found(select("-r", "@/b.jpg", "@/#recycle", "--exclude", "b.jpg")) == [
        "b.jpg", "#recycle/c.jpg",
      ])
  }

  @Test(arguments: [["--exclude", "x", "@/a.jpg"], ["-r", "--exclude", "[x", "@"]])
  func exclusionsWithoutUseAreMisuse(words: [String]) async {
    #expect(await folder.edit(["apply", "noir"] + words).code == 64)
  }

  @Test(arguments: ["jpeg", "png", "tiff", "webp"])
  func exportsAreNoPhotosUnlessTheyAreNamed(format: String) async throws {
    try folder.add("orientation/1.jpg", as: "a.jpg")
    for name in ["web", "again"] {
      try folder.put("", as: "\(name)/.keep")
      let export = await folder.edit(
        "render", "-r", "@", "-o", "@/\(name)", "--format", format, "-q", "--overwrite")
      #expect(export.code == 0)
    }
    let selection = try select("-r", "@")
    #expect(found(selection) == ["a.jpg"])
    #expect(selection.exports == 2)
    let ending = ["jpeg": "jpg", "tiff": "tif"][format] ?? format
    #expect(try found(select("@/web/a.\(ending)")) == ["web/a.\(ending)"])
    #expect(await folder.edit("apply", "noir", "@/web/a.\(ending)").code == 0)
    // What has an edit of its own is a photo.
    let edited = try select("-r", "@")
    #expect(found(edited) == ["a.jpg", "web/a.\(ending)"])
    #expect(edited.exports == 1)
  }

  @Test func theFolderForPicturesIsNotLookedThrough() async throws {
    for name in ["a.jpg", "web/b.jpg"] { try folder.add("orientation/1.jpg", as: name) }
    symlink(folder.path + "/web", folder.path + "/link")
    let transcript = await folder.edit("render", "-r", "@", "-o", "@/link", "--json")
    #expect(transcript.results.count == 1)
    let note = "edit: @/web was not looked through: the pictures go there."
    #expect(transcript.messages.contains(note))
    // The folder that is looked through may get the pictures itself.
    #expect(await folder.edit("render", "-r", "@", "-o", "@", "--format", "png").code == 0)
  }

  @Test func aFolderWithoutRecursiveIsAnError() async throws {
    try await fill()
    #expect(try found(select("@/sub/", "@/b.jpg")) == ["sub! @/sub is a folder.", "b.jpg"])
  }

  @Test func namedSidecarsRendersAndRepetitionsAreSkipped() async throws {
    try await fill()
    #expect(
      try found(select("@/a.jpg.aae", "@/a_edited.jpg", "@/a.jpg", "@/a.jpg", "@/none.jpg")) == [
        "a.jpg.aae: It is the sidecar of a.jpg.",
        "a_edited.jpg: It is a render of a.jpg; edit that photo instead.", "a.jpg",
        "a.jpg: It was named before.", "none.jpg",
      ])
  }

  @Test func aListGivesMorePhotos() throws {
    try folder.put("@/x.jpg\n\n@/y z.jpg\n@/last".replacing("@", with: folder.path), as: "list")
    #expect(
      try found(select("@/first", "--files-from", "@/list")) == [
        "first", "x.jpg", "y z.jpg", "last",
      ])
  }

  @Test func aListFromWindowsIsReadToo() throws {
    let list = "\u{FEFF}@/x.jpg\r\n\r\n@/y.jpg\r\n@/z.jpg\r"
    try folder.put(list.replacing("@", with: folder.path), as: "list")
    try folder.add("orientation/1.jpg", as: "z.jpg\r")
    #expect(try found(select("--files-from", "@/list")) == ["x.jpg", "y.jpg", "z.jpg\r"])
  }

  @Test func namesInAListMayHoldAnythingButNUL() throws {
    var bytes = Data("two\nlines.jpg\0".utf8)
    bytes.append(contentsOf: [0xFF, 0xFC, 0])
    try folder.put(bytes, as: "list")
    let selection = try select("-0", "--files-from", "@/list")
    #expect(
      selection.items.map(\.path) == ["two\nlines.jpg", FilePath(bytes: [0xFF, 0xFC])])
  }

  @Test(arguments: ["@/a.jpg\0@/b.jpg\0", "@/a.jpg\n@/b\0.jpg\n"])
  func aNULInAListOfLinesIsMisuse(list: String) async throws {
    try folder.add("orientation/1.jpg", as: "a.jpg")
    try folder.put(list.replacing("@", with: folder.path), as: "list")
    let before = folder.contents
    let transcript = await folder.edit("apply", "noir", "--files-from", "@/list")
    #expect(transcript.code == 64)
    #expect(
      transcript.messages.first?.hasPrefix(
        "Error: The names in @/list end with NUL: say so with -0.") == true)
    #expect(folder.contents == before)
  }

  @Test func aLongListIsReadInPieces() throws {
    let names = (0..<20_000).map { "folder/photo \($0).jpg" }
    try folder.put(names.joined(separator: "\n"), as: "list")
    let selection = try select("--files-from", "@/list")
    #expect(selection.items.map(\.path.string) == names)
  }

  @Test func aListThatIsNotThereIsAUsageError() async {
    let transcript = await folder.edit("apply", "noir", "--files-from", "@/none")
    #expect(transcript.code == 64)
    #expect(
      transcript.messages.first?.hasPrefix(
        "Error: @/none does not exist.") == true)
  }

  @Test(arguments: [1, 2, 3, 8])
  func sharesDivideThePhotosAmongThem(count: Int) throws {
    let names = (0..<400).map { "p/\($0).jpg" }
    try folder.put(names.joined(separator: "\n"), as: "list")
    var all: [String] = []
    for number in 1...count {
      let share = try select("--files-from", "@/list", "--shard", "\(number)/\(count)")
      #expect(share.items.count + share.elsewhere == names.count)
      // None is far from its fair part.
      #expect(abs(share.items.count - 400 / count) < 60)
      all += share.items.map(\.path.string)
    }
    #expect(all.sorted() == names.sorted())
  }

  /// Values published with the algorithm by its authors, folded.
  @Test(
    arguments: [
      ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ] as [(String, UInt64)])
  func theHashIsTheOneOfItsAuthors(text: String, hash: UInt64) {
    #expect(Shard.hash(Array(text.utf8)) == (hash >> 32) ^ (hash & 0xffff_ffff))
  }

  @Test(arguments: ["0/2", "3/2", "1", "a/b", "1/2/3", "-1/2", "1/0"])
  func aShareMustBeOneOfItsCount(text: String) {
    #expect(Shard(argument: text) == nil)
  }
}
