import Dispatch
import SafelightTestSupport
import Testing

@testable import SafelightFiles

@Suite struct FileWatchTests {
  @Test func changesAreHeardOfByFolderAndName() throws {
    let (one, other) = (TemporaryFolder(), TemporaryFolder())
    // Nothing runs on a queue that is suspended: this test asks by itself.
    let queue = DispatchQueue(label: "org.safelight.tests.watch")
    queue.suspend()
    defer { queue.resume() }
    let watch = try FileWatch(for: [.written, .movedHere, .created], on: queue) { _ in }
    try watch.add(one.path)
    try watch.add(other.path)
    one.put("x", at: "a")
    other.put("x", at: "b")
    let events = watch.waitingEvents()
    let written = events.filter { $0.changes.contains(.written) }
    #expect(written.map(\.folder) == [one.path, other.path])
    #expect(written.map(\.name) == ["a", "b"])
    watch.remove(other.path)
    other.put("x", at: "c")
    #expect(!watch.waitingEvents().contains { $0.name == "c" })
    #expect(watch.folders == [one.path])
  }

  @Test func aFolderThatIsGoneIsNothingToWatch() throws {
    let watch = try FileWatch(for: .written, on: .global()) { _ in }
    #expect(try !watch.add("/nonexistent"))
  }
}
