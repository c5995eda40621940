import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct ExclusionTests {
  private let tree = PhotoTree()
  private let rulesFile = FilePath(FolderRules.fileName)

  @Test func thumbnailsAndRecycleBinsOfANASAreNotTakenIn() async throws {
    for name in ["a.jpg", "@eaDir/a.jpg/thumb.jpg", "#recycle/b.jpg", "deep/@eaDir/c.jpg"] {
      tree.photo(FilePath(name))
    }
    let library = try tree.open()
    try await library.add([tree.photos])
    #expect(try await library.names == ["a.jpg"])
  }

  @Test func whatIsLeftOutLaterLeavesTheLibraryAndComesBackWithItsMarks() async throws {
    for name in ["a.jpg", "drafts/b.jpg", "drafts/deep/c.jpg"] { tree.photo(FilePath(name)) }
    let library = try tree.open()
    try await library.add([tree.photos])
    let identifier = try await library.identifier("c.jpg")
    let asset = try #require(
      library.fetchAssets(withLocalIdentifiers: [identifier]).firstObject)
    try await library.performChanges { AssetChangeRequest(for: asset).isFavorite = true }
    tree.put(Array("drafts/\n".utf8), rulesFile)
    let result = try await library.scan()
    #expect((result.removed, result.leftOut) == (2, 2))
    #expect(try await library.names == ["a.jpg"])
    #expect(try await library.scan().isUnchanged)
    // A rule that goes leaves no folder's time as it was but that of its own.
    tree.put(Array("\n".utf8), rulesFile)
    #expect(try await library.scan().added == 2)
    #expect(try await library.identifier("c.jpg") == identifier)
    #expect(
      try library.fetchAssets(withLocalIdentifiers: [identifier]).firstObject?.isFavorite == true)
  }

  @Test func aLibraryRemembersWhatItsFoldersLeaveOut() async throws {
    for name in ["one/a.jpg", "one/raw/b.jpg", "two/raw/c.jpg"] { tree.photo(FilePath(name)) }
    let (one, two) = (tree.photos.appending("one"), tree.photos.appending("two"))
    var library = try tree.open()
    try await library.add([one], excluding: FolderRules(excluding: ["raw/"]))
    try await library.add([two])
    #expect(try await library.names == ["a.jpg", "c.jpg"])
    tree.photo("one/raw/d.jpg")
    library = try tree.open()
    #expect(try await library.scan().isUnchanged)
    #expect(try await library.exclusions == [one: ["raw/"]])
    // The export has it too.
    await library.finishExport()
    library = try await PhotoLibrary.rebuild(at: library.path)
    #expect(try await library.names == ["a.jpg", "c.jpg"])
    #expect(try await library.exclusions == [one: ["raw/"]])
    try await library.exclude(FolderRules(excluding: ["!raw/"]))
    #expect(try await library.scan().added == 2)
    try await library.remove([one, two])
    try await library.add([one])
    #expect(try await library.exclusions.isEmpty)
  }

  @Test func whatIsNamedInAFolderWithRulesIsRefusedAndNotForgotten() async throws {
    tree.photo("a.jpg")
    tree.photo("raw/b.jpg")
    let library = try tree.open()
    try await library.add([tree.photos], excluding: FolderRules(excluding: ["raw/"]))
    let photo = tree.photos.appending("raw/b.jpg")
    await #expect(
      throws: PhotoLibraryError.invalidResource(
        photo, detail: "The rules of \(tree.photos) leave it out.")
    ) { try await library.add([photo]) }
    // A folder that is added by name has rules of its own.
    try await library.add([tree.photos.appending("raw")])
    #expect(try await library.names == ["a.jpg", "b.jpg"])
    #expect(try await library.scan().isUnchanged)
  }

  @Test func rulesThatCannotBeReadLeaveThePhotosOfTheirFolderAsTheyAre() async throws {
    tree.photo("a.jpg")
    tree.photo("x/b.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    tree.put([UInt8](repeating: 0x61, count: 1 << 20), "x/.safelightignore")
    let result = try await library.scan()
    #expect(result.unavailable == [tree.photos.appending("x")])
    #expect(try await library.names == ["a.jpg", "b.jpg"])
  }

  @Test func aWatchFollowsTheRules() async throws {
    tree.photo("a.jpg")
    tree.photo("drafts/b.jpg")
    tree.put(Array("drafts\n".utf8), rulesFile)
    let library = try tree.open()
    try await library.add([tree.photos])
    try await library.startWatching()
    defer { library.stopWatching() }
    tree.photo("@eaDir/thumb.jpg")
    tree.photo("drafts/c.jpg")
    tree.photo("d.jpg")
    #expect(try await eventually { try await library.names.contains("d.jpg") })
    #expect(try await library.names == ["a.jpg", "d.jpg"])
    tree.put([], rulesFile)
    let all = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]
    #expect(try await eventually { try await library.names == all })
    tree.photo("drafts/e.jpg")
    #expect(try await eventually { try await library.names.contains("e.jpg") })
  }
}
