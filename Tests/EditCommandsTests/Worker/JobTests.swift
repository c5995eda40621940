import Foundation
import PhotoEditing
import SafelightArguments
import Testing

@testable import SafelightEditCommands

@Suite struct JobTests {
  @Test(arguments: [
    "beach.jpg", "a b\n\"c\".jpg", "-q.jpg", "\u{10FFFC}\u{10FFFF}.jpg", "émile.jpg",
  ])
  func aLineIsAJob(photo: String) throws {
    let line = JSONValue.object([
      "id": 7, "photo": photo, "command": ["apply", "--", "no ir\\"],
    ]).text
    let read = try Job(line: Array(line.utf8))
    #expect(read.photo == FilePath(argument: photo))
    #expect(read.command == ["apply", "--", "no ir\\"])
    #expect(read.id?.number == 7)
  }

  @Test(arguments: [
    "", "[]", "{", #"{"photo":"a.jpg"}"#, #"{"photo":"","command":["apply"]}"#,
    #"{"photo":7,"command":["apply"]}"#, #"{"photo":"a.jpg","command":[]}"#,
    #"{"photo":"a.jpg","command":[1]}"#, #"{"photo":"a.jpg","command":"apply"}"#,
  ])
  func aLineThatIsNoJobIsRefused(line: String) {
    let error = #expect(throws: EditCommandError.self) { try Job(line: Array(line.utf8)) }
    #expect(error?.code == "bad-job")
    #expect(error?.hint?.text.contains("command") == true)
  }
}
