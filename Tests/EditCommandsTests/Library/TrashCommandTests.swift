import Foundation
import Testing

@Suite struct TrashCommandTests {
  private let folder = CommandFolder()

  @Test func aPhotoGoesAndComesBackAsItWas() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg")
    _ = await folder.edit("library", "favorite", "@/photos/a.jpg")
    await #expect(
      folder.edit("library", "trash", "@/photos/a.jpg")
        == Transcript(results: ["@/photos/a.jpg: put into the trash"]))
    #expect(try await folder.listed() == ["b.jpg"])
    #expect(folder.data("photos/a.jpg") != nil)
    #expect(await folder.edit("library", "trash", "list").results.count == 1)
    await #expect(
      folder.edit("library", "trash", "restore", "@/photos/a.jpg", "@/photos/b.jpg")
        == Transcript(
          results: ["@/photos/a.jpg: restored", "@/photos/b.jpg: failed"],
          messages: [
            "edit: @/photos/b.jpg is not in the library's trash. "
              + "“edit library trash list” lists what is."
          ], code: 1))
    #expect(try await folder.listed("--where", "favorite = 1") == ["a.jpg"])
  }

  @Test func emptyingAsks() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg")
    _ = await folder.edit("library", "trash", "@/photos/a.jpg")
    let refused = await folder.edit(answering: ["n"], "library", "trash", "empty")
    #expect(refused.questions == ["Take 1 photo out of the library for good? [y/N]"])
    #expect(refused.transcript == Transcript(messages: ["edit: The trash stays as it is."]))
    let nobody = await folder.edit(answering: [], "library", "trash", "empty")
    #expect(nobody.transcript.messages == ["edit: The trash stays as it is."])
    let allowed = await folder.edit(answering: ["y"], "library", "trash", "empty")
    #expect(allowed.transcript.results == ["@/photos/a.jpg: moved to .safelight-trash"])
    #expect(folder.data("photos/a.jpg") == nil)
    await #expect(
      folder.edit("library", "trash", "empty")
        == Transcript(messages: ["edit: The trash is empty."]))
  }

  @Test func emptyingWithoutATerminalNeedsAYes() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    _ = await folder.edit("library", "trash", "@/photos/a.jpg")
    await #expect(
      folder.edit("library", "trash", "empty", "--dry-run").results
        == ["@/photos/a.jpg: would be moved to .safelight-trash"])
    await #expect(
      folder.edit("library", "trash", "empty")
        == Transcript(
          messages: [
            "edit: There is no terminal to ask on: Take 1 photo out of the library for good? "
              + "Say yes with --yes."
          ], code: 1))
    #expect(folder.data("photos/a.jpg") != nil)
    await #expect(folder.edit("library", "trash", "empty", "--yes").code == 0)
    #expect(folder.data("photos/a.jpg") == nil)
  }

  @Test func aPhotoThatCannotBeMovedIsReported() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg")
    _ = await folder.edit("library", "trash", "@/photos/a.jpg")
    try folder.put("somebody's", as: "photos/.safelight-trash")
    let failed = await folder.edit("library", "trash", "empty", "--yes", "--json")
    #expect(failed.code == 1)
    #expect(failed.results.first?.contains("\"code\":\"change-unfinished\"") == true)
    #expect(folder.data("photos/a.jpg") != nil)
    try FileManager.default.removeItem(atPath: folder.expanded("@/photos/.safelight-trash"))
    await #expect(folder.edit("library", "verify", "--fix").code == 0)
    #expect(folder.data("photos/a.jpg") == nil)
  }

  @Test func allCanBeRestored() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg")
    _ = await folder.edit("library", "trash", "@/photos/a.jpg", "@/photos/b.jpg")
    #expect(await folder.edit("library", "trash", "restore", "--all").results.count == 2)
    #expect(try await folder.listed().count == 2)
    await #expect(
      folder.edit("library", "trash", "restore", "--all")
        == Transcript(messages: ["edit: The trash is empty."]))
  }
}
