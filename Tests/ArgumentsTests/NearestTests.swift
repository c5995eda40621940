import SafelightArguments
import Testing

@Suite struct NearestTests {
  static let filters = [
    "noir", "mono", "tonal", "fade", "chrome", "process", "transfer", "instant",
  ]

  @Test(arguments: [
    ("nior", "noir"), ("noirr", "noir"), ("NOIR", "noir"), ("mono", "mono"), ("chorme", "chrome"),
    ("transfre", "transfer"), ("intsant", "instant"), ("proces", "process"), ("inst", "instant"),
    ("tranfesr", "transfer"), ("tonel", "tonal"),
  ])
  func aSlipFindsTheNameMeant(word: String, name: String) {
    #expect(nearest(to: word, among: Self.filters) == name)
  }

  @Test(arguments: ["", "x", "no-such-filter", "sepia", "t", "ab", "norm"])
  func nothingNearGivesNothing(word: String) {
    #expect(nearest(to: word, among: Self.filters) == nil)
  }

  @Test func theFirstOfEqualsIsTaken() {
    #expect(nearest(to: "fast", among: ["fist", "fest"]) == "fist")
    #expect(nearest(to: "fast", among: ["first", "fist", "fasten"]) == "fist")
  }

  @Test func twoCompletionsAreNoHint() {
    #expect(nearest(to: "tone", among: ["tone-curve", "tone-mapping"]) == nil)
    #expect(nearest(to: "tone", among: ["tone-curve", "crop"]) == "tone-curve")
  }
}
