import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Lookup tables as part of an edit.
@Suite struct LookupTableEditTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func filter(_ name: String) throws -> AppliedFilter {
    try Filter.named(Fixtures.path("luts/\(name)").string).applied()
  }

  @Test(arguments: [
    ("Façade Élan.cube", "facade-elan"), ("--.cube", "lookup-table"), ("日本.cube", "lookup-table"),
    ("A_1.5.cube", "a-1-5"),
  ])
  func aFilterIsCalledAfterItsFile(file: String, name: String) throws {
    let soft = try Fixtures.bytes("luts/soft.cube")
    folder.put(soft, as: FilePath(file))
    let filter = try Filter.named(folder.path.appending(FilePath(file)).string)
    #expect(filter.name == name)
    #expect(filter.title == String(file.dropLast(5)))
  }

  @Test func endingsTellFilesFromNames() {
    #expect(throws: EditError.unknownFilter("kodak")) { try Filter.named("kodak") }
    #expect(throws: EditError.self) { try Filter.named("no-such-file.cube") }
    #expect(throws: EditError.self) { try Filter.named("no-such-file.TIFF") }
  }

  @Test func aStoredTableSurvivesTheRecordByteForByte() async throws {
    let photo = try folder.add("gradients/chart.png")
    let warm = try filter("warm.cube")
    try await editor.apply(warm, to: photo)
    let stack = try #require(try await editor.state(of: photo).edit?.stack)
    #expect(stack.filters == [warm])
    let lookup = try #require(
      stack.filters[0].steps.entries[0].adjustment as? Adjustments.ColorLookup)
    #expect(lookup.title == "Warm")
    let table = try LookupTable(stored: #require(lookup.table.bytes))
    #expect(table.lattice.shape == .cube(7))
  }

  @Test func aTableCanBeAnAdjustmentOfItsOwn() async throws {
    let photo = try folder.add("gradients/chart.png")
    let table = try LookupTable(
      title: "Negative", LookupTable.Lattice(.curves(2), samples: [1, 1, 1, 0, 0, 0]))
    let lookup = try Adjustments.ColorLookup(table)
    #expect(lookup.title == "Negative")
    try await editor.adjust(photo) { stack throws(AdjustmentError) in
      stack = try EditStack([lookup])
    }
    let before = try Picture(photo.path, as: .png)
    let after = try Picture(folder.path.appending("chart_edited.jpg"), as: .jpeg)
    // In the middle of a patch, where the JPEG is true to a few codes.
    for (old, new) in zip(before.pixel(12, 12), after.pixel(12, 12)) {
      #expect(abs(255 - Int(old) - Int(new)) <= 3)
    }
  }

  @Test(arguments: ["AAAA", "not base64", "U0xVVAEB"])
  func aDamagedTableIsRefusedAndNothingChanges(table: String) async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: photo)
    let before = try folder.traces
    let json =
      #"{"name":"x","version":1,"title":"X","summary":"x","steps":[{"id":"lut","version":1,"#
      + #""title":"Lost","table":"\#(table)"}]}"#
    let filter = try Filter(json: Array(json.utf8)).applied()
    let error = await #expect(throws: EditError.self) {
      try await editor.apply(filter, to: photo)
    }
    guard case .render(photo.path, .damagedLookupTable("Lost", _)) = error else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
    #expect(error?.code == "damaged-lookup-table")
    try #expect(folder.traces == before)
  }
}
