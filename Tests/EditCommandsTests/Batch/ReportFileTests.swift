import Foundation
import Testing

@testable import SafelightEditCommands

/// A report never takes the place of a file that is no report.
@Suite struct ReportFileTests {
  private let folder = CommandFolder()

  @Test(arguments: [
    ["apply", "noir", "--report", "@/1.jpg", "@/2.jpg"],
    ["apply", "noir", "--dry-run", "--report", "@/1.jpg", "@/2.jpg"],
    ["revert", "--report", "@/1.jpg", "@/2.jpg"],
  ])
  func aPhotoIsNotOverwritten(words: [String]) async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    let before = folder.contents
    let transcript = await folder.edit(words)
    #expect(transcript.code == 64)
    let message = "@/1.jpg is a photo and is not overwritten. Choose another name or folder."
    #expect(transcript.messages.contains { $0.contains(message) })
    #expect(folder.contents == before)
  }

  @Test func anotherFileIsNotOverwritten() async throws {
    try folder.add("orientation/1.jpg")
    try folder.put("{}", as: "notes.json")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    let before = folder.contents
    for (name, said) in [
      ("notes.json", "is there and is no report."), ("1.jpg.aae", "belongs to the photo 1.jpg"),
      ("1_edited.jpg", "belongs to the photo 1.jpg"),
    ] {
      let transcript = await folder.edit("show", "@/1.jpg", "--report", "@/" + name)
      #expect(transcript.code == 64)
      #expect(transcript.messages.contains { $0.contains("@/\(name) \(said)") })
    }
    #expect(folder.contents == before)
  }

  @Test func anEarlierReportIsReplaced() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit(["apply", "noir", "--report", "@/log", "@/1.jpg"])
    let first = folder.data("log")
    _ = await folder.edit(["revert", "--report", "@/log", "@/1.jpg"])
    let second = folder.data("log")
    #expect(first != second && second?.isEmpty == false)
  }

  @Test func aReportThatCannotBeWrittenIsAFailure() async throws {
    try folder.add("orientation/1.jpg")
    let transcript = await folder.edit(["apply", "noir", "--report", "/dev/full", "@/1.jpg"])
    #expect(transcript.code == 1)
    #expect(
      transcript.messages.last
        == "edit: The report is not complete: /dev/full could not be written: the disk is full.")
  }
}
