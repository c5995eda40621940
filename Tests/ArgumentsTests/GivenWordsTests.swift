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
        GivenWord(key: "zone", name: nil, value: "sky"),
        GivenWord(key: "shared.photos", name: nil, value: "a.jpg"),
        GivenWord(key: "shared.photos", name: nil, value: "b.jpg"),
        GivenWord(key: "shared.quiet", name: "-q", value: nil),
        GivenWord(key: "color", name: "-c", value: "red"),
        GivenWord(key: "angle", name: "--angle", value: "-2"),
      ])
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
