import Testing

@Suite struct MarkingTests {
  private let folder = CommandFolder()

  @Test func favoritesAreMarkedAndUnmarked() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg")
    await #expect(
      folder.edit("library", "favorite", "@/photos/a.jpg")
        == Transcript(results: ["@/photos/a.jpg: favorite now"]))
    await #expect(
      folder.edit("library", "favorite", "@/photos/a.jpg").results
        == ["@/photos/a.jpg: unchanged, it is favorite already"])
    #expect(try await folder.listed("--album", "Favorites") == ["a.jpg"])
    await #expect(
      folder.edit("library", "favorite", "--off", "@/photos/a.jpg").results
        == ["@/photos/a.jpg: not favorite now"])
    #expect(try await folder.listed("--album", "Favorites").isEmpty)
  }

  @Test func hiddenPhotosDoNotShow() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg")
    let status = try await folder.edit("library", "hide", "--json", "@/photos/a.jpg").objects
    #expect(status.first?["status"]?.string == "changed")
    #expect(try await folder.listed() == ["b.jpg"])
    _ = await folder.edit("library", "hide", "--off", "@/photos/a.jpg")
    #expect(try await folder.listed("--sort", "filename") == ["a.jpg", "b.jpg"])
  }

  @Test func allAreMarkedInOneChange() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg", "c.jpg")
    let token = try folder.library().currentChangeToken
    let marked = await folder.edit(
      "library", "favorite", "@/photos/a.jpg", "@/none.jpg", "@/photos/c.jpg")
    #expect(marked.code == 1)
    let changes = try folder.library().fetchPersistentChanges(since: token)
    #expect(changes.count == 1)
    #expect(try changes.first?.changeDetails(for: .asset)?.updatedLocalIdentifiers.count == 2)
  }
}
