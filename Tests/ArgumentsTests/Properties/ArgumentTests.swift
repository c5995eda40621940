import SafelightArguments
import Testing

@Suite struct ArgumentTests {
  @Test func argumentsTakeTheirPlacesAndAnArrayTheRest() throws {
    let apply = try #require(
      try parse(Apply.self, "apply", "noir", "a.jpg", "-q", "b.jpg", "-i", "1", "c.jpg"))
    #expect(apply.filter == "noir")
    #expect(apply.photos == ["a.jpg", "b.jpg", "c.jpg"])
  }

  @Test func twoDashesEndTheOptions() throws {
    let apply = try #require(
      try parse(Apply.self, "apply", "-q", "noir", "--", "--json", "-h", "--", "a.jpg"))
    #expect(apply.photos == ["--json", "-h", "--", "a.jpg"])
    #expect(!apply.common.json)
  }

  @Test(arguments: ["-", "", "-3", "-.5", "-12.jpg", "é.jpg", "a b", "-0.5"])
  func unusualWordsAreArguments(word: String) throws {
    let apply = try #require(try parse(Apply.self, "apply", "noir", word))
    #expect(apply.photos == [word])
  }

  @Test func aDigitThatIsAFlagStaysAFlag() throws {
    let render = try #require(try parse(Render.self, "render", "-0", "a.jpg", "-o", "b"))
    #expect(render.separatesByNul)
    let numbered = try #require(try parse(Render.self, "render", "-0.5", "-o", "b"))
    #expect(numbered.photo == "-0.5")
  }

  @Test func anOptionalArgumentMayBeLeftOut() throws {
    let with = try #require(try parse(Rotate.self, "rotate", "-90", "a.jpg"))
    #expect(with.degrees == -90)
    #expect(with.photo == "a.jpg")
    #expect(try #require(try parse(Rotate.self, "rotate", "90")).photo == nil)
  }

  @Test func propertiesWithoutWrapperKeepTheirValue() throws {
    let rotate = try #require(try parse(Rotate.self, "rotate", "90"))
    #expect(rotate.turns == 4)
    #expect(rotate.name == nil)
  }

  @Test func anArraysDefaultGivesWayToWords() throws {
    #expect(try parse(FetchAssets.self, "library")?.words == ["everything", "new"])
    #expect(try parse(FetchAssets.self, "library", "sea")?.words == ["sea"])
  }
}
