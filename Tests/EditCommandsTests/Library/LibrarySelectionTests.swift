import Foundation
import PhotoLibraryKit
import Testing

@testable import SafelightEditCommands

@Suite struct LibrarySelectionTests {
  private let folder = CommandFolder()

  private func fill() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg", "c.jpg")
    _ = await folder.edit("library", "album", "create", "Best")
    _ = await folder.edit(
      "library", "album", "add", "Best", "@/photos/c.jpg", "@/photos/a.jpg")
  }

  @Test func anAlbumsPhotosAreEditedInItsOrderAndTheLibraryKnows() async throws {
    try await fill()
    let token = try folder.library().currentChangeToken
    let transcript = await folder.edit("apply", "noir", "--album", "Best")
    #expect(
      transcript.results == [
        "@/photos/c.jpg: noir, rendered to @/photos/c_edited.jpg",
        "@/photos/a.jpg: noir, rendered to @/photos/a_edited.jpg",
      ])
    #expect(
      try await folder.listed("--where", "hasAdjustments = 1", "--sort", "filename")
        == ["a.jpg", "c.jpg"])
    #expect(try folder.library().fetchPersistentChanges(since: token).count == 1)
    _ = await folder.edit("revert", "--where", "hasAdjustments = YES")
    #expect(try await folder.listed("--where", "hasAdjustments = 1").isEmpty)
  }

  @Test func workersDoTheSame() async throws {
    try await fill()
    let edit = try EditProcess(
      ["apply", "noir", "--album", "Best", "--library", folder.libraryFolder.string], in: folder)
    #expect(edit.status == 0, "\(edit.errors)")
    #expect(edit.output.split(separator: "\n").count == 2)
    #expect(try await folder.listed("--where", "hasAdjustments = 1").count == 2)
  }

  @Test func aPredicateChoosesAmongAllOrWithinAnAlbum() async throws {
    try await fill()
    _ = await folder.edit("library", "favorite", "@/photos/a.jpg", "@/photos/b.jpg")
    await #expect(
      folder.edit("show", "--quiet", "--json", "--where", "favorite = 1").results.count == 2)
    let both = try await folder.edit(
      "show", "--json", "--quiet", "--album", "Best", "--where", "favorite = 1"
    ).objects
    #expect(both.map { $0["photo"]?.string } == ["@/photos/a.jpg"])
  }

  @Test func hiddenPhotosAreLeftAlone() async throws {
    try await fill()
    _ = await folder.edit("library", "hide", "@/photos/c.jpg")
    #expect(await folder.edit("apply", "noir", "--album", "Best").results.count == 1)
  }

  @Test func aDryRunChangesNothing() async throws {
    try await fill()
    let token = try folder.library().currentChangeToken
    #expect(
      await folder.edit("apply", "noir", "--dry-run", "--album", "Best").results.first
        == "@/photos/c.jpg: would be rendered to @/photos/c_edited.jpg")
    #expect(try folder.library().currentChangeToken == token)
  }

  @Test func noPhotosAreSaidAsForOtherSelections() async throws {
    try await fill()
    await #expect(
      folder.edit("apply", "noir", "--where", "favorite = 1")
        == Transcript(messages: ["edit: There are no photos."]))
  }

  @Test func aShareOfTheLibraryIsAnother() async throws {
    try await fill()
    var seen: [String] = []
    for share in ["1/2", "2/2"] {
      let objects = try await folder.edit(
        "show", "--json", "--where", "TRUEPREDICATE", "--shard", share
      ).objects
      seen += objects.compactMap { $0["photo"]?.string }
    }
    #expect(Set(seen).count == 3)
    #expect(seen.count == 3)
  }

  @Test(arguments: [
    ["--album", "Best", "@/a.jpg"], ["--where", "favorite = 1", "--files-from", "@/list"],
    ["--library", "@/data/library", "@/a.jpg"], ["--album", "Best", "--recursive"],
  ])
  func photosAreNamedOrTheLibrarysAndNotBoth(words: [String]) async {
    let transcript = await folder.edit(["apply", "noir"] + words)
    #expect(transcript.code == 64)
    #expect(transcript.messages.first?.contains("--album") == true)
  }

  @Test func whatCannotBeChosenFailsBeforeAnythingIsDone() async throws {
    try await fill()
    await #expect(
      folder.edit("apply", "noir", "--album", "Bets")
        == Transcript(
          messages: ["edit: The library has no album called “Bets”. Did you mean “Best”?"],
          code: 1))
    let predicate = await folder.edit("apply", "noir", "--where", "favorite >")
    #expect(predicate.code == 1)
    #expect(predicate.messages.dropFirst() == ["  favorite >", "            ^"])
    let none = try await folder.edit(
      "apply", "noir", "--json", "--where", "favorite = 1", "--library", "@/none"
    ).objects
    #expect(none.first?["error"]?["code"]?.string == "no-library")
  }
}
