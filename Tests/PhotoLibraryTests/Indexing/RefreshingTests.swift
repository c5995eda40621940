import PhotoEditing
import Synchronization
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct RefreshingTests {
  private let tree = PhotoTree()

  @Test func onlyTheFilesThatAreNamedAreLookedAt() async throws {
    for name in ["a.jpg", "b.jpg", "c.jpg"] {
      try tree.fixture("orientation/1.jpg", as: FilePath(name))
    }
    let library = try tree.open()
    try await library.add([tree.photos])
    let editor = PhotoEditor()
    for name in ["a.jpg", "b.jpg"] {
      _ = try await editor.apply(
        Filter.named("noir").applied(), to: Photo(path: tree.photos.appending(name)))
    }
    tree.photo("new.jpg")
    let result = try await library.refresh([tree.photos.appending("a.jpg"), "/nowhere/x.jpg"])
    #expect(result.updated == 1)
    #expect(result.added == 0)
    #expect(
      try await library.lines("SELECT name FROM asset WHERE adjustmentFormat IS NOT NULL")
        == ["a.jpg"])
  }

  @Test func allThatChangedIsOneChangeSet() async throws {
    let names = (0..<700).map { "\($0).jpg" }
    for name in names { tree.photo(FilePath(name)) }
    let library = try tree.open()
    try await library.add([tree.photos])
    for name in names { tree.photo(FilePath(name), SmallJPEG(width: 20)) }
    let token = try library.currentChangeToken
    let paths = names.map { tree.photos.appending($0) }
    #expect(try await library.refresh(paths).updated == 700)
    #expect(try library.fetchPersistentChanges(since: token).count == 1)
    #expect(try await library.refresh(paths).isUnchanged)
    #expect(try library.fetchPersistentChanges(since: token).count == 1)
    #expect(try await library.refresh(paths, thoroughly: true).updated == 700)
  }

  @Test func progressIsToldAfterEachLot() async throws {
    for number in 0..<1200 { tree.photo(FilePath("\(number).jpg")) }
    let told = Mutex<[Int]>([])
    let library = try tree.open()
    try await library.add([tree.photos]) { result in told.withLock { $0.append(result.added) } }
    #expect(told.withLock(\.self) == [500, 1000, 1200])
  }

  @Test func assetsAreFoundByTheirPaths() async throws {
    tree.photo("a.jpg")
    tree.photo("b.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    let paths = ["b.jpg", "none.jpg", "sub/../a.jpg"].map { tree.photos.appending($0) }
    tree.photos.appending("sub").makeFolder()
    let found = try library.fetchAssets(at: paths)
    #expect(found.map { $0?.path.lastComponent } == ["b.jpg", nil, "a.jpg"])
    #expect(try await library.folders == [tree.photos])
  }

  @Test(arguments: ["", "a", "-1", "a-", "a-b", "a--1", "a-1-2"])
  func aWordThatIsNoTokenIsNone(word: String) {
    #expect(PersistentChangeToken(word) == nil)
  }

  @Test func aTokenIsAWordAndBack() async throws {
    tree.photo("a.jpg")
    let library = try tree.open()
    let first = try library.earliestChangeToken
    try await library.add([tree.photos])
    let last = try library.currentChangeToken
    #expect(PersistentChangeToken("\(last)") == last)
    #expect(first != last)
    #expect(try library.earliestChangeToken == first)
    #expect(try library.fetchPersistentChanges(since: first).count == 1)
  }
}
