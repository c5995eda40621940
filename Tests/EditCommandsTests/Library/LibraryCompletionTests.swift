import SafelightArguments
import Testing

@testable import SafelightEditCommands

@Suite struct LibraryCompletionTests {
  private let folder = CommandFolder()

  private func words(_ words: String...) async -> [String] {
    await CommandSurroundings.$userFilters.withValue(folder.userFilters) {
      await EditCommand.completions(for: words).candidates.map(\.word)
    }
  }

  @Test func albumsAreOfferedWhereOneIsNamed() async throws {
    try await folder.makeLibrary()
    _ = await folder.edit("library", "album", "create", "Holidays")
    _ = await folder.edit("library", "album", "create", "--folder", "Trips")
    await #expect(words("apply", "noir", "--album", "Hol").contains("Holidays"))
    await #expect(words("library", "album", "show", "").starts(with: ["Holidays", "Library"]))
    await #expect(words("library", "album", "create", "A", "--in", "") == ["Trips"])
    await #expect(words("library", "list", "--library", "none", "--album", "") == [])
  }

  @Test func programsThatAskedAreOffered() async throws {
    try await folder.makeLibrary()
    _ = await folder.edit("library", "access", "grant", "org.example.frames")
    await #expect(words("library", "access", "revoke", "") == ["org.example.frames"])
  }

  @Test func lookingForAlbumsMakesNoLibrary() async {
    await #expect(words("apply", "noir", "--album", "") == [])
    #expect(folder.names.isEmpty)
  }
}
