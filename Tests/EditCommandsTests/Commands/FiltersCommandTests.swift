import PhotoEditing
import Testing

@Suite struct FiltersCommandTests {
  private let folder = CommandFolder()

  @Test func listsEveryFilterWithItsSentence() async throws {
    let transcript = await folder.edit("filters")
    #expect(transcript.results.count == Filter.shipped.count)
    #expect(
      transcript.results.first
        == "noir           Black and white with deep blacks and strong contrast.")
    for (line, filter) in zip(transcript.results, Filter.shipped) {
      #expect(line.hasPrefix(filter.name + " ") && line.hasSuffix(" " + filter.summary))
    }
  }

  @Test func describesOne() async {
    await #expect(
      folder.edit("filters", "noir")
        == Transcript(results: [
          "noir (Noir, version 1)", "Black and white with deep blacks and strong contrast.",
          "  channel-mixer-red 0.34,0.53,0.13, channel-mixer-green 0.34,0.53,0.13, "
            + "channel-mixer-blue 0.34,0.53,0.13",
          "  tone-curve "
            + "\"0,0 0.15,0.07 0.32,0.235 0.5,0.505 0.68,0.765 0.85,0.935 1,1\"",
        ]))
  }

  @Test func theJSONOfAFilterIsAFilter() async throws {
    let lines = await folder.edit("filters", "--json").results
    let filters = try lines.map { try Filter(json: Array($0.utf8)) }
    #expect(filters == Filter.shipped)
    await #expect(folder.edit("filters", "noir", "--json").results == [lines[0]])
  }

  @Test func aMistypedNameGetsTheNearest() async {
    await #expect(
      folder.edit("filters", "sepai")
        == Transcript(
          messages: ["edit: There is no filter called “sepai”. Did you mean “sepia”?"], code: 1))
  }
}
