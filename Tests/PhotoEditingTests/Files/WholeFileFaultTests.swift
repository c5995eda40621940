import PhotoEditing
import SafelightFiles
import SafelightTestSupport
import Testing

/// Files that belong to no photo appear whole or not at all, whatever operation fails. Every operation of such a
/// file is tried by FileSinkTests; here are some, to see that nothing is written in another way.
@Suite struct WholeFileFaultTests {
  @Test func anExportReplacesTheOldFileOrLeavesIt() async throws {
    let old = Array("old".utf8)
    let output = RenderOutput(format: .png)
    let reference = PhotoFolder()
    try await PhotoEditor.test().export(
      reference.add("gradients/chart.png"), to: reference.path.appending("out.png"), as: output)
    let new = try #require(reference.bytes("out.png"))

    try await FaultInjection.forEachFault(of: FaultInjection.Kind.allCases, sample: 3) {
      faults, kind in
      let folder = PhotoFolder()
      let photo = try folder.add("gradients/chart.png")
      folder.put(old, as: "out.png")
      let original = try folder.traces["chart.png"]
      do {
        try await PhotoEditor.test(through: faults.fileSystem).export(
          photo, to: folder.path.appending("out.png"), as: output, existing: .replaced)
        #expect(folder.bytes("out.png") == new)
      } catch {
        #expect(faults.wasReached)
        #expect([old, new].contains(folder.bytes("out.png")))
      }
      try #expect(folder.traces["chart.png"] == original)
      if kind?.staysBroken != true { #expect(folder.names == ["chart.png", "out.png"]) }
    }
  }

  @Test func aSavedFilterReplacesTheOldOneOrLeavesIt() async throws {
    func filter(_ amount: Double) throws -> Filter {
      var saturation = Adjustments.Saturation()
      saturation.amount = amount
      return try Filter(name: "mine", title: "T", summary: "S.", from: EditStack([saturation]))
    }
    let (old, new) = (try filter(0.1), try filter(0.2))
    try await FaultInjection.forEachFault(of: FaultInjection.Kind.allCases, sample: 3) {
      faults, kind in
      let folder = PhotoFolder()
      let filters = UserFilters(folder: folder.path)
      try filters.save(old)
      do {
        _ = try filters.save(new, replacing: true, through: faults.fileSystem)
        try #expect(filters.filter(named: "mine") == new)
      } catch {
        #expect(faults.wasReached)
        try #expect([old, new].contains(filters.filter(named: "mine")))
      }
      try #expect(filters.list().problems.isEmpty)
      if kind?.staysBroken != true { #expect(folder.names == ["mine.json"]) }
    }
  }
}
