import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct RelinkFaultTests {
  /// Whether the photo has its whole edit, for whoever reads.
  private func isComplete(_ scene: MovedPhoto.Scene) throws -> Bool {
    try PhotoFiles(scene.photo).reading(timeout: .zero) { snapshot in
      guard let record = snapshot.record else { return false }
      try snapshot.checkOriginal()
      #expect(String(decoding: record.adjustmentData.data, as: UTF8.self) == "second")
      for named in record.files { try #expect(snapshot.condition(of: named) == .asRecorded) }
      #expect(record.files.count == 4)
      return true
    }
  }

  /// Whether the record that was left behind is there with all its files.
  private func isLeftBehind(_ scene: MovedPhoto.Scene) throws -> Bool {
    guard let former = scene.former, let record = try LostRecord.load(of: former, .real)?.record
    else { return false }
    let digests = Set(scene.contents.values.map { SHA256.digest(of: $0) })
    return record.files.allSatisfy { digests.contains($0.file.sha256) }
  }

  @Test(arguments: MovedPhoto.allCases, FaultInjection.Kind.tried)
  func whateverStepFailsTheEditIsAtOnePlaceAtLeast(
    photo: MovedPhoto, kind: FaultInjection.Kind
  ) throws {
    let files = try photo.preparedFiles()
    let expected = try photo.scene(files)
    try #expect(expected.relink().unfinished == nil)
    #expect(expected.new.names == photo.finalNames)
    let contents = expected.contents
    for step in 1... {
      let scene = try photo.scene(files)
      let original = try #require(try FileSystem.real.status(of: scene.photo))
      let faults = FaultInjection(kind, at: step)
      let move = try? scene.relink(through: faults.fileSystem)

      let isMoved = try isComplete(scene)
      try #expect(isMoved || isLeftBehind(scene), "step \(step)")
      if move != nil { #expect(isMoved, "step \(step)") }
      // Doing it again finishes, and nothing but what should be is left.
      try scene.relink()
      #expect(scene.contents == contents, "after step \(step)")
      try #expect(FileSystem.real.status(of: scene.photo) == original)
      if !faults.wasReached { break }
    }
  }

  @Test(arguments: [MovedPhoto.renamed, .renamedTogether])
  func aCrashWhileFinishingIsFinishedToo(photo: MovedPhoto) throws {
    let files = try photo.preparedFiles()
    let expected = try photo.scene(files)
    try expected.relink()
    for step in 1... {
      var wasLastStep = false
      // Some of the steps, others each time: together they are all of them.
      let gap = Rounds.count(160, long: 10)
      for secondStep in stride(from: 1 + step % gap, to: .max, by: gap) {
        let scene = try photo.scene(files)
        let faults = FaultInjection(.crash, at: step)
        _ = try? scene.relink(through: faults.fileSystem)
        wasLastStep = !faults.wasReached
        let secondFaults = FaultInjection(.crash, at: secondStep)
        _ = try? scene.relink(through: secondFaults.fileSystem)
        try #expect(isComplete(scene) || isLeftBehind(scene), "steps \(step), \(secondStep)")
        try scene.relink()
        #expect(scene.contents == expected.contents, "steps \(step), \(secondStep)")
        if wasLastStep || !secondFaults.wasReached { break }
      }
      if wasLastStep { break }
    }
  }
}
