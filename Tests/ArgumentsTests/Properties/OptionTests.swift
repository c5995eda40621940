import SafelightArguments
import Testing

@Suite struct OptionTests {
  @Test(arguments: [
    ["--intensity", "0.5"], ["--intensity=0.5"], ["-i", "0.5"], ["-i0.5"], ["-i=0.5"],
    ["--intensity", "0.1", "-i", "0.5"],
  ])
  func everySpellingOfAnOptionGivesItsValue(words: [String]) throws {
    let apply = try #require(
      try Edit.parseAsRoot(["apply", "noir", "a.jpg"] + words) as? Apply)
    #expect(apply.intensity == 0.5)
  }

  @Test(
    arguments: [
      (["--exposure", "-0.5"], -0.5), (["--exposure=-0.5"], -0.5), (["-x", "-.5"], -0.5),
      (["-x-2"], -2), (["--exposure", "-0"], 0), (["-x", "-1e-2"], -0.01),
    ] as [([String], Double)])
  func aNegativeNumberIsAValue(words: [String], exposure: Double) throws {
    let apply = try #require(
      try Edit.parseAsRoot(["apply", "noir", "a.jpg"] + words) as? Apply)
    #expect(apply.exposure == exposure)
  }

  @Test func defaultsStandForWhatIsLeftOut() throws {
    let apply = try #require(try parse(Apply.self, "apply", "noir", "a.jpg"))
    #expect(apply.intensity == 1)
    #expect(apply.exposure == nil)
    #expect(!apply.common.json)
    let render = try #require(try parse(Render.self, "render", "a.jpg", "-o", "b.jpg"))
    #expect(render.format == .jpeg)
    #expect(render.tags == [])
    #expect(!render.verbose)
  }

  @Test func aRepeatedOptionKeepsItsOrderInAnArray() throws {
    let render = try #require(
      try parse(Render.self, "render", "-t", "sea", "a.jpg", "--tag=sky", "-o", "b", "-tsand"))
    #expect(render.tags == ["sea", "sky", "sand"])
  }

  @Test func shortFlagsCombine() throws {
    let render = try #require(try parse(Render.self, "render", "-v0vtsea", "a.jpg", "-vo", "-"))
    #expect(render.verbose)
    #expect(render.separatesByNul)
    #expect(render.tags == ["sea"])
    #expect(render.output == "-")
  }

  @Test(arguments: ["", " ", "=", "a=b", "--", "-", "-x"])
  func anythingMayFollowAnEqualsSign(value: String) throws {
    let render = try #require(try parse(Render.self, "render", "a.jpg", "--output=\(value)"))
    #expect(render.output == value)
  }

  @Test func optionGroupsFillTheirOwnValues() throws {
    let apply = try #require(try parse(Apply.self, "apply", "-q", "noir", "--json", "a.jpg"))
    #expect(apply.common.json)
    #expect(apply.common.quiet)
  }

  @Test func aValueMayBeAWordOfACase() throws {
    let render = try #require(
      try parse(Render.self, "render", "a.jpg", "-o", "b", "--format", "tiff"))
    #expect(render.format == .tiff)
  }

  @Test func parsedValuesCanBeChanged() throws {
    var apply = try #require(try parse(Apply.self, "apply", "noir", "a.jpg"))
    let before = apply
    apply.intensity = 0.25
    apply.photos.append("b.jpg")
    apply.common.quiet = true
    #expect(apply.intensity == 0.25)
    #expect(apply.photos == ["a.jpg", "b.jpg"])
    #expect(apply.common.quiet)
    #expect(before.photos == ["a.jpg"])
  }

  @Test func aGroupCanBeReadOnItsOwn() throws {
    #expect(try Common.parse(["-q"]).quiet)
    #expect(throws: UsageError.self) { try Common.parse(["-z"]) }
  }
}
