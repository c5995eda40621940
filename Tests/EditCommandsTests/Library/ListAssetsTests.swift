import PhotoLibraryKit
import Testing

@testable import SafelightEditCommands

@Suite struct ListAssetsTests {
  private let folder = CommandFolder()

  @Test func anObjectHasExactlyWhatProgramsWereTold() async throws {
    try await folder.makeLibrary()
    try folder.add("exif-gps-makernote.jpg", as: "photos/gps.jpg")
    try folder.add("orientation/6.jpg", as: "photos/plain.jpg")
    _ = await folder.edit("library", "scan")
    let objects = try await folder.edit("library", "list", "--json", "--sort", "filename").objects
    let keys = [
      "localIdentifier", "path", "creationDate", "modificationDate", "pixelWidth", "pixelHeight",
      "favorite", "hidden", "hasAdjustments", "location", "localDate", "creationDateSource",
      "timeZoneOffset", "title", "caption", "keywords", "rating", "camera", "lens", "iso",
      "exposureTime", "aperture", "focalLength",
    ]
    #expect(objects.map { $0.members?.map(\.key) } == [keys, keys])
    let (photo, plain) = (objects[0], objects[1])
    #expect(photo["path"]?.string == "@/photos/gps.jpg")
    let date = try #require(photo["creationDate"]?.string)
    #expect(date.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    #expect(photo["location"]?.members?.map(\.key) == ["latitude", "longitude"])
    #expect(photo["creationDateSource"]?.string == "metadata")
    // The file's.
    #expect(plain["creationDate"] == plain["modificationDate"])
    #expect(plain["creationDateSource"]?.string == "file")
    #expect(plain["location"] == .null)
    #expect(plain["favorite"] == .bool(false))
  }

  @Test func photosAreChosenSortedCutAndCounted() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg", "c.jpg", "d.jpg")
    _ = await folder.edit("library", "hide", "@/photos/d.jpg")
    _ = await folder.edit("library", "favorite", "@/photos/a.jpg", "@/photos/c.jpg")
    #expect(
      try await folder.listed("--sort", "filename:descending") == ["c.jpg", "b.jpg", "a.jpg"])
    #expect(
      try await folder.listed("--sort", "favorite:descending", "--sort", "filename")
        == ["a.jpg", "c.jpg", "b.jpg"])
    #expect(try await folder.listed("--sort", "filename", "--limit", "2") == ["a.jpg", "b.jpg"])
    #expect(try await folder.listed("--where", "isFavorite = YES AND filename > 'b'") == ["c.jpg"])
    #expect(try await folder.listed("--hidden").count == 4)
    #expect(try await folder.listed("--album", "Hidden") == ["d.jpg"])
    await #expect(folder.edit("library", "list", "--count").results == ["3"])
    await #expect(
      folder.edit("library", "list", "--count", "--json").results == [#"{"count":3}"#])
    await #expect(
      folder.edit("library", "list", "--where", "FALSEPREDICATE")
        == Transcript(messages: ["edit: There are no photos."]))
  }

  @Test func aMistakeInAPredicateIsPointedAt() async throws {
    try await folder.makeLibrary()
    await #expect(
      folder.edit("library", "list", "--where", "hidden = 1 AND favorit = 1")
        == Transcript(
          messages: [
            "edit: --where cannot be read. Column 16: there is no key “favorit”. "
              + "Did you mean “favorite”?",
            "  hidden = 1 AND favorit = 1", "                 ^",
          ], code: 1))
    let json = try await folder.edit("library", "list", "--json", "--where", "nothing").objects
    #expect(json.first?["error"]?["code"]?.string == "invalid-predicate")
  }

  @Test(arguments: [
    ("datum", "edit: There is no key “datum” to sort by."),
    ("creationDate:down", "edit: “creationDate:down” is not an order to sort by."),
    (
      "estimatedAssetCount",
      "edit: There is no “estimatedAssetCount” of assets to filter or sort by."
    ),
  ])
  func aMistakeInAnOrderIsTold(order: String, message: String) async throws {
    try await folder.makeLibrary()
    let transcript = await folder.edit("library", "list", "--sort", order)
    #expect(transcript.code == 1)
    #expect(transcript.messages.first?.hasPrefix(message) == true)
  }

  @Test func showingSaysEverything() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    _ = await folder.edit("library", "album", "create", "Best")
    _ = await folder.edit("library", "album", "add", "Best", "@/photos/a.jpg")
    _ = await folder.edit("library", "favorite", "@/photos/a.jpg")
    _ = await folder.edit("apply", "noir", "@/photos/a.jpg")
    _ = await folder.edit("library", "scan")
    let text = await folder.edit("library", "show", "@/photos/a.jpg").results
    #expect(text.first?.hasPrefix("@/photos/a.jpg: JPEG, ") == true)
    #expect(text.contains("  marks       favorite"))
    #expect(text.contains("  edit        org.safelight.edit"))
    #expect(text.contains("  albums      Best"))
    let object = try #require(
      try await folder.edit("library", "show", "--json", "@/photos/a.jpg").objects.first)
    #expect(object["status"]?.string == "shown")
    #expect(object["albums"]?.elements?.map(\.string) == ["Best"])
    #expect(object["adjustmentFormatIdentifier"]?.string == "org.safelight.edit")
    #expect(object["mediaSubtypes"]?.elements?.isEmpty == true)
    let identifier = try #require(object["localIdentifier"]?.string)
    let byName = await folder.edit("library", "show", identifier)
    #expect(byName.results.first?.hasPrefix("\(identifier): JPEG, ") == true)
  }

  @Test func whatIsNotInTheLibraryFailsAlone() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    try folder.add("orientation/2.jpg", as: "other.jpg")
    let transcript = await folder.edit("library", "show", "@/other.jpg", "@/photos/a.jpg")
    #expect(transcript.code == 1)
    #expect(transcript.results.first == "@/other.jpg: failed")
    #expect(transcript.results.contains { $0.hasPrefix("@/photos/a.jpg: JPEG") })
    #expect(
      transcript.messages == [
        "edit: @/other.jpg is not in the library. Take its folder in with “edit library add”, or "
          + "scan again with “edit library scan”."
      ])
  }

  @Test func aLineFitsANarrowTerminal() async throws {
    try await folder.makeLibrary(of: "a rather long name of a photo.jpg")
    let asset = try #require(try folder.library().fetchAssets().first)
    let whole = AssetRow(asset).text(columns: nil)
    #expect(whole.hasSuffix("  ---  " + asset.path.string))
    #expect(whole.contains(" × "))
    for columns in [100, 80, 60, 40] {
      let line = AssetRow(asset).text(columns: columns)
      #expect(line.columns <= columns, "\(line)")
      #expect(line.hasSuffix(".jpg"))
      #expect(line.contains(" × ") == (columns >= 80))
    }
  }

  @Test(
    arguments: [
      ("041D0FDE-8FA8-8674-A28E-D6952BF3981D/L0/001", true), ("041D0FDE/L0/001", false),
      ("./041D0FDE-8FA8-8674-A28E-D6952BF3981D/L0/001", false), ("beach.jpg", false),
    ] as [(FilePath, Bool)])
  func identifiersAreToldFromPaths(word: FilePath, isIdentifier: Bool) {
    #expect(word.isLocalIdentifier == isIdentifier)
  }
}
