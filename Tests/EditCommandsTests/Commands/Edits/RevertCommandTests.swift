import Foundation
import Synchronization
import Testing

@testable import SafelightEditCommands

@Suite struct RevertCommandTests {
  private let folder = CommandFolder()

  @Test func rendersAmongThePhotosGoWithTheirEdits() async throws {
    try folder.add("orientation/1.jpg")
    let before = folder.contents
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    await #expect(
      folder.edit("revert", "@/1.jpg", "@/1_edited.jpg", "@/2.jpg")
        == Transcript(
          results: [
            "@/1.jpg: reverted", "@/2.jpg: failed",
          ],
          messages: [
            "edit: @/2.jpg does not exist. Check the name, and that the disk is mounted.",
            "edit: 1 render or sidecar was passed over.",
          ], code: 1))
    #expect(folder.contents == before)
  }

  @Test func aRetouchedRenderIsKeptOnlyWhenAskedTo() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    try folder.add("orientation/2.jpg", as: "1_edited.jpg")
    let before = folder.contents
    await #expect(
      folder.edit("revert", "@/1.jpg")
        == Transcript(
          results: ["@/1.jpg: failed"],
          messages: [
            "edit: @/1_edited.jpg was changed by another program since it was rendered. Move it "
              + "away to keep it; the photo can then be edited or reverted. “edit revert "
              + "--keep-render” leaves it where it is."
          ], code: 1))
    #expect(folder.contents == before)
    await #expect(
      folder.edit("revert", "--keep-render", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: reverted, @/1_edited.jpg stays"]))
    #expect(folder.names == ["1.jpg", "1_edited.jpg"])
  }

  /// The questions that were asked while a command ran on a terminal.
  private func questions(answering answer: String, _ words: [String]) async -> [String] {
    let asked = Mutex<[String]>([])
    let terminal = QuestionTerminal { question in
      asked.withLock { $0.append(question) }
      return answer
    }
    await CommandSurroundings.$questionTerminal.withValue(terminal) {
      _ = await folder.edit(words)
    }
    return asked.withLock { $0 }
  }

  @Test func moreThanTwentyEditsAreAskedAbout() async throws {
    for number in 1...21 { try folder.add("orientation/1.jpg", as: "in/\(number).jpg") }
    _ = await folder.edit("apply", "noir", "-q", "-r", "@/in")
    try folder.add("orientation/1.jpg", as: "in/unedited.jpg")
    let question = "Drop the edits of 21 photos with their histories, for good? [y/N]"
    let words = ["revert", "-r", "@/in"]
    await #expect(questions(answering: "n", words) == [question])
    let photos = folder.path + "/in"
    func names() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: photos).count }
    #expect(try names() == 64)
    await #expect(questions(answering: "y", words + ["--dry-run"]) == [])
    await #expect(questions(answering: "y", ["revert", "@/in/1.jpg"]) == [])
    #expect(try names() == 62)
    // Twenty are left.
    await #expect(questions(answering: "n", words) == [])
    #expect(try names() == 22)
    _ = await folder.edit("apply", "noir", "-q", "-r", "@/in")
    await #expect(questions(answering: "n", words + ["-y"]) == [])
    #expect(try names() == 22)
  }

  @Test(arguments: ["n", "", nil])
  func anAnswerThatIsNotYesLeavesAllEdits(answer: String?) async throws {
    for number in 1...21 {
      try folder.add("orientation/1.jpg", as: "\(number).jpg")
      try folder.put("", as: "\(number).jpg.aae")
    }
    let before = folder.contents
    let terminal = QuestionTerminal { _ in
      if answer == nil { withUnsafeCurrentTask { $0?.cancel() } }
      return answer
    }
    let (folder, words) = (folder, ["revert", "-r", "@"])
    let task = Task {
      await CommandSurroundings.$questionTerminal.withValue(terminal) { await folder.edit(words) }
    }
    await #expect(
      task.value
        == Transcript(messages: ["edit: Nothing was reverted."], code: answer == nil ? 130 : 1))
    #expect(folder.contents == before)
  }

  @Test func aSidecarOfAnotherPhotoStays() async throws {
    try folder.add("gradients/chart.png")
    try folder.add("bad/sidecar-another-photo.aae", as: "chart.png.aae")
    let before = folder.contents
    let transcript = await folder.edit("revert", "--json", "@/chart.png")
    #expect(transcript.code == 1)
    #expect(transcript.results.first?.contains(#""code":"record-of-another-photo""#) == true)
    await #expect(folder.edit("revert", "--dry-run", "@/chart.png").code == 1)
    #expect(folder.contents == before)
  }
}
