import Glibc
import SafelightTestSupport
import Testing

@testable import SafelightFiles

@Suite struct FolderTests {
  @Test func namesStayThoseOfTheFolderThatWasOpened() throws {
    let parent = TemporaryFolder()
    mkdir(parent["a"].string, 0o755)
    let folder = try Folder(parent["a"])
    _ = rename(parent["a"].string, parent["b"].string)
    symlink("/", parent["a"].string)
    let file = try folder.create("new")
    try FileSystem.real.write(Array("text".utf8), to: file)
    #expect(parent.text("b/new") == "text")
    #expect(try folder.names() == ["new"])
  }

  /// Only on a disk that does not tell capital letters from small ones is the name another one.
  @Test func aHardLinkInCapitalLettersIsANameOfItsOwn() throws {
    let parent = TemporaryFolder()
    parent.put([1], at: "p.jpg")
    link(parent["p.jpg"].string, parent["P.JPG"].string)
    for name in ["p.jpg", "P.JPG"] {
      #expect(try FileSystem.real.resolve(parent[FilePath(name)]).lastComponent == FilePath(name))
    }
  }

  @Test func aNameIsAsTheFolderSpellsIt() {
    let names: [FilePath] = ["IMG_1.JPG", "Große.jpg", "Cafe\u{301}.jpg", "a.jpg", "A.jpg"]
    #expect(FilePath("img_1.jpg").spelled(asIn: names) == "IMG_1.JPG")
    #expect(FilePath("große.JPG").spelled(asIn: names) == "Große.jpg")
    #expect(FilePath("Caf\u{E9}.JPG").spelled(asIn: names) == "Cafe\u{301}.jpg")
    #expect(FilePath("a.jpg").spelled(asIn: names) == "a.jpg")
    // Both are other spellings, so neither is meant for sure.
    #expect(FilePath("a.JPG").spelled(asIn: names) == nil)
    #expect(FilePath("b.jpg").spelled(asIn: names) == nil)
    #expect(FilePath("Große_1.JPG").spelledOtherwise == "gROßE_1.jpg")
    #expect(FilePath("123").spelledOtherwise == nil)
  }

  @Test func aFileIsNeverMadeThroughALink() throws {
    let parent = TemporaryFolder()
    symlink(parent["elsewhere"].string, parent["link"].string)
    let folder = try Folder(parent.path)
    #expect(throws: FileSystemError(.init(.create, parent["link"]), errno: EEXIST)) {
      _ = try folder.create("link")
    }
    #expect(throws: FileSystemError(.init(.open, parent["link"]), errno: ELOOP)) {
      _ = try folder.open("link")
    }
    #expect(parent.names == ["link"])
  }

  @Test func renamingReplacesOnlyWhenAsked() throws {
    let parent = TemporaryFolder()
    parent.put("one", at: "one")
    parent.put("two", at: "two")
    let folder = try Folder(parent.path)
    #expect(try !folder.rename("one", to: "two", replacing: false))
    #expect(parent.text("one") == "one" && parent.text("two") == "two")
    #expect(try folder.rename("one", to: "two", replacing: true))
    #expect(parent.names == ["two"] && parent.text("two") == "one")
  }

  @Test func twoNamesAreExchanged() throws {
    let parent = TemporaryFolder()
    parent.put("one", at: "one")
    parent.put("two", at: "two")
    #expect(
      try FileSystem.real.exchange(parent.path.appending("one"), with: parent.path.appending("two"))
    )
    #expect(parent.text("one") == "two" && parent.text("two") == "one")
  }

  @Test func aTreeIsRemovedWithoutFollowingLinks() throws {
    let parent = TemporaryFolder()
    let other = TemporaryFolder()
    other.put("kept", at: "kept")
    let folder = try Folder(parent.path)
    try folder.createFolder("tree")
    let tree = try folder.folder("tree")
    try tree.createFolder("inner")
    parent.put("x", at: "tree/inner/file")
    symlink(other.path.string, parent["tree/link"].string)
    try folder.removeTree("tree")
    #expect(parent.names == [] && other.names == ["kept"])
  }

  @Test func aFileMovesToAnotherDiskWithItsTimes() throws {
    // The temporary folder is in memory, the other one on a disk, where there are both.
    let (parent, other) = (TemporaryFolder(), try Folder("/tmp"))
    parent.put("photo", at: "photo")
    let source = try Folder(parent.path)
    let before = try #require(try source.status(of: "photo"))
    let name = FilePath(".safelight-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))")
    defer { try? other.remove(name) }
    #expect(try source.move("photo", into: other, as: name))
    let after = try #require(try other.status(of: name))
    #expect(after.modified == before.modified && after.mode == before.mode)
    #expect(try other.contents(of: name, limit: 100) == Array("photo".utf8))
    #expect(parent.names == [])
  }
}
