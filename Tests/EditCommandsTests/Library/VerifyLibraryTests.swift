import Foundation
import Testing

@Suite struct VerifyLibraryTests {
  private let folder = CommandFolder()

  @Test func aSoundLibraryIsSaidToBeSound() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg")
    _ = await folder.edit("apply", "noir", "@/photos/a.jpg")
    _ = await folder.edit("library", "scan")
    await #expect(
      folder.edit("library", "verify")
        == Transcript(messages: ["edit: 2 photos checked, the library is sound."]))
    await #expect(folder.edit("library", "verify", "--quiet") == Transcript())
  }

  @Test func whatChangedSinceIsFoundAndPutRight() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg", "c.jpg")
    _ = await folder.edit("apply", "noir", "@/photos/a.jpg")
    try folder.remove("photos/b.jpg")
    try folder.add("orientation/6.jpg", as: "photos/c.jpg")
    try folder.put("{", as: "data/library/catalogue.json")
    let found = await folder.edit("library", "verify")
    #expect(found.code == 1)
    #expect(
      found.results == [
        "@/data/library/catalogue.json: export unreadable",
        "  @/data/library/catalogue.json cannot be read: it is damaged, or a newer Safelight wrote "
          + "it. Write it again with “edit library verify --fix”.",
        "@/photos/a.jpg: edit outdated",
        "  The edit of @/photos/a.jpg is not the one that the library knows. "
          + "Scan again with “edit library scan”.",
        "@/photos/b.jpg: photo missing",
        "  @/photos/b.jpg is missing. “edit library scan” finds it where it was moved to, or "
          + "takes it out of the library.",
        "@/photos/c.jpg: photo changed",
        "  @/photos/c.jpg was changed since the library's last scan. "
          + "Scan again with “edit library scan”.",
      ])
    #expect(found.messages == ["edit: 3 photos checked, 4 problems."])
    let kinds = try await folder.edit("library", "verify", "--json").objects.map {
      $0["kind"]?.string
    }
    #expect(kinds == ["export-unreadable", "edit-outdated", "photo-missing", "photo-changed"])
    let fixed = await folder.edit("library", "verify", "--fix")
    #expect(fixed.code == 0)
    #expect(fixed.results.contains("@/photos/a.jpg: edit outdated, put right"))
    #expect(fixed.messages == ["edit: 2 photos checked, the library is sound. 4 put right."])
    await #expect(folder.edit("library", "verify", "--quiet") == Transcript())
  }

  @Test func theExportMustSayWhatTheCatalogDoes() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    _ = await folder.edit("library", "favorite", "@/photos/a.jpg")
    // With the number of the last change, so that nothing seems to be left to be written.
    let journal = String(
      decoding: folder.data("data/library/catalogue.journal.ndjson") ?? Data(), as: UTF8.self)
    let numbers = journal.matches(of: /"sequence":(\d+)/).compactMap { Int($0.output.1) }
    let last = try #require(numbers.max())
    try folder.put("", as: "data/library/catalogue.journal.ndjson")
    try folder.put(
      "{\"version\":1,\"sequence\":\(last),\"entries\":[]}", as: "data/library/catalogue.json")
    await #expect(
      folder.edit("library", "verify").results.first
        == "@/data/library/catalogue.json: export outdated")
    await #expect(folder.edit("library", "verify", "--fix").code == 0)
    #expect(folder.data("data/library/catalogue.json").map { $0.count > 60 } == true)
  }
}
