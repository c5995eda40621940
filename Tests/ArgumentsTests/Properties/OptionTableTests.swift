import SafelightArguments
import Testing

@Suite struct OptionTableTests {
  struct Adjust: ParsableCommand {
    @Argument var photos: [String]
    @OptionTable([
      .init("exposure", valueName: "stops", help: "Light to add.", section: "Light"),
      .init("tone-curve", valueName: "curve", help: "Points of a curve.", section: "Light"),
      .init("tint", valueName: "number", help: "Green or pink.", section: "Color"),
      .init("seed", valueName: "number", help: "Where chance starts."),
    ])
    var values
    @Flag var reset = false
  }

  @Test func whatIsGivenIsCollectedInItsOrder() throws {
    let adjust = try Adjust.parse([
      "--tint", "3", "a.jpg", "--exposure=-0.5", "--tone-curve", "0,0 1,1", "b.jpg", "--tint=-1",
    ])
    #expect(
      adjust.values == [
        .init("tint", "3"), .init("exposure", "-0.5"), .init("tone-curve", "0,0 1,1"),
        .init("tint", "-1"),
      ])
    #expect(adjust.photos == ["a.jpg", "b.jpg"])
    #expect(try Adjust.parse(["a.jpg"]).values.isEmpty)
  }

  @Test(arguments: [["--exposure", "-0.5"], ["--exposure=-0.5"]])
  func aNegativeNumberIsAValue(words: [String]) throws {
    #expect(try Adjust.parse(["a.jpg"] + words).values == [.init("exposure", "-0.5")])
  }

  @Test(arguments: [
    (["--expsure", "1"], "Unknown option '--expsure'. Did you mean '--exposure'?"),
    (
      ["--exposure"],
      "Missing value for '--exposure <stops>'. Write it behind the name, as in '--exposure=<stops>'."
    ),
    (
      ["--exposure", "--reset"],
      "Missing value for '--exposure <stops>'. Write it behind the name, as in '--exposure=<stops>'."
    ),
  ])
  func aMistakeGetsAnAnswer(words: [String], expected: String) throws {
    let error = try #require(
      throws: CommandError.self, performing: { try Adjust.parseAsRoot(["a.jpg"] + words) })
    #expect(Adjust.message(for: error) == expected)
    #expect(Adjust.exitCode(for: error) == .validationFailure)
  }

  @Test func helpGroupsTheOptionsUnderTheirHeadings() {
    #expect(
      Adjust.helpMessage().hasSuffix(
        """

        OPTIONS:
          --seed <number>         Where chance starts.
          --reset
          -h, --help              Show help information.

        LIGHT:
          --exposure <stops>      Light to add.
          --tone-curve <curve>    Points of a curve.

        COLOR:
          --tint <number>         Green or pink.
        """))
  }

  @Test func valuesCanBeChanged() throws {
    var adjust = try Adjust.parse(["a.jpg", "--tint", "1"])
    adjust.values.append(.init("seed", "7"))
    #expect(adjust.values == [.init("tint", "1"), .init("seed", "7")])
  }
}
