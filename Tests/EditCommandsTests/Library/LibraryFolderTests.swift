import Foundation
import Glibc
import Testing

@Suite struct LibraryFolderTests {
  private let folder = CommandFolder()

  @Test func makingALibraryTwiceLosesNothing() async throws {
    await #expect(
      folder.edit("library", "init")
        == Transcript(results: ["@/data/library: made, “edit library add” takes photos in"]))
    try folder.add("orientation/1.jpg", as: "photos/1.jpg")
    _ = await folder.edit("library", "add", "@/photos")
    await #expect(
      folder.edit("library", "init")
        == Transcript(results: ["@/data/library: unchanged, it has 1 photo"]))
    await #expect(
      folder.edit("library", "init", "--json", "--library", "@/other").results
        == [#"{"library":"@/other","status":"created"}"#])
  }

  @Test(arguments: [
    ["add", "@"], ["remove", "@"], ["scan"], ["watch"], ["list"], ["show", "@/a.jpg"],
    ["album", "list"],
    ["album", "show", "A"], ["album", "create", "A"], ["album", "rename", "A", "B"],
    ["album", "delete", "A"], ["album", "add", "A", "@/a.jpg"], ["album", "remove", "A", "a.jpg"],
    ["album", "move", "A", "--top"], ["favorite", "@/a.jpg"], ["hide", "@/a.jpg"],
    ["trash", "@/a.jpg"], ["trash", "list"], ["trash", "restore", "--all"], ["trash", "empty"],
    ["changes"], ["rebuild"], ["verify"], ["access", "list"], ["access", "grant", "a"],
    ["access", "limit", "a", "@/a.jpg"], ["access", "revoke", "a"],
  ])
  func withoutALibraryEveryCommandSaysHowToMakeOne(words: [String]) async {
    await #expect(
      folder.edit(["library"] + words)
        == Transcript(
          messages: [
            "edit: There is no library in @/data/library. Make one with “edit library init”."
          ], code: 1))
    let named = await folder.edit(["library"] + words + ["--library", "@/none", "--json"])
    #expect(
      named.results == [
        #"{"status":"failed","error":{"code":"no-library","message":"There is no library in "#
          + #"@/none.","hint":"Make one with “edit library init --library @/none”."}}"#
      ])
    #expect(folder.names.isEmpty, "Looking makes nothing.")
  }

  @Test func aFolderWithOtherFilesIsNotTaken() async throws {
    try folder.put("words", as: "photos/notes.txt")
    let transcript = await folder.edit("library", "init", "--library", "@/photos")
    #expect(transcript.code == 1)
    #expect(
      transcript.messages.first?.hasPrefix("edit: @/photos holds other files already.") == true)
    #expect(folder.data("photos/catalogue.sqlite") == nil)
  }

  @Test func aScanCountsWhatHappened() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg", "c.jpg")
    try folder.put(Data([0xFF, 0xD8, 0xFF, 0xE0, 0]), as: "photos/broken.jpg")
    try folder.add("orientation/6.jpg", as: "photos/a.jpg")
    try folder.remove("photos/b.jpg")
    try folder.add("alpha.png", as: "photos/new.png")
    rename(folder.path + "/photos/c.jpg", folder.path + "/photos/moved.jpg")
    let transcript = await folder.edit("library", "scan", "--json")
    let json = try #require(try transcript.objects.first)
    #expect(json["status"]?.string == "scanned")
    #expect(json["new"]?.number == 1)
    #expect(json["changed"]?.number == 1)
    #expect(json["moved"]?.number == 1)
    #expect(json["missing"]?.number == 1)
    #expect(json["skipped"]?.number == 1)
    #expect(json["unreadable"]?.elements?.map(\.string) == ["@/photos/broken.jpg"])
    #expect(
      transcript.messages == [
        "edit: @/photos/broken.jpg was skipped: it looks like a photo and cannot be read."
      ])
    #expect(try await folder.listed("--sort", "filename") == ["a.jpg", "moved.jpg", "new.png"])
  }

  @Test func aFolderThatIsGoneIsAFailureAndItsPhotosStay() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    rename(folder.path + "/photos", folder.path + "/elsewhere")
    let transcript = await folder.edit("library", "scan")
    #expect(transcript.code == 1)
    #expect(
      transcript.messages == [
        "edit: @/photos cannot be scanned; its photos stay in the library."
      ])
    #expect(try await folder.listed() == ["a.jpg"])
  }

  @Test func foldersLeaveTheLibraryAndComeBackWithWhatWasSaid() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg")
    _ = await folder.edit("library", "favorite", "@/photos/b.jpg")
    await #expect(
      folder.edit("library", "remove", "@/photos/a.jpg").messages
        == ["edit: @/photos/a.jpg cannot be used: It lies in @/photos, which stays."])
    let before = folder.names
    await #expect(
      folder.edit("library", "remove", "@/photos")
        == Transcript(results: ["2 photos left the library; no file was touched"]))
    #expect(folder.names == before)
    #expect(try await folder.listed() == [])
    await #expect(folder.edit("library", "remove", "@/photos", "--json").code == 1)
    _ = await folder.edit("library", "add", "@/photos")
    #expect(try await folder.listed("--where", "favorite = 1") == ["b.jpg"])
  }

  @Test func whatIsNoFolderCannotBeAdded() async throws {
    try await folder.makeLibrary()
    await #expect(
      folder.edit("library", "add", "@/none")
        == Transcript(
          messages: [
            "edit: @/none cannot be used: It is no folder and no file that can be read."
          ],
          code: 1))
  }

  @Test func aLibraryIsRebuiltWithWhatOnlyItKnew() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg")
    _ = await folder.edit("library", "favorite", "@/photos/b.jpg")
    _ = await folder.edit("library", "album", "create", "Best")
    _ = await folder.edit("library", "album", "add", "Best", "@/photos/b.jpg")
    for ending in ["", "-wal", "-shm"] {
      try? folder.remove("data/library/catalogue.sqlite" + ending)
    }
    await #expect(
      folder.edit("library", "list").messages
        == [
          "edit: The catalog in @/data/library is gone, but its export is there. "
            + "Make the catalog again with “edit library rebuild”."
        ])
    await #expect(folder.edit("library", "init").code == 1)
    await #expect(
      folder.edit("library", "rebuild")
        == Transcript(results: ["@/data/library: rebuilt, it has 2 photos"]))
    #expect(try await folder.listed("--album", "Best") == ["b.jpg"])
    #expect(try await folder.listed("--where", "favorite = 1") == ["b.jpg"])
  }

  @Test func fromADamagedExportThereIsOneWayOut() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg")
    _ = await folder.edit("library", "favorite", "@/photos/b.jpg")
    try folder.put("{\"version\":1,", as: "data/library/catalogue.json")
    // The catalog has everything that the export had.
    await #expect(folder.edit("library", "rebuild").code == 0)
    #expect(try await folder.listed("--where", "favorite = 1") == ["b.jpg"])
    for ending in ["", "-wal", "-shm"] {
      try? folder.remove("data/library/catalogue.sqlite" + ending)
    }
    try folder.put("{\"version\":1,", as: "data/library/catalogue.json")
    let refused = await folder.edit("library", "rebuild")
    #expect(refused.code == 1)
    #expect(
      refused.messages
        == [
          "edit: @/data/library/catalogue.json cannot be read: it is damaged, or a newer Safelight "
            + "wrote it. Put a backup of the JSON in its place, or let “edit library rebuild "
            + "--salvage” take what is left; the damaged files are kept."
        ])
    let salvaged = await folder.edit("library", "rebuild", "--salvage", "@/photos")
    #expect(salvaged.code == 0)
    #expect(salvaged.messages.first?.contains("@/data/library/catalogue.json was damaged") == true)
    #expect(try await folder.listed().sorted() == ["a.jpg", "b.jpg"])
    #expect(
      FileManager.default.fileExists(
        atPath: folder.path + "/data/library/catalogue.before-rebuild.json"))
  }

  @Test func aDamagedCatalogIsToldAndRebuilt() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    for ending in ["-wal", "-shm"] { try? folder.remove("data/library/catalogue.sqlite" + ending) }
    try folder.put("This is no database at all.", as: "data/library/catalogue.sqlite")
    let transcript = await folder.edit("library", "list", "--json")
    #expect(transcript.code == 1)
    #expect(try transcript.objects.first?["error"]?["code"]?.string == "library-damaged")
    await #expect(folder.edit("library", "rebuild").code == 0)
    #expect(try await folder.listed() == ["a.jpg"])
  }

  @Test func foldersCanBeNamedWhenTheExportIsGoneToo() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data/library")
    where name != "originals" { try folder.remove("data/library/" + name) }
    try folder.put("gone", as: "data/library/catalogue.sqlite")
    await #expect(
      folder.edit("library", "rebuild", "@/photos").results
        == ["@/data/library: rebuilt, it has 1 photo"])
  }
}
