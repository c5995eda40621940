import Testing

@Suite struct AlbumCommandTests {
  private let folder = CommandFolder()

  private func album(_ words: String...) async -> Transcript {
    await folder.edit(["library", "album"] + words)
  }

  @Test func albumsAreListedInFoldersAndBeforeThoseThatFillThemselves() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    _ = await album("create", "Best")
    _ = await album("create", "--folder", "Trips")
    await #expect(
      album("create", "Italy", "--in", "Trips") == Transcript(results: ["Italy: made"]))
    _ = await album("add", "trips/italy", "@/photos/a.jpg")
    let lines = await album("list").results
    #expect(
      lines.prefix(5) == [
        "Best            0", "Trips/", "  Italy         1", "Library         1",
        "Favorites       0",
      ])
    let italy = try #require(try await album("list", "--json").objects.dropFirst(2).first)
    #expect(italy["title"]?.string == "Italy")
    #expect(italy["folder"]?.string == "Trips")
    #expect(italy["kind"]?.string == "album")
    #expect(italy["count"]?.number == 1)
  }

  @Test func noTwoHaveTheSameNameInOnePlace() async throws {
    try await folder.makeLibrary()
    _ = await album("create", "Best")
    let refusal = Transcript(
      messages: [
        "edit: There is an album or folder called “Best” already. Choose another name."
      ], code: 1)
    await #expect(album("create", "Best") == refusal)
    _ = await album("create", "Other")
    await #expect(album("rename", "Other", "Best") == refusal)
    await #expect(album("rename", "Best", "Best").code == 0)
    _ = await album("create", "--folder", "Trips")
    _ = await album("create", "Best", "--in", "Trips")
    await #expect(album("move", "Trips/Best", "--top") == refusal)
    let ambiguous = await album("show", "Best")
    #expect(ambiguous.messages.first?.hasPrefix("edit: 2 albums are called “Best”.") == true)
    await #expect(album("show", "Trips/Best").results == ["Trips/Best: 0 photos"])
  }

  @Test func aMistypedNameGetsTheNearest() async throws {
    try await folder.makeLibrary()
    _ = await album("create", "Holidays")
    await #expect(
      album("show", "Hollidays").messages
        == ["edit: The library has no album called “Hollidays”. Did you mean “Holidays”?"])
    await #expect(album("show", "holidays").results == ["Holidays: 0 photos"])
    await #expect(
      album("create", "A", "--in", "Trips").messages
        == [
          "edit: The library has no folder of albums called “Trips”. "
            + "Make it with “edit library album create --folder”."
        ])
  }

  @Test func photosAreAddedOnceAndMoved() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg", "c.jpg")
    _ = await album("create", "Best")
    _ = await album("add", "Best", "@/photos/a.jpg", "@/photos/b.jpg")
    await #expect(
      album("add", "Best", "@/photos/a.jpg", "@/photos/c.jpg")
        == Transcript(
          results: [
            "@/photos/a.jpg: unchanged, it is in Best already", "@/photos/c.jpg: added to Best",
          ]))
    #expect(try await folder.listed("--album", "Best") == ["a.jpg", "b.jpg", "c.jpg"])
    await #expect(
      album("move", "Best", "@/photos/c.jpg", "--to", "1").results
        == ["@/photos/c.jpg: moved in Best"])
    #expect(try await folder.listed("--album", "Best") == ["c.jpg", "a.jpg", "b.jpg"])
    _ = await album("move", "Best", "@/photos/c.jpg", "@/photos/a.jpg", "--to", "99")
    #expect(try await folder.listed("--album", "Best") == ["b.jpg", "c.jpg", "a.jpg"])
    await #expect(
      album("remove", "Best", "@/photos/c.jpg", "@/photos/c.jpg").results
        == ["@/photos/c.jpg: taken out of Best", "@/photos/c.jpg: taken out of Best"])
    _ = await album("add", "Best", "@/photos/c.jpg", "--at", "1")
    #expect(try await folder.listed("--album", "Best") == ["c.jpg", "b.jpg", "a.jpg"])
    let shown = await album("show", "Best").results
    #expect(shown.first == "Best: 3 photos")
    // A photo without a date has that of its file.
    #expect(shown.last?.hasPrefix("      3  2") == true)
    let object = try #require(try await album("show", "Best", "--json").objects.first)
    #expect(object["assets"]?.elements?.count == 3)
  }

  @Test func aFolderIsDeletedWithItsAlbumsOnlyWhenAsked() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    _ = await album("create", "--folder", "Trips")
    _ = await album("create", "Italy", "--in", "Trips")
    await #expect(
      album("delete", "Trips").messages
        == [
          "edit: The folder “Trips” has 1 album in it. Delete or move these first, or delete them "
            + "too with --recursive."
        ])
    await #expect(album("delete", "-r", "Trips").results == ["Trips: deleted"])
    await #expect(album("list").results.first?.hasPrefix("Library") == true)
    #expect(try await folder.listed() == ["a.jpg"])
  }

  @Test func albumsThatFillThemselvesCannotBeArranged() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    await #expect(
      album("add", "favorites", "@/photos/a.jpg").messages
        == [
          "edit: “Favorites” fills itself and cannot be arranged. "
            + "Make an album of your own with “edit library album create”."
        ])
    for words in [["delete", "Favorites"], ["rename", "favorites", "Best"]] {
      await #expect(
        folder.edit(["library", "album"] + words).messages.first?
          .hasPrefix("edit: “Favorites” fills itself and cannot be arranged.") == true)
    }
  }

  @Test(arguments: [
    ["move", "A"], ["move", "A", "a.jpg"], ["move", "A", "--to", "1"],
    ["move", "A", "a.jpg", "--top"], ["move", "A", "--top", "--in", "B"], ["create", ""],
  ])
  func whatDoesNotGoTogetherIsMisuse(words: [String]) async {
    await #expect(folder.edit(["library", "album"] + words).code == 64)
  }
}
