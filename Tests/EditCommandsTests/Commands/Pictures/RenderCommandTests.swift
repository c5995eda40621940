import Foundation
import Glibc
import Testing

@Suite struct RenderCommandTests {
  private let folder = CommandFolder()

  /// The first bytes of each format.
  private static let signatures: [String: [UInt8]] = [
    "jpeg": [0xFF, 0xD8, 0xFF], "png": [0x89, 0x50, 0x4E, 0x47], "tiff": [0x49, 0x49, 0x2A, 0],
    "webp": Array("RIFF".utf8),
  ]

  @Test(arguments: [
    ("out.jpg", nil, "jpeg"), ("out.JPEG", nil, "jpeg"), ("out.png", nil, "png"),
    ("out.tif", nil, "tiff"), ("out.tiff", nil, "tiff"), ("out.webp", nil, "webp"),
    ("out", nil, "jpeg"), ("out", "png", "png"), ("out.raw", "tiff", "tiff"),
    ("out.png", "png", "png"),
  ])
  func theFormatIsTheEndingsUnlessGiven(
    output: String, format: String?, expected: String
  ) async throws {
    try folder.add("gradients/chart.png")
    let option = format.map { ["--format", $0] } ?? []
    await #expect(
      folder.edit(["render", "@/chart.png", "-o", "@/\(output)"] + option)
        == Transcript(results: ["@/chart.png: rendered to @/\(output)"]))
    let signature = try #require(Self.signatures[expected])
    #expect(folder.data(output)?.starts(with: signature) == true)
    #expect(folder.names == ["chart.png", output].sorted())
  }

  @Test(arguments: [(0o600, 0o600), (0o640, 0o640), (0o644, 0o644), (0o400, 0o600), (0o666, 0o644)])
  func anExportIsNotMoreReadableThanItsOriginal(original: mode_t, expected: mode_t) async throws {
    try folder.add("gradients/chart.png")
    chmod(folder.path + "/chart.png", original)
    _ = await folder.edit("render", "@/chart.png", "-o", "@/out.png")
    var status = stat()
    #expect(stat(folder.path + "/out.png", &status) == 0)
    let mask = umask(0)
    umask(mask)
    #expect(status.st_mode & 0o777 == expected & ~mask)
  }

  @Test func severalPhotosGoIntoAFolderUnderNamesOfTheirOwn() async throws {
    try folder.add("gradients/chart.png", as: "a.png")
    try folder.add("orientation/1.jpg", as: "a.jpg")
    try folder.add("orientation/2.jpg", as: "x/a.jpg")
    try folder.add("orientation/3.jpg", as: "y/a.jpg")
    try folder.put("", as: "web/.keep")
    await #expect(
      folder.edit("render", "@/a.png", "@/a.jpg", "@/x/a.jpg", "@/y/a.jpg", "-o", "@/web")
        == Transcript(results: [
          "@/a.png: rendered to @/web/a.jpg", "@/a.jpg: rendered to @/web/a-2.jpg",
          "@/x/a.jpg: rendered to @/web/a-3.jpg", "@/y/a.jpg: rendered to @/web/a-4.jpg",
        ]))
    await #expect(
      folder.edit("render", "@/a.jpg", "-o", "@/web", "--format", "png", "--json").results == [
        #"{"photo":"@/a.jpg","status":"rendered","rendered":"@/web/a.png"}"#
      ])
  }

  @Test(arguments: [[], ["--dry-run"]])
  func aFileThatIsThereIsOnlyReplacedWhenAskedTo(option: [String]) async throws {
    try folder.add("orientation/1.jpg")
    try folder.put("mine", as: "out.jpg")
    let before = folder.contents
    await #expect(
      folder.edit(["render", "@/1.jpg", "-o", "@/out.jpg"] + option)
        == Transcript(
          results: ["@/1.jpg: failed"],
          messages: [
            "edit: @/out.jpg exists already. Choose another name, or allow it with --overwrite."
          ], code: 1))
    #expect(folder.contents == before)
    _ = await folder.edit("render", "@/1.jpg", "-o", "@/out.jpg", "--overwrite")
    #expect(folder.data("out.jpg")?.starts(with: [0xFF, 0xD8]) == true)
  }

  @Test(arguments: ["@/1.jpg", "@/1_edited.jpg", "@"])
  func thePhotosOwnFilesAreNeverReplaced(output: String) async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    let before = folder.contents
    let transcript = await folder.edit("render", "@/1.jpg", "-o", output, "--overwrite")
    let file = output == "@" ? "@/1.jpg" : output
    #expect(
      transcript
        == Transcript(
          results: ["@/1.jpg: failed"],
          messages: [
            "edit: \(file) belongs to the photo and is not overwritten. Choose another name or "
              + "folder."
          ], code: 1))
    #expect(folder.contents == before)
  }

  @Test func theOriginalCanBeWrittenInsteadOfTheEdit() async throws {
    try folder.add("orientation/6.jpg")
    _ = await folder.edit("render", "@/6.jpg", "-o", "@/before.png")
    _ = await folder.edit("apply", "noir", "@/6.jpg")
    _ = await folder.edit("render", "@/6.jpg", "-o", "@/edited.png")
    await #expect(
      folder.edit("render", "--original", "@/6.jpg", "-o", "@/original.png")
        == Transcript(results: ["@/6.jpg: rendered to @/original.png"]))
    #expect(folder.data("original.png") == folder.data("before.png"))
    #expect(folder.data("original.png") != folder.data("edited.png"))
  }

  @Test func theLongestSideIsALimit() async throws {
    try folder.add("orientation/6.jpg")
    _ = await folder.edit("render", "@/6.jpg", "-o", "@/out.png", "--longest-side", "48")
    let shown = await folder.edit("show", "@/out.png")
    #expect(shown.results.first?.hasPrefix("@/out.png: PNG, 48 × 32, ") == true)
    await #expect(
      folder.edit("render", "@/6.jpg", "-o", "@/no.png", "--longest-side", "0")
        == Transcript(
          messages: ["Error: --longest-side takes a number from 1 to 1000000, not 0."], code: 64))
  }

  /// Of a picture of 96 × 64 pixels.
  @Test(arguments: [
    (["--longest-side", "48"], "48 × 32"), (["--shortest-side", "16"], "24 × 16"),
    (["--fit", "60x20"], "30 × 20"), (["--fill", "30x40"], "30 × 40"),
    (["--fill", "40x30"], "40 × 30"), (["--megapixels", "0.0024"], "60 × 40"),
    (["--percent", "25"], "24 × 16"), (["--longest-side", "200"], "96 × 64"),
    (["--fill", "200x200"], "64 × 64"), (["--fill", "200x200", "--enlarge"], "200 × 200"),
    (["--longest-side", "144", "--enlarge"], "144 × 96"),
    (["--shortest-side", "128", "--enlarge"], "192 × 128"),
    (["--fit", "192x500", "--enlarge"], "192 × 128"),
    (["--percent", "200", "--enlarge"], "192 × 128"),
    (["--megapixels", "0.024576", "--enlarge"], "192 × 128"),
    (["--longest-side", "48", "--enlarge"], "48 × 32"),
  ])
  func theSizeIsTheOneThatIsAskedFor(option: [String], size: String) async throws {
    try folder.add("orientation/6.jpg")
    let end = await folder.edit(["render", "@/6.jpg", "-o", "@/out.png"] + option)
    #expect(end.code == 0, "\(end.messages)")
    let shown = await folder.edit("show", "@/out.png")
    #expect(shown.results.first?.contains(", \(size), ") == true, "\(shown.results)")
  }

  @Test func aFileHasAtMostSoManyBytes() async throws {
    try folder.add("beach.jpg")
    for ending in ["jpg", "webp"] {
      let words = ["render", "@/beach.jpg", "-o", "@/out.\(ending)", "--overwrite"]
      _ = await folder.edit(words)
      let whole = try #require(folder.data("out.\(ending)"))
      _ = await folder.edit(words + ["--max-bytes", "\(whole.count)"])
      #expect(folder.data("out.\(ending)")?.count == whole.count)
      _ = await folder.edit(words + ["--max-bytes", "60kB"])
      let small = try #require(folder.data("out.\(ending)"))
      #expect((40_000...60_000).contains(small.count), "\(ending): \(small.count)")
    }
    let end = await folder.edit("render", "@/beach.jpg", "-o", "@/no.jpg", "--max-bytes", "500")
    #expect(end.code == 1 && end.messages.first?.contains("Even at quality 1") == true)
    #expect(end.messages.first?.contains("PNG") == false)
    #expect(folder.data("no.jpg") == nil)
  }

  /// The ending says the format, which says what is possible.
  @Test func theEndingDecidesWhatContradicts() async throws {
    try folder.add("orientation/6.jpg")
    let words = ["render", "@/6.jpg", "--overwrite", "-o"]
    #expect(await folder.edit(words + ["@/out.png", "--depth", "16"]).code == 0)
    #expect(await folder.edit(words + ["@/out.jpg", "--chroma", "4:2:0"]).code == 0)
    for other in [
      ["@/no.jpg", "--depth", "16"], ["@/no.png", "--chroma", "4:2:0"],
      ["@/no.tif", "--max-bytes", "1000"], ["@/no.png", "--depth", "12"],
    ] {
      let end = await folder.edit(words + other)
      #expect(end.code == 64 && end.messages.first?.hasPrefix("Error: ") == true, "\(other)")
    }
    #expect(folder.names == ["6.jpg", "out.jpg", "out.png"])
  }

  @Test func eightBitsInAVeryWideProfileAreSaid() async throws {
    try folder.add("orientation/6.jpg")
    let wide = ["--profile", "prophoto", "--depth", "16"]
    #expect(await folder.edit(["render", "@/6.jpg", "-o", "@/wide.tif"] + wide).code == 0)
    func warnings(_ options: [String]) async -> [String] {
      await folder.edit(["render", "@/wide.tif", "--overwrite", "-o"] + options).messages.filter {
        $0.contains("very wide color profile")
      }
    }
    #expect(await warnings(["@/out.jpg"]).count == 1)
    for options in [
      ["@/out.jpg", "--profile", "srgb"], ["@/out.jpg", "--profile", "prophoto"], ["@/out.png"],
      ["@/out.png", "--depth", "8"],
    ] {
      #expect(await warnings(options).isEmpty, "\(options)")
    }
  }

  @Test func anEnlargedPictureHasALimit() async throws {
    try folder.add("orientation/6.jpg")
    let end = await folder.edit(
      "render", "@/6.jpg", "-o", "@/no.png", "--longest-side", "60000", "--enlarge")
    #expect(end.code == 1 && end.messages.first?.contains("500 megapixels") == true)
  }

  @Test func aFolderThatIsMissingIsSaid() async throws {
    try folder.add("orientation/1.jpg")
    let transcript = await folder.edit("render", "@/1.jpg", "-o", "@/none/out.png")
    #expect(transcript.code == 1)
    #expect(
      transcript.messages == [
        "edit: @/1.jpg: @/none does not exist. Check the name, and that its folder is there."
      ])
  }
}

/// Pictures with an edit that is given beside the photo.
@Suite struct GivenEditTests {
  private let folder = CommandFolder()

  @Test func theEditTakesThePlaceOfThePhotosOwn() async throws {
    try folder.add("beach.jpg")
    _ = await folder.edit("apply", "vivid", "@/beach.jpg")
    _ = await folder.edit("render", "@/beach.jpg", "-o", "@/a.png", "--edit", "noir")
    let edit = #"{"filter": "noir"}"#
    _ = await folder.edit("render", "@/beach.jpg", "-o", "@/b.png", "--edit", edit)
    let noir = await folder.edit("show", "@/beach.jpg", "--json")
    #expect(noir.results[0].contains("vivid"))
    #expect(folder.data("a.png") != nil && folder.data("a.png") == folder.data("b.png"))
    // The same picture is not made again, another one is.
    let same = await folder.edit(
      "render", "@/beach.jpg", "-o", "@/a.png", "--edit", edit, "--newer")
    #expect(same.results == ["@/beach.jpg: @/a.png is there already"])
    let other = await folder.edit("render", "@/beach.jpg", "-o", "@/a.png", "--newer")
    #expect(other.results == ["@/beach.jpg: rendered to @/a.png"])
  }

  @Test(arguments: [
    (["--edit", "noir", "--original"], "--original shows no edit"),
    (["--edit", "noir", "--stale"], "leave"),
  ])
  func optionsThatContradictAreRefused(options: [String], words: String) async throws {
    try folder.add("beach.jpg")
    let said = await folder.edit(["render", "@/beach.jpg", "-o", "@/a.png"] + options)
    #expect(said.code == 64 && said.messages.joined().contains(words))
    let stream = await folder.edit("render", "-", "-o", "@/a.png", "--newer")
    #expect(stream.code == 64 && stream.messages.joined().contains("standard input"))
    let two = await folder.edit("render", "-", "@/beach.jpg", "-o", "@/a.png")
    #expect(two.code == 64 && folder.data("a.png") == nil)
  }
}
