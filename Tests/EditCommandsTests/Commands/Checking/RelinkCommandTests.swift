import Foundation
import Synchronization
import Testing

@testable import SafelightEditCommands

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

  @Test func aPhotoGetsTheEditThatItLeftWhereItIsSaid() async throws {
    try await renamed()
    await #expect(
      folder.edit("relink", "--from", "@/other.jpg", "@/shore.jpg")
        == Transcript(
          results: ["@/shore.jpg: failed"],
          messages: [
            "edit: @/other.jpg does not exist. Check the name, and that the disk is mounted.",
            "edit: 0 relinked, 1 not.",
          ], code: 1))
    await #expect(
      folder.edit("relink", "--from", "", "@/shore.jpg").code == 64)
    await #expect(
      folder.edit("relink", "--from", "@/beach.jpg", "@/shore.jpg")
        == Transcript(results: ["@/shore.jpg: relinked"], messages: ["edit: 1 relinked."]))
    #expect(folder.names == ["shore.jpg", "shore.jpg.aae", "shore_edited.jpg"])
  }

  @Test func aPhotoRenamedWithItsSidecarGetsTheNewNames() async throws {
    try await renamed()
    try move("beach.jpg.aae", to: "shore.jpg.aae")
    let relinked = "@/shore.jpg: relinked, the sidecar has the present names of the files"
    await #expect(folder.edit("relink", "@").results == [relinked])
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
            "edit: The original of @/beach.jpg.aae was not found. Name another folder to "
              + "search with --in.", "edit: 0 relinked, 1 not.",
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

  // MARK: - Pictures that took a photo's name

  private func replaced() async throws {
    try await renamed()
    try folder.add("orientation/6.jpg", as: "beach.jpg")
  }

  @Test func acceptingRefusesWhenTheEditedPictureIsFound() async throws {
    try await replaced()
    let before = folder.contents
    for words in [
      ["relink", "--accept", "@/beach.jpg"], ["relink", "--accept", "--dry-run", "@/beach.jpg"],
    ] {
      let transcript = await folder.edit(words)
      #expect(transcript.code == 1)
      #expect(
        transcript.messages.first?.hasPrefix(
          "edit: @/beach.jpg is another picture; the one that was edited is @/shore.jpg now.")
          == true)
      #expect(folder.contents == before)
    }
    await #expect(
      folder.edit("relink", "--accept", "-q", "--json", "@/beach.jpg").results.first?.contains(
        #""code":"original-elsewhere""#) == true)
    await #expect(
      folder.edit("relink", "@").results == ["@/beach.jpg: relinked to @/shore.jpg"])
    await #expect(folder.edit("verify", "--quiet", "@") == Transcript())
  }

  @Test(arguments: ["y", "n"])
  func acceptingAsksOnATerminal(answer: String) async throws {
    try await replaced()
    let before = folder.contents
    let asked = Mutex<[String]>([])
    let terminal = QuestionTerminal { question in
      asked.withLock { $0.append(question) }
      return answer
    }
    let folder = folder
    let transcript = await CommandSurroundings.$questionTerminal.withValue(terminal) {
      await folder.edit("relink", "--accept", "@/beach.jpg")
    }
    #expect(
      transcript.messages.first
        == "edit: The picture that was edited as @/beach.jpg is @/shore.jpg now.")
    #expect(
      asked.withLock { $0 } == ["Give the edit to the picture that is there, for good? [y/N]"])
    #expect(transcript.code == (answer == "y" ? 0 : 1))
    #expect((folder.contents == before) == (answer == "n"))
  }

  @Test func acceptingGoesOnInScriptsAndSaysWhatItMeans() async throws {
    try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = await folder.edit("apply", "noir", "@/beach.jpg")
    try folder.add("orientation/6.jpg", as: "beach.jpg")
    await #expect(
      folder.edit("relink", "--accept", "@/beach.jpg").results == [
        "@/beach.jpg: accepted: its edit is now about the picture that is there, rendered to "
          + "@/beach_edited.jpg"
      ])
    await #expect(folder.edit("verify", "--quiet", "@") == Transcript())
  }

  @Test func acceptingForGoodNeedsNoQuestionWithYes() async throws {
    try await replaced()
    await #expect(folder.edit("relink", "--accept", "-y", "@/beach.jpg").code == 0)
    await #expect(folder.edit("verify", "--quiet", "@") == Transcript())
    await #expect(folder.edit("relink", "-y", "@").code == 64)
  }
}
