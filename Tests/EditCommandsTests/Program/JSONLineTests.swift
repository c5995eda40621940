import Foundation
import Testing

/// Programs read what `--json` prints, a line at a time.
@Suite struct JSONLineTests {
  private let folder = CommandFolder()

  @Test(arguments: [
    ["apply", "noir"], ["apply", "noir", "--dry-run"], ["apply", "nior"], ["show"], ["revert"],
    ["revert", "--dry-run"], ["render", "-o", "@/out"], ["render", "-o", "@/out", "--dry-run"],
    ["adjust", "--saturation", "-0.5"], ["adjust", "--reset", "--dry-run"],
    ["sync", "--from", "@/é🏖️.jpg"],
  ])
  func everyLineIsAnObjectInTheOrderGiven(words: [String]) async throws {
    let names = ["a \"quoted\"\\name.jpg", "line\nbreak.png", "text.jpg", "none.jpg", "é🏖️.jpg"]
    try folder.add("orientation/6.jpg", as: names[0])
    try folder.add("alpha.png", as: names[1])
    try folder.add("bad/text.jpg")
    try folder.add("orientation/1.jpg", as: names[4])
    try folder.put("", as: "out/.keep")

    let transcript = await folder.edit(words + names.map { "@/" + $0 } + ["--json"])
    #expect(transcript.results.count == names.count)
    let statuses: Set = [
      "edited", "unchanged", "reverted", "skipped", "failed", "shown", "rendered",
    ]
    var failures = 0
    for (line, name) in zip(transcript.results, names) {
      #expect(!line.contains("\n"))
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["photo"] as? String == "@/" + name)
      let status = try #require(object["status"] as? String)
      #expect(statuses.contains(status))
      let error = object["error"] as? [String: String]
      #expect((error != nil) == (status == "failed"))
      if let error {
        failures += 1
        #expect(error["code"]?.wholeMatch(of: /[a-z-]+/) != nil)
        #expect(error["message"]?.isEmpty == false)
      }
    }
    // A filter that does not exist is a mistake in the command line.
    let isMisuse = words == ["apply", "nior"]
    #expect(transcript.code == (failures == 0 ? 0 : isMisuse ? 64 : 1))
  }
}
