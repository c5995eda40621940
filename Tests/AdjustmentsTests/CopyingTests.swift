import Foundation
import SafelightAdjustments
import Testing

/// A filter for tests.
enum ShippedLook {
  static let gray = filter("gray", steps: #"{"id":"saturation","version":1,"amount":-1}"#)

  static func filter(_ name: String, steps: String) -> Filter {
    // The text belongs to the test, so a mistake in it ends the test.
    try! Filter(
      json: #"{"name":"\#(name)","version":1,"title":"T","summary":"S.","steps":[\#(steps)]}"#.utf8)
  }
}

@Suite struct CopyingTests {
  private func source() throws -> EditStack {
    var crop = SampleCrop()
    crop.width = 0.5
    var vibrance = Vibrance()
    vibrance.amount = 0.5
    return try EditStack([ShippedLook.gray.applied(intensity: 0.6), crop, vibrance])
  }

  private func target() throws -> EditStack {
    var crop = SampleCrop()
    crop.width = 0.9
    var saturation = Saturation()
    saturation.amount = 0.1
    return try EditStack([crop, saturation])
  }

  @Test func geometryStaysEachPhotosOwn() throws {
    var edit = try target()
    try edit.copy(from: source())
    #expect(edit.entries.map(\.id) == ["sample-crop", "filter", "vibrance"])
    #expect((edit.entries[0].adjustment as? SampleCrop)?.width == 0.9)
    #expect(edit.filters.map(\.intensity) == [0.6])
  }

  @Test func everythingTakesTheGeometryAlong() throws {
    var edit = try target()
    try edit.copy(.all, from: source())
    #expect(try edit.entries == source().entries)
  }

  @Test(
    arguments: [
      (["vibrance"], ["sample-crop", "saturation", "vibrance"]),
      (["saturation", "filter"], ["sample-crop", "filter"]),
      (["sample-crop"], ["saturation", "sample-crop"]),
    ] as [(Set<AdjustmentPath>, [String])])
  func onlyWhatIsNamedIsCopied(paths: Set<AdjustmentPath>, expected: [String]) throws {
    var edit = try target()
    try edit.copy(.only(paths), from: source())
    #expect(edit.entries.map(\.id) == expected)
  }

  @Test func copyingAgainChangesNothing() throws {
    var edit = try target()
    try edit.copy(from: source())
    let once = edit.adjustmentData
    try edit.copy(from: source())
    #expect(edit.adjustmentData == once)
  }

  @Test(arguments: [true, false])
  func anAdjustmentOfANewerVersionIsNeitherCopiedNorReplaced(isSource: Bool) throws {
    let newer = try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: "1.0",
        data: Data(#"{"adjustments":[{"id":"saturation","version":9}]}"#.utf8)))
    var edit = try isSource ? target() : newer
    let before = edit
    #expect(throws: AdjustmentError.newerVersion(id: "saturation", version: 9)) {
      try edit.copy(from: isSource ? newer : source())
    }
    #expect(edit == before)
  }

  @Test func anEditBecomesAFilterWithoutItsGeometry() throws {
    let filter = try Filter(name: "mine", title: "Mine", summary: "S.", from: source())
    #expect(filter.steps.entries.map(\.id) == ["vibrance", "filter"])
    #expect(try Filter(json: filter.json.text.utf8) == filter)
    #expect(throws: AdjustmentError.self) {
      try Filter(name: "My Look", title: "T", summary: "S.", from: source())
    }
    #expect(throws: AdjustmentError.self) {
      try Filter(name: "mine", title: "T", summary: "S.", from: EditStack([SampleCrop()]))
    }
  }
}

@Suite struct NestedFilterTests {
  /// A filter with `depth` lists of steps inside each other.
  private func nested(_ depth: Int) throws -> Filter {
    var filter = ShippedLook.gray
    for level in 1..<depth {
      filter = try Filter(
        name: "level-\(level)", title: "T", summary: "S.", from: EditStack([filter.applied()]))
    }
    return filter
  }

  @Test func filtersStandInFiltersUpToFourDeep() throws {
    let four = try nested(4)
    #expect(try Filter(json: four.json.text.utf8) == four)
    #expect(
      throws: AdjustmentError.malformed("filters are nested more than 4 deep")
    ) { try nested(5) }
    let five = four.json.text.replacing(
      #""steps":[{"id":"saturation""#,
      with: #""steps":[{"id":"filter","version":1,"name":"a","title":"A","filterVersion":1,"#
        + #""steps":[]},{"id":"saturation""#)
    #expect(throws: AdjustmentError.self) { try Filter(json: five.utf8) }
  }

  @Test func anUnknownStepIsFoundAtAnyDepth() throws {
    let json = try nested(3).json.text.replacing("saturation", with: "halo")
    #expect(throws: AdjustmentError.self) { try Filter(json: json.utf8) }
    let entry = #"{"adjustments":[{"id":"filter","filterVersion":1,"# + json.dropFirst() + "]}"
    let stack = try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: "1.0", data: Data(entry.utf8)))
    #expect(stack.unknownEntries.map(\.id) == ["halo"])
  }
}
