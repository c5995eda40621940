import PhotoEditing
import SafelightArguments
import SafelightTestSupport
import Testing

@testable import SafelightEditCommands

@Suite struct GeometryCommandTests {
  private let folder = CommandFolder()

  /// What “edit show” says of the edit and of the render.
  private func shown(_ photo: String) async -> [String] {
    await folder.edit("show", photo).results.filter {
      $0.hasPrefix("  edit") || $0.hasPrefix("  render")
    }
  }

  @Test func rotatingSetsAndDoesNotAddUp() async throws {
    try folder.add("orientation/6.jpg")
    _ = await folder.edit("rotate", "90", "@/6.jpg")
    #expect(
      await shown("@/6.jpg") == [
        "  edit      rotate 90", "  render    @/6_edited.jpg, 64 × 96, lossless",
      ])
    await #expect(
      folder.edit("rotate", "right", "@/6.jpg")
        == Transcript(results: ["@/6.jpg: unchanged, @/6_edited.jpg is up to date"]))
    _ = await folder.edit("rotate", "-90", "@/6.jpg")
    #expect(await shown("@/6.jpg").first == "  edit      rotate 270")
  }

  @Test func flippingIsTakenBackByNone() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("flip", "both", "@/1.jpg")
    #expect(
      await shown("@/1.jpg").first == "  edit      flip-horizontal yes, flip-vertical yes")
    _ = await folder.edit("flip", "vertical", "@/1.jpg")
    #expect(await shown("@/1.jpg").first == "  edit      flip-vertical yes")
    _ = await folder.edit("flip", "none", "@/1.jpg")
    #expect(await shown("@/1.jpg").first == "  edit      none")
  }

  @Test func straighteningCropsWhatWouldBeEmpty() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("straighten", "-2.5", "@/1.jpg")
    #expect(
      await shown("@/1.jpg") == [
        "  edit      straighten -2.5", "  render    @/1_edited.jpg, 90 × 60",
      ])
  }

  @Test(arguments: [
    (["--rect", "0.25,0.5,0.5,0.5"], "crop-x 0.25, crop-y 0.5, crop-width 0.5, crop-height 0.5"),
    (["--rect", "24,32,48,32"], "crop-x 0.25, crop-y 0.5, crop-width 0.5, crop-height 0.5"),
    (["--rect", "25%,50%,50%,50%"], "crop-x 0.25, crop-y 0.5, crop-width 0.5, crop-height 0.5"),
    (["--rect", "0,0,48,1px"], "crop-width 0.5, crop-height 0.015625"),
    (["--aspect", "3:4"], "crop-x 0.25, crop-width 0.5"),
    (["--aspect", "0.75", "--gravity", "right"], "crop-x 0.5, crop-width 0.5"),
    (["--size", "48x32", "--gravity", "top-left"], "crop-width 0.5, crop-height 0.5"),
  ])
  func croppingStoresShares(options: [String], values: String) async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit(["crop", "@/1.jpg"] + options)
    #expect(await shown("@/1.jpg").first == "  edit      " + values)
    await #expect(
      folder.edit(["crop", "@/1.jpg"] + options).results
        == ["@/1.jpg: unchanged, @/1_edited.jpg is up to date"])
    _ = await folder.edit("crop", "@/1.jpg", "--none")
    #expect(await shown("@/1.jpg").first == "  edit      none")
    _ = await folder.edit("undo", "@/1.jpg")
    #expect(await shown("@/1.jpg").first == "  edit      " + values)
  }

  /// The record, the file's own Exif and its pixels agree on the size, and the picture is upright.
  @Test func theSizeIsToldRightEverywhere() async throws {
    try folder.add("exif-gps-makernote.jpg", as: "a.jpg")
    _ = await folder.edit("rotate", "left", "@/a.jpg")
    _ = await folder.edit("crop", "@/a.jpg", "--size", "40x30")
    #expect(await shown("@/a.jpg").last == "  render    @/a_edited.jpg, 40 × 30")
    let render = try #require(
      await folder.edit("show", "@/a_edited.jpg", "--json").results.first)
    #expect(render.contains(#""pixelWidth":40,"pixelHeight":30,"orientation":1"#))
    let record = try #require(folder.data("a.jpg.aae").map { String(decoding: $0, as: UTF8.self) })
    #expect(record.contains("<integer>40</integer>") && record.contains("<integer>30</integer>"))
  }

  @Test func aCropThatDoesNotFitFailsForThatPhotoAlone() async throws {
    try folder.add("orientation/1.jpg", as: "a.jpg")
    try folder.add("beach.jpg", as: "b.jpg")
    let transcript = await folder.edit("crop", "--size", "200x10", "@/a.jpg", "@/b.jpg")
    #expect(transcript.code == 1)
    #expect(
      transcript.results == ["@/a.jpg: failed", "@/b.jpg: cropped, rendered to @/b_edited.jpg"])
    #expect(
      transcript.messages == [
        "edit: @/a.jpg: The crop does not lie inside the picture: its width is 200 and may be from 1 "
          + "to 96. Choose a part of the uncropped picture, which has 96 × 64 pixels."
      ])
    #expect(
      await folder.edit("crop", "--rect", "50,0,60,64", "@/a.jpg", "--json").results.first?
        .contains(#""code":"crop-outside""#) == true)
  }

  /// A crop without loss is moved, which is said, and its render has the bits of the original.
  @Test func aCropWithoutLossBeginsAtBlocks() async throws {
    try folder.add("beach.jpg", as: "b.jpg")
    let rect = ["--rect", "10,7,400,300"]
    let usual = await folder.edit(["crop", "@/b.jpg", "--json"] + rect)
    #expect(usual.results.first?.contains("lossless") == false)
    let transcript = await folder.edit(["crop", "@/b.jpg", "--lossless"] + rect)
    #expect(transcript.code == 0)
    #expect(transcript.results == ["@/b.jpg: cropped, rendered to @/b_edited.jpg"])
    #expect(
      transcript.messages == [
        "edit: @/b.jpg: The crop was moved by 6 pixels to the right and 7 pixels up and made 4 "
          + "pixels higher, to begin and end at borders of the JPEG's blocks."
      ])
    #expect(await shown("@/b.jpg").last == "  render    @/b_edited.jpg, 400 × 304, lossless")
    let json = await folder.edit("show", "@/b.jpg", "--json").results.first
    #expect(json?.contains(#""lossless":true"#) == true)
    // Undone and done again, the render is as it was.
    let render = try #require(folder.data("b_edited.jpg"))
    _ = await folder.edit("undo", "@/b.jpg")
    #expect(await shown("@/b.jpg").last == "  render    @/b_edited.jpg, 400 × 300")
    let redone = await folder.edit("redo", "@/b.jpg", "--json").results.first
    #expect(redone?.contains(#""lossless":true"#) == true)
    #expect(folder.data("b_edited.jpg") == render)
    // Versions keep what is known of their renders.
    _ = await folder.edit("version", "save", "cut", "@/b.jpg")
    _ = await folder.edit("rotate", "90", "@/b.jpg", "--quality", "80")
    #expect(await shown("@/b.jpg").last == "  render    @/b_edited.jpg, 304 × 400")
    _ = await folder.edit("version", "use", "cut", "@/b.jpg")
    #expect(await shown("@/b.jpg").last == "  render    @/b_edited.jpg, 400 × 304, lossless")
  }

  /// A quality that was given before does not count for what must have no loss.
  @Test func aCropWithoutLossHasTheOriginalsQuality() async throws {
    try folder.add("beach.jpg", as: "b.jpg")
    _ = await folder.edit("rotate", "180", "@/b.jpg", "--quality", "70")
    #expect(await shown("@/b.jpg").last == "  render    @/b_edited.jpg, 1200 × 800")
    _ = await folder.edit("crop", "@/b.jpg", "--lossless", "--aspect", "1:1")
    #expect(await shown("@/b.jpg").last == "  render    @/b_edited.jpg, 800 × 800, lossless")
    let asked = await folder.edit(
      "crop", "@/b.jpg", "--lossless", "--aspect", "2:1", "--quality", "90")
    #expect(asked.code == 1 && asked.messages.first?.contains("leave “quality” out") == true)
  }

  @Test func aCropThatMustLoseIsRefused() async throws {
    try folder.add("sixteen-bit.png", as: "a.png")
    try folder.add("beach.jpg", as: "b.jpg")
    _ = await folder.edit("adjust", "@/b.jpg", "--exposure", "1")
    let record = folder.data("b.jpg.aae")
    let transcript = await folder.edit("crop", "--lossless", "--size", "8x8", "@/a.png", "@/b.jpg")
    #expect(transcript.code == 1)
    #expect(
      transcript.messages == [
        "edit: @/a.png: The photo cannot be cropped without loss: the photo is no JPEG. Crop it as "
          + "usual, with a little loss.",
        "edit: @/b.jpg: The photo cannot be cropped without loss: its edit does more than turn, mirror "
          + "and crop it. Crop it as usual, with a little loss.",
      ])
    #expect(folder.data("b.jpg.aae") == record && folder.data("a.png.aae") == nil)
  }

  @Test func anExportWithoutLossSaysWhenItHasSome() async throws {
    try folder.add("beach.jpg", as: "b.jpg")
    let whole = await folder.edit("render", "@/b.jpg", "--lossless", "-o", "@/c.jpg", "--json")
    #expect(whole.code == 0 && whole.results.first?.contains(#""lossless":true"#) == true)
    let small = await folder.edit(
      "render", "@/b.jpg", "--lossless", "--longest-side", "90", "-o", "@/d.jpg")
    #expect(
      small.messages == [
        "edit: @/b.jpg: The picture was encoded again, with a little loss: another size, profile or "
          + "depth, sharpening or a watermark was asked for."
      ])
    let webP = await folder.edit("render", "@/b.jpg", "--lossless", "-o", "@/e.webp")
    #expect(webP.code == 64)
  }

  @Test func autoSetsOrdinaryParametersOnce() async throws {
    try folder.add("beach.jpg", as: "b.jpg")
    _ = await folder.edit("adjust", "@/b.jpg", "--saturation", "20")
    let transcript = await folder.edit("auto", "@/b.jpg", "--straighten", "--tone", "--json")
    #expect(transcript.code == 0)
    let line = try #require(transcript.results.first)
    #expect(line.hasPrefix(#"{"photo":"@/b.jpg","status":"edited""#))
    #expect(line.contains(#""values":{"straighten":0,"exposure":0,"shadows":0,"levels-black":"#))
    #expect(await shown("@/b.jpg").first?.contains("saturation 20") == true)
    await #expect(
      folder.edit("auto", "@/b.jpg", "--straighten", "--tone").results
        == ["@/b.jpg: unchanged, @/b_edited.jpg is up to date"])
  }

  @Test func autoTakesAStrength() async throws {
    try folder.add("beach.jpg", as: "b.jpg")
    func black(_ words: String...) async throws -> Double {
      let line = try #require(
        await folder.edit(["auto", "@/b.jpg", "--tone", "--json", "--dry-run"] + words).results
          .first
      )
      let number = try #require(line.firstMatch(of: /"levels-black":([0-9.]+)/))
      return try #require(Double(number.1))
    }
    let (all, half) = (try await black(), try await black("--strength", "0.5"))
    #expect(all > 0 && abs(half - all / 2) <= 0.5)
  }

  @Test func autoSaysWhenThereIsNoHorizon() async throws {
    try folder.add("gradients/grey-ramp.png", as: "g.png")
    let transcript = await folder.edit("auto", "@/g.png", "--straighten", "--dry-run")
    #expect(transcript.results == ["@/g.png: unchanged, it has no edit"])
    #expect(
      transcript.messages
        == ["edit: @/g.png: No clear horizon or upright was found to straighten by."])
  }

  /// Blocks and strips are shared out differently, and the pixels are the same.
  @Test func anyNumberOfThreadsMakesTheSamePixels() throws {
    try folder.add("beach.jpg")
    let line = """
      "$EDIT" straighten 3 -q beach.jpg && "$EDIT" adjust -q beach.jpg --perspective-vertical -30 \
      --vignette -40 --crop-x 0.1 --crop-y 0.3 --crop-height 0.4
      for threads in 1 2 4; do for end in png jpg; do
        VIPS_CONCURRENCY=$threads "$EDIT" render -q beach.jpg -o $threads.$end || exit 1
      done; done
      """
    #expect(try EditProcess(shell: line, in: folder).status == 0)
    for end in ["png", "jpg"] {
      let one = try #require(folder.data("1.\(end)"))
      #expect(folder.data("2.\(end)") == one && folder.data("4.\(end)") == one)
    }
  }
}
