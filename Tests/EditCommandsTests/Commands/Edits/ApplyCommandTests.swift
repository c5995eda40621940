import Foundation
import PhotoEditing
import Testing

@Suite struct ApplyCommandTests {
  private let folder = CommandFolder()

  @Test func aBadPhotoInTheMiddleDoesNotStopTheOthers() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("bad/text.jpg")
    try folder.add("gradients/chart.png")
    let photos = ["@/1.jpg", "@/text.jpg", "@/missing.jpg", "@/chart.png"]
    let text = await folder.edit(["apply", "noir"] + photos)
    #expect(
      text
        == Transcript(
          results: [
            "@/1.jpg: noir, rendered to @/1_edited.jpg", "@/text.jpg: failed",
            "@/missing.jpg: failed", "@/chart.png: noir, rendered to @/chart_edited.jpg",
          ],
          messages: [
            "edit: @/text.jpg: The file is not a picture. Safelight edits JPEG, PNG, TIFF, WebP, "
              + "HEIC and AVIF; it goes by the content, not the name.",
            "edit: @/missing.jpg does not exist. Check the name, and that the disk is mounted.",
          ],
          code: 1))

    let json = await folder.edit(["apply", "noir", "--json"] + photos)
    #expect(
      json.results == [
        #"{"photo":"@/1.jpg","status":"unchanged","rendered":"@/1_edited.jpg","#
          + #""record":"@/1.jpg.aae"}"#,
        #"{"photo":"@/text.jpg","status":"failed","error":{"code":"not-a-picture","#
          + #""message":"@/text.jpg: The file is not a picture.","hint":"Safelight edits JPEG, "#
          + #"PNG, TIFF, WebP, HEIC and AVIF; it goes by the content, not the name."}}"#,
        #"{"photo":"@/missing.jpg","status":"failed","error":{"code":"original-missing","#
          + #""message":"@/missing.jpg does not exist.","#
          + #""hint":"Check the name, and that the disk is mounted."}}"#,
        #"{"photo":"@/chart.png","status":"unchanged","rendered":"@/chart_edited.jpg","#
          + #""record":"@/chart.png.aae"}"#,
      ])
    #expect(json.messages == text.messages)
    #expect(json.code == 1)
  }

  @Test func quietSaysNothingButErrors() async throws {
    try folder.add("alpha.png")
    await #expect(folder.edit("apply", "noir", "-q", "@/alpha.png") == Transcript())
    await #expect(
      folder.edit("apply", "noir", "--quiet", "--json", "@/alpha.png").results == [
        #"{"photo":"@/alpha.png","status":"unchanged","rendered":"@/alpha_edited.jpg","#
          + #""record":"@/alpha.png.aae"}"#
      ])
    await #expect(
      folder.edit("apply", "noir", "-q", "@/none.png")
        == Transcript(
          messages: [
            "edit: @/none.png does not exist. Check the name, and that the disk is mounted."
          ], code: 1))
  }

  @Test func whatIsLostIsSaid() async throws {
    try folder.add("alpha.png")
    await #expect(
      folder.edit("apply", "noir", "@/alpha.png")
        == Transcript(
          results: ["@/alpha.png: noir, rendered to @/alpha_edited.jpg"],
          messages: [
            "edit: @/alpha.png: The photo has transparency; the render shows it on white."
          ]))
    await #expect(
      folder.edit("apply", "mono", "@/alpha.png", "--json").results == [
        #"{"photo":"@/alpha.png","status":"edited","rendered":"@/alpha_edited.jpg","#
          + #""record":"@/alpha.png.aae","#
          + #""warnings":["The photo has transparency; the render shows it on white."]}"#
      ])
  }

  @Test func aRenderAmongThePhotosIsSkippedWithANote() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    await #expect(
      folder.edit("apply", "mono", "@/1.jpg", "@/1_edited.jpg")
        == Transcript(
          results: ["@/1.jpg: mono, rendered to @/1_edited.jpg"],
          messages: ["edit: 1 render or sidecar was passed over."]))
  }

  @Test(arguments: [
    ("nior", "There is no filter called “nior”. Did you mean “noir”?"),
    ("vivid-cold", "There is no filter called “vivid-cold”. Did you mean “vivid-cool”?"),
    (
      "kodachrome",
      "There is no filter called “kodachrome”. “edit filters” lists them; a file is named "
        + "with its ending, such as look.cube."
    ),
  ])
  func aMistypedFilterIsSaidOnce(name: String, message: String) async throws {
    try folder.add("orientation/1.jpg")
    await #expect(
      folder.edit("apply", name, "@/1.jpg", "@/2.jpg")
        == Transcript(
          results: ["@/1.jpg: failed", "@/2.jpg: failed"], messages: ["edit: " + message], code: 64)
    )
    let json = await folder.edit("apply", name, "--json", "@/1.jpg")
    #expect(json.code == 64)
    #expect(json.results.first?.contains(#""error":{"code":"unknown-filter","#) == true)
    #expect(folder.names == ["1.jpg"])
  }

  @Test func aFilterComesFromAFileToo() async throws {
    try folder.add("orientation/1.jpg")
    let noir = await folder.edit("filters", "noir", "--json").results.joined()
    try folder.put(noir.replacing(#""name":"noir""#, with: #""name":"mine""#), as: "mine.json")
    await #expect(
      folder.edit("apply", "@/mine.json", "@/1.jpg").results
        == ["@/1.jpg: mine, rendered to @/1_edited.jpg"])

    try folder.put(#"{"name":"mine"}"#, as: "bad.json")
    let bad = await folder.edit("apply", "@/bad.json", "@/1.jpg")
    #expect(
      bad.messages == [
        "edit: @/bad.json is not a usable filter: It has no version. "
          + "“edit filters noir --json” shows what a filter looks like."
      ])
    let missing = await folder.edit("apply", "@/none.json", "@/1.jpg")
    #expect(
      missing.messages == [
        "edit: @/none.json does not exist. Check the name, and that its folder is there."
      ])
    #expect(missing.code == 1)
  }

  @Test func addPutsAFilterOnTop() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg", "--intensity", "0.5")
    _ = await folder.edit("apply", "sepia", "@/1.jpg", "--add")
    let shown = await folder.edit("show", "@/1.jpg")
    #expect(shown.results[1] == "  edit      noir at 0.5, sepia")
  }

  @Test func aPhotoOverThePixelLimitIsRefused() async throws {
    try folder.add("bad/huge-header.png")
    let transcript = await folder.edit("apply", "noir", "@/huge-header.png")
    #expect(
      transcript.messages == [
        "edit: @/huge-header.png: The picture has 65500 × 65500 pixels, more than the limit of "
          + "500 megapixels. If you trust the file, raise the limit with --pixel-limit MEGAPIXELS."
      ])
    #expect(transcript.code == 1)
    #expect(folder.names == ["huge-header.png"])
  }

  @Test func aDamagedPhotoIsRenderedWhenAllowed() async throws {
    try folder.add("bad/truncated.jpg")
    let refused = await folder.edit("apply", "noir", "@/truncated.jpg")
    #expect(refused.code == 1)
    let message = "edit: @/truncated.jpg: The picture is truncated or damaged"
    #expect(refused.messages.first?.hasPrefix(message) == true)
    #expect(folder.names == ["truncated.jpg"])
    let allowed = await folder.edit("apply", "noir", "--allow-damaged", "@/truncated.jpg")
    #expect(allowed.results == ["@/truncated.jpg: noir, rendered to @/truncated_edited.jpg"])
  }

  @Test func aNameWithControlCharactersStaysOnItsLine() async throws {
    try folder.add("orientation/1.jpg", as: "a\nb\u{1B}[2J.jpg")
    let edited = await folder.edit("apply", "noir", "@/a\nb\u{1B}[2J.jpg")
    #expect(
      edited.results == [#"@/a\nb\u{1B}[2J.jpg: noir, rendered to @/a\nb\u{1B}[2J_edited.jpg"#])
    let missing = await folder.edit("apply", "noir", "@/x\ny.jpg")
    #expect(missing.results == [#"@/x\ny.jpg: failed"#])
    #expect(
      missing.messages == [
        #"edit: @/x\ny.jpg does not exist. Check the name, and that the disk is mounted."#
      ])
    let json = await folder.edit("apply", "noir", "--json", "@/x\ny.jpg")
    #expect(json.results.first?.hasPrefix(#"{"photo":"@/x\ny.jpg","status":"failed""#) == true)
  }
}
