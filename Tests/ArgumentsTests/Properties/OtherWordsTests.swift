import SafelightArguments
import Testing

@Suite struct OtherWordsTests {
  private struct Shared: ParsableArguments {
    @Argument var photos: [String] = []
    @Flag(name: .shortAndLong) var quiet = false
    @OtherWords var others
  }

  private struct Paint: ParsableCommand {
    @Argument var zone: String
    @OptionGroup var shared: Shared
    @Option(name: .shortAndLong) var color: String?
    @Option var angle: Double?
    @Flag var wet = false
  }

  @Test func aGroupKnowsTheWordsThatAreNotItsOwn() throws {
    let paint = try #require(
      try Paint.parseAsRoot(["sky", "-c", "red", "--wet", "--angle", "-2", "a.jpg", "-q", "b.jpg"])
        as? Paint)
    #expect(paint.shared.others == ["-cred", "--wet", "--angle=-2", "sky"])
    #expect(paint.shared.photos == ["a.jpg", "b.jpg"])
  }

  @Test(arguments: [
    ["sky", "a.jpg"], ["--angle", "-2", "sky"], ["sky", "-cblue", "-q", "a", "b"],
    ["--", "-sky", "--angle"], ["sky", "--color=", "x y"], ["sky", "--color", "a=b"],
  ])
  func theySayTheSameAgain(words: [String]) throws {
    let paint = try #require(try Paint.parseAsRoot(words) as? Paint)
    let others = paint.shared.others
    let again = try #require(
      try Paint.parseAsRoot(others.dropLast() + ["--", others[others.count - 1]]) as? Paint)
    #expect(again.zone == paint.zone)
    #expect(again.color == paint.color)
    #expect(again.angle == paint.angle)
  }
}
