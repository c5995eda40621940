import Glibc
import SafelightTestSupport
import Testing

@testable import SafelightFiles

@Suite struct FileSinkTests {
  @Test(arguments: FaultInjection.Kind.allCases)
  func aFileIsWhollyOldOrWhollyNew(kind: FaultInjection.Kind) async throws {
    try await FaultInjection.forEachOperation(failing: kind) { faults in
      let folder = TemporaryFolder()
      folder.put("old", at: "file")
      let isDone =
        (try? faults.fileSystem.replace(folder["file"], with: Array("new".utf8))) != nil
      let text = folder.text("file")
      #expect(text == "old" || text == "new")
      if isDone { #expect(text == "new" && folder.names == ["file"]) }
      if !faults.wasReached { #expect(isDone) }
    }
  }

  @Test(arguments: FaultInjection.Kind.allCases)
  func aNewFileAppearsWholeOrNotAtAll(kind: FaultInjection.Kind) async throws {
    try await FaultInjection.forEachOperation(failing: kind) { faults in
      let folder = TemporaryFolder()
      let isDone =
        (try? faults.fileSystem.writeWhole(folder["file"], replacing: false) {
          try $0.write(Array("new".utf8))
        }) != nil
      let text = folder.text("file")
      #expect(text == nil || text == "new")
      if isDone { #expect(text == "new" && folder.names == ["file"]) }
      if !faults.wasReached { #expect(isDone) }
    }
  }

  @Test(arguments: FaultInjection.Kind.allCases)
  func aMovedFileIsNeverLost(kind: FaultInjection.Kind) async throws {
    try await FaultInjection.forEachOperation(failing: kind) { faults in
      let (from, to) = (TemporaryFolder(), TemporaryFolder())
      from.put("photo", at: "a")
      let isDone = (try? faults.fileSystem.move(from["a"], to: to["b"])) == true
      #expect(from.text("a") == "photo" || to.text("b") == "photo")
      if isDone { #expect(from.names == [] && to.names == ["b"]) }
      if !faults.wasReached { #expect(isDone) }
    }
  }

  @Test func whatSomebodyElsePutUnderTheHiddenNameIsNotRemoved() throws {
    let parent = TemporaryFolder()
    let sink = try FileSink(in: Folder(parent.path))
    let name = try #require(parent.names.first)
    unlink(sink.path.string)
    parent.put("another's", at: name)
    sink.discard()
    #expect(parent.text(name) == "another's")
  }

  @Test func twoSinksHaveTwoNames() throws {
    let parent = TemporaryFolder()
    let folder = try Folder(parent.path)
    let sinks = try (0..<8).map { _ in try FileSink(in: folder) }
    #expect(parent.names.count == 8)
    for sink in sinks { sink.discard() }
    #expect(parent.names == [])
  }
}
