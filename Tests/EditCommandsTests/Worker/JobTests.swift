import Foundation
import PhotoEditing
import SafelightArguments
import Testing

@testable import SafelightEditCommands

@Suite struct JobTests {
  @Test(arguments: [
    "beach.jpg", "a b\n\"c\".jpg", "-q.jpg", "\u{10FFFC}\u{10FFFF}.jpg", "émile.jpg",
  ])
  func aLineSaysTheJobAgain(photo: String) throws {
    let job = Job(
      id: .number(7), photo: FilePath(argument: photo), command: ["apply", "--", "no ir\\"])
    #expect(!job.line.contains("\n"))
    let read = try Job(line: Array(job.line.utf8))
    #expect(read.photo == job.photo)
    #expect(read.command == job.command)
    #expect(read.id == .number(7))
  }

  @Test(arguments: [
    "", "[]", "{", #"{"photo":"a.jpg"}"#, #"{"photo":"","command":["apply"]}"#,
    #"{"photo":7,"command":["apply"]}"#, #"{"photo":"a.jpg","command":[]}"#,
    #"{"photo":"a.jpg","command":[1]}"#, #"{"photo":"a.jpg","command":"apply"}"#,
  ])
  func aLineThatIsNoJobIsRefused(line: String) {
    let error = #expect(throws: EditCommandError.self) { try Job(line: Array(line.utf8)) }
    #expect(error?.code == "bad-job")
    #expect(error?.hint?.contains("command") == true)
  }

  /// The words that a batch hands to its workers do what the batch was told to.
  @Test(arguments: [
    ["apply", "noir", "--intensity", "0.5", "--add", "a.jpg", "b.jpg", "-j2", "--json"],
    ["adjust", "--exposure", "-0.5", "a.jpg", "--tone-curve", "0,0 0.5,0.6 1,1", "--reset"],
    ["crop", "a.jpg", "--rect", "0.1,0,0.8,1", "--dry-run", "--report", "r.ndjson"],
    ["straighten", "-1.5", "a.jpg", "--quality=80"], ["rotate", "right", "-r", "a.jpg"],
    ["auto", "--tone", "--strength", "0.4", "--pixel-limit", "20", "a.jpg"],
    ["revert", "--keep-render", "a.jpg"],
    ["sync", "--from=-x.jpg", "--only", "filter", "a.jpg", "--timeout", "3"],
  ])
  func aWorkersWordsSayWhatTheBatchWasTold(words: [String]) throws {
    let command = try #require(try EditCommand.parseAsRoot(words) as? any PhotoCommand)
    let alone = try Self.words(of: command) + ["c.jpg"]
    let again = try #require(try EditCommand.parseAsRoot(alone) as? any PhotoCommand)
    #expect(try Self.words(of: again) == alone.dropLast())
    #expect(again.selection.photos == ["c.jpg"])
    #expect(alone.contains("--dry-run") == words.contains("--dry-run"))
    #expect(!alone.contains("--json") && !alone.contains { $0.hasPrefix("--report") })
    let values = Set(command.selection.words.compactMap(\.value))
    let kept = Set(again.selection.words.compactMap(\.value))
    let batch = Set(["a.jpg", "b.jpg", "2", "r.ndjson", "3"])
    #expect(values.subtracting(batch) == kept.subtracting(["c.jpg"]))
  }

  private static func words(of command: some PhotoCommand) throws -> [String] {
    let all = type(of: command).words + command.ownWords.commandLine
    return all.contains("--") ? all : all + ["--"]
  }
}
