import Foundation
import Testing

@Suite struct RelinkCommandTests {
  private let folder = CommandFolder()

  private func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(
      atPath: folder.path + "/" + name, toPath: folder.path + "/" + other)
  }

  private func renamed() async throws {
    try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = await folder.edit("apply", "noir", "@/beach.jpg")
    try move("beach.jpg", to: "shore.jpg")
  }

  @Test func movesTheEditAndSaysSo() async throws {
    try await renamed()
    await #expect(
      folder.edit("relink", "@")
        == Transcript(
          results: ["@/beach.jpg: relinked to @/shore.jpg"], messages: ["edit: 1 relinked."]))
    #expect(folder.names == ["shore.jpg", "shore.jpg.aae", "shore_edited.jpg"])
    await #expect(
      folder.edit("relink", "@")
        == Transcript(messages: ["edit: Every sidecar has its photo."]))
    await #expect(folder.edit("verify", "--quiet", "@") == Transcript())
  }

  @Test func aDryRunLeavesTheFolder() async throws {
    try await renamed()
    let before = folder.contents
    await #expect(
      folder.edit("relink", "--dry-run", "--json", "@")
        == Transcript(
          results: [
            #"{"photo":"@/beach.jpg","status":"relinked","rendered":"@/shore_edited.jpg","#
              + #""record":"@/shore.jpg.aae","movedTo":"@/shore.jpg","dryRun":true}"#
          ], messages: ["edit: 1 would be relinked."]))
    #expect(folder.contents == before)
  }

  @Test func looksElsewhereWhenTold() async throws {
    try await renamed()
    try folder.put("", as: "archive/2025/.keep")
    try move("shore.jpg", to: "archive/2025/shore.jpg")
    let before = folder.contents
    await #expect(
      folder.edit("relink", "@")
        == Transcript(
          results: ["@/beach.jpg: failed"],
          messages: [
            "edit: The original of @/beach.jpg.aae was not found. Say with --in where else to "
              + "look.", "edit: 0 relinked, 1 not.",
          ], code: 1))
    #expect(folder.contents == before)
    await #expect(
      folder.edit("relink", "-q", "@/beach.jpg.aae", "--in", "@/archive") == Transcript())
    #expect(folder.names == ["archive"])
    await #expect(
      folder.edit("verify", "@/archive/2025").results == [
        "@/archive/2025/shore.jpg: as recorded"
      ])
  }

  @Test func aFailureIsAnObjectInJSON() async throws {
    try await renamed()
    try folder.add("orientation/1.jpg", as: "copy.jpg")
    let transcript = await folder.edit("relink", "--json", "--quiet", "@")
    #expect(transcript.code == 1)
    #expect(
      transcript.results == [
        #"{"photo":"@/beach.jpg","status":"failed","error":{"code":"ambiguous-original","#
          + #""message":"The original of @/beach.jpg.aae may be @/copy.jpg or @/shore.jpg.","#
          + #""hint":"Move all but one of them elsewhere, and put them back afterwards."}}"#
      ])
  }

  @Test func aFolderThatIsMissingIsSaid() async throws {
    try await renamed()
    await #expect(
      folder.edit("relink", "@", "--in", "@/none")
        == Transcript(
          messages: [
            "edit: @/none does not exist. Check the name, and that the disk is mounted."
          ], code: 1))
  }
}
