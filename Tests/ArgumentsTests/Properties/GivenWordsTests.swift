import SafelightArguments
import Testing

@Suite struct GivenWordsTests {
  private struct Shared: ParsableArguments {
    @Argument var photos: [String] = []
    @Flag(name: .shortAndLong) var quiet = false
    @GivenWords var words
  }

  private struct Paint: ParsableCommand {
    @Argument var zone: String
    @OptionGroup var shared: Shared
    @Option(name: .shortAndLong) var color: String?
    @Option var angle: Double?
  }

  @Test func aCommandSeesAllThatItWasGiven() throws {
    let paint = try #require(
      try Paint.parseAsRoot(["sky", "-c", "red", "--angle=-2", "a.jpg", "-q", "b.jpg"]) as? Paint)
    #expect(
      Set(paint.shared.words) == [
        GivenWord(name: nil, value: "sky"),
        GivenWord(name: nil, value: "a.jpg", groups: [Shared.self]),
        GivenWord(name: nil, value: "b.jpg", groups: [Shared.self]),
        GivenWord(name: "-q", value: nil, groups: [Shared.self]),
        GivenWord(name: "-c", value: "red"),
        GivenWord(name: "--angle", value: "-2"),
      ])
  }

  @Test func aWordKnowsTheTypeThatReadsIt() throws {
    let paint = try #require(
      try Paint.parseAsRoot(["sky", "--angle=-2", "-q", "a.jpg"]) as? Paint)
    func reads(_ type: Any.Type?, _ name: String?) -> Bool {
      paint.shared.words.first { $0.name == name }.map { $0.valueType == type } ?? false
    }
    #expect(reads(Double.self, "--angle"))
    #expect(reads(String.self, nil))
    #expect(reads(nil, "-q"))
  }

  @Test(arguments: [
    ["sky", "a.jpg"], ["--angle", "-2", "sky"], ["sky", "-cblue", "-q", "a", "b"],
    ["--", "-sky", "--angle"], ["sky", "--color=", "x y"], ["sky", "--color", "a=b"],
  ])
  func theirCommandLineSaysTheSame(words: [String]) throws {
    let paint = try #require(try Paint.parseAsRoot(words) as? Paint)
    let again = try #require(try Paint.parseAsRoot(paint.shared.words.commandLine) as? Paint)
    #expect(again.shared.words == paint.shared.words)
    #expect(again.zone == paint.zone)
    #expect(again.shared.photos == paint.shared.photos)
    #expect(again.color == paint.color)
    #expect(again.angle == paint.angle)
  }
}
