import Foundation
import SafelightAdjustments
import Testing

@Suite struct EditStackTests {
  private func stack(_ json: String, version: String = "1.0") throws -> EditStack {
    try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: version, data: Data(json.utf8))
    )
  }

  private func filter(_ name: String, amount: Double = -1) throws -> Filter {
    try Filter(
      json: """
        {"name":"\(name)","version":3,"title":"T","summary":"S.",
         "steps":[{"id":"saturation","version":1,"amount":\(amount)}]}
        """.utf8)
  }

  /// An edit as a newer Safelight might write it: an unknown adjustment, a newer version of a known
  /// one, unknown fields, odd spacing and digits.
  private static let fromTheFuture = """
    { "adjustments" : [
      {"id":"dehaze","version":2,"amount":0.50,"nested":{"a":[1, 2.0]}},
      {"id":"saturation","version":9,"curve":"x"},
      {"id": "saturation","version":1,"amount":0.30,"maskedBy":"sky"} ],
      "application":{"name":"future"} }
    """

  @Test func unknownPartsSurviveByteForByte() throws {
    let stack = try stack(Self.fromTheFuture, version: "1.7")
    #expect(stack.adjustmentData.data == Data(Self.fromTheFuture.utf8))
    #expect(stack.adjustmentData.formatVersion == "1.7")
    #expect(stack.unknownEntries.map(\.id) == ["dehaze", "saturation"])
    #expect(stack.entries[2].unknownFields == ["maskedBy"])
  }

  @Test func equalEditsOfOtherProgramsAreWrittenEqually() throws {
    var own = EditStack()
    try own.adjust(Crop.self) { ($0.x, $0.y, $0.width, $0.height) = (0.00005, 0.5, 1e-6, 0.5) }
    try own.adjust(Contrast.self) { $0.amount = 30 }
    let other = try stack(
      """
      {"adjustments": [
        {"version":1, "id":"crop", "y":0.50, "x":0.00005, "width":0.000001, "height":5e-1},
        {"id":"contrast","version":1,"amount":30.0}]}
      """)
    #expect(other.adjustmentData != own.adjustmentData)
    #expect(other.rewritten.adjustmentData == own.adjustmentData)
    // What this version does not write stays as it is.
    let newer = try stack(Self.fromTheFuture)
    #expect(newer.rewritten.entries.prefix(2) == newer.entries.prefix(2))
    #expect(newer.rewritten.entries[2].unknownFields == ["maskedBy"])
  }

  @Test func addingAFilterKeepsUnknownPartsByteForByte() throws {
    var stack = try stack(Self.fromTheFuture)
    try stack.setFilter(filter("gray").applied())
    let text = String(decoding: stack.adjustmentData.data, as: UTF8.self)
    #expect(text.contains(#"{"id":"dehaze","version":2,"amount":0.50,"nested":{"a":[1, 2.0]}}"#))
    #expect(text.contains(#"{"id": "saturation","version":1,"amount":0.30,"maskedBy":"sky"}"#))
    #expect(text.contains(#""application":{"name":"future"}"#))
  }

  @Test func aFilterStoresWhatItResolvedTo() throws {
    var stack = EditStack()
    try stack.setFilter(filter("gray").applied(intensity: 0.25))
    let text = String(decoding: stack.adjustmentData.data, as: UTF8.self)
    #expect(
      text == """
        {"adjustments":[{"id":"filter","version":1,"name":"gray","title":"T","filterVersion":3,\
        "intensity":0.25,"steps":[{"id":"saturation","version":1,"amount":-1.0}]}]}
        """)
    #expect(try self.stack(text).entries == stack.entries)
  }

  @Test func aSecondFilterReplacesTheFirst() throws {
    var stack = EditStack()
    try stack.setFilter(filter("one").applied())
    try stack.setFilter(filter("two").applied())
    #expect(stack.filters.map(\.name) == ["two"])
  }

  @Test func addedFiltersStackInTheOrderGiven() throws {
    var stack = EditStack()
    try stack.setFilter(filter("one").applied())
    try stack.addFilter(filter("two").applied())
    #expect(stack.filters.map(\.name) == ["one", "two"])
    #expect(
      stack.inPipelineOrder.compactMap { ($0.adjustment as? AppliedFilter)?.name } == [
        "one", "two",
      ])
  }

  @Test func theSameFilterAgainChangesNothing() throws {
    var stack = EditStack()
    try stack.setFilter(filter("one").applied(intensity: 0.5))
    var again = try self.stack(String(decoding: stack.adjustmentData.data, as: UTF8.self))
    let before = again
    try again.setFilter(filter("one").applied(intensity: 0.5))
    #expect(again == before)
    #expect(again.adjustmentData == stack.adjustmentData)
  }

  @Test func filtersActLastInThePipeline() throws {
    var saturation = Saturation()
    saturation.amount = 0.5
    let stack = try EditStack([filter("one").applied(), saturation])
    #expect(stack.inPipelineOrder.map(\.id) == ["saturation", "filter"])
  }

  @Test(arguments: [
    ("org.safelight.edit", "1.0", true), ("org.safelight.edit", "1.12", true),
    ("org.safelight.edit", "2.0", false), ("org.safelight.edit", "x", false),
    ("com.apple.photo", "1.0", false),
  ])
  func handlesItsOwnFormatOfTheSameMajorVersion(id: String, version: String, expected: Bool) {
    let data = AdjustmentData(formatIdentifier: id, formatVersion: version, data: Data([1]))
    #expect(EditStack.canHandle(data) == expected)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"adjustments":{}}"#, #"{"adjustments":[1]}"#, #"{"adjustments":[{}]}"#,
    #"{"adjustments":[{"id":"saturation"}]}"#,
    #"{"adjustments":[{"id":"saturation","version":0}]}"#,
    #"{"adjustments":[{"id":"saturation","version":1,"amount":"much"}]}"#,
    #"{"adjustments":[{"id":"saturation","version":1,"amount":700}]}"#,
    #"{"adjustments":[{"id":"filter","version":1}]}"#,
    #"{"adjustments":[{"id":"filter","version":1,"name":"a","title":"A","filterVersion":1,"steps":[{"id":"saturation","version":1,"amount":900}]}]}"#,
  ])
  func malformedEditsAreRefused(json: String) {
    #expect(throws: AdjustmentError.self) { try stack(json) }
  }

  private func stack(of count: Int, _ adjustment: String) throws -> EditStack {
    let list = Array(repeating: adjustment, count: count).joined(separator: ",")
    return try stack(#"{"adjustments":[\#(list)]}"#)
  }

  private static let blur = #"{"id":"blur","version":1,"radius":5}"#
  private static let lookup = #"{"id":"lut","version":1,"title":"T","table":""}"#

  @Test func anEditHasRoomForManyAdjustmentsAndNotForAnyNumber() throws {
    try #expect(stack(of: 500, Self.blur).entries.count == 500)
    try #expect(stack(of: 16, Self.lookup).entries.count == 16)
    #expect(throws: AdjustmentError.tooManyAdjustments(501, limit: 500)) {
      try stack(of: 501, Self.blur)
    }
    #expect(throws: AdjustmentError.tooManyLookupTables(17, limit: 16)) {
      try stack(of: 17, Self.lookup)
    }
  }

  @Test func theStepsOfFiltersCount() throws {
    let steps = Array(repeating: Self.blur, count: 300).joined(separator: ",")
    let filter = """
      {"id":"filter","version":1,"name":"a","title":"A","filterVersion":1,"intensity":1,\
      "steps":[\(steps)]}
      """
    #expect(throws: AdjustmentError.tooManyAdjustments(602, limit: 500)) {
      try stack(of: 2, filter)
    }
  }

  @Test(arguments: [
    #"{"name":"Noir","version":1,"title":"T","summary":"S","steps":[]}"#,
    #"{"name":"a","title":"T","summary":"S","steps":[]}"#,
    #"{"name":"a","version":1,"title":"T","summary":"S"}"#,
    #"{"name":"a","version":1,"title":"T","summary":"S","steps":[{"id":"nope","version":1}]}"#,
    #"{"name":"a","version":1,"title":"","summary":"S","steps":[]}"#,
  ])
  func malformedFiltersAreRefused(json: String) {
    #expect(throws: AdjustmentError.self) { try Filter(json: json.utf8) }
  }
}
