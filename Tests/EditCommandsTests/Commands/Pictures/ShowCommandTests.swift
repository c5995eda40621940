import Foundation
import PhotoEditing
import SafelightFormats
import SafelightTestSupport
import Testing

@Suite struct ShowCommandTests {
  private let folder = CommandFolder()

  @Test func aPhotoWithoutAnEdit() async throws {
    try folder.add("exif-gps-makernote.jpg", as: "a.jpg")
    await #expect(
      folder.edit("show", "@/a.jpg")
        == Transcript(results: [
          "@/a.jpg: JPEG, 160 × 240, 13 kB, orientation 6, taken 2024-06-01 12:34:56 +02:00, "
            + "Safelight Procedural", "  edit      none",
        ]))
    await #expect(
      folder.edit("show", "--json", "@/a.jpg").results == [
        #"{"photo":"@/a.jpg","status":"shown","original":{"format":"jpeg","pixelWidth":160,"#
          + #""pixelHeight":240,"orientation":6,"bytes":13288,"#
          + #""creationDate":"2024-06-01T10:34:56Z","localDate":"2024-06-01T12:34:56","#
          + #""timeZoneOffset":7200,"camera":"Safelight Procedural","#
          + #""location":{"latitude":-33.8569,"longitude":-71.61976666666666}},"edited":false,"#
          + #""resources":"#
          + #"[{"type":"photo","path":"@/a.jpg","contentType":"public.jpeg"}],"canRevert":false,"#
          + #""placeMapping":{"matrix":[1,0,0,0,1,0,0,0,1],"pixelWidth":240,"pixelHeight":160}}"#
      ])
  }

  @Test func colorsOtherThanSRGBAreNamed() async throws {
    try folder.add("profiles/p3.jpg", as: "a.jpg")
    #expect(
      await folder.edit("show", "@/a.jpg").results.first?.contains(", Safelight Display P3") == true
    )
    let json = try #require(await folder.edit("show", "--json", "@/a.jpg").results.first)
    let original = try JSONValue(parsing: json.utf8)["original"]
    #expect(original?["colorProfile"]?.string == "Safelight Display P3")
  }

  @Test func aGainMapIsNamed() async throws {
    try folder.add("hdr/iso.jpg", as: "a.jpg")
    await #expect(
      folder.edit("show", "@/a.jpg").results.dropFirst() == [
        "  HDR       gain map 60 × 40, headroom 3.0 stops (ISO 21496-1)", "  edit      none",
      ])
    let json = try #require(await folder.edit("show", "--json", "@/a.jpg").results.first)
    #expect(
      try JSONValue(parsing: json.utf8)["original"]?["gainMap"]?.text
        == #"{"convention":"ISO 21496-1","pixelWidth":60,"pixelHeight":40,"channels":1,"headroom":3}"#
    )
  }

  @Test(.enabled(if: SharedData.isThere, SharedData.absence))
  func pixelsOfAHighDynamicRangeAreNamed() async throws {
    try Data(contentsOf: SharedData.url("hdr/seine_hdr_rec2020.avif"))
      .write(to: URL(fileURLWithPath: folder.path + "/a.avif"))
    let lines = await folder.edit("show", "@/a.avif").results
    // 703 nits.
    #expect(lines.contains("  HDR       PQ, headroom 1.8 stops"))
  }

  @Test func placesOfTheOriginalAreMappedIntoThePicture() async throws {
    try folder.add("exif-gps-makernote.jpg", as: "a.jpg")
    _ = await folder.edit("rotate", "right", "@/a.jpg")
    let json = try #require(await folder.edit("show", "--json", "@/a.jpg").results.first)
    #expect(
      try JSONValue(parsing: json.utf8)["placeMapping"]?.text
        == #"{"matrix":[0,-1,1,1,0,0,0,0,1],"pixelWidth":160,"pixelHeight":240}"#)
  }

  @Test func aPhotoThatWasUndoneToTheOriginalHasNoEditAndCanBeRedone() async throws {
    try folder.add("gradients/chart.png")
    _ = await folder.edit("apply", "noir", "@/chart.png")
    _ = await folder.edit("undo", "@/chart.png")
    #expect(folder.names == ["chart.png", "chart.png.aae"])
    await #expect(
      folder.edit("show", "@/chart.png").results.dropFirst() == [
        "  edit      none", "  sidecar   @/chart.png.aae",
        "  history   1 undone, which “edit redo” brings back",
      ])
    let json = try #require(await folder.edit("show", "--json", "@/chart.png").results.first)
    let shown = try JSONValue(parsing: json.utf8)
    #expect(shown["edited"] == .bool(false) && shown["rendered"] == nil)
    #expect(shown["edit"]?["undone"]?.integer == 1)
    await #expect(folder.edit("verify", "@/chart.png").code == 0)
    _ = await folder.edit("redo", "@/chart.png")
    #expect(folder.names == ["chart.png", "chart.png.aae", "chart_edited.jpg"])
  }

  @Test func aPhotoWithAFilter() async throws {
    try folder.add("gradients/chart.png")
    _ = await folder.edit("apply", "noir", "--intensity", "0.25", "@/chart.png")
    await #expect(
      folder.edit("show", "@/chart.png")
        == Transcript(results: [
          "@/chart.png: PNG, 124 × 84, 475 bytes", "  edit      noir at 0.25",
          "  made      NOW by org.safelight.edit", "  sidecar   @/chart.png.aae",
          "  render    @/chart_edited.jpg, 124 × 84",
        ]))
    let json = try #require(await folder.edit("show", "--json", "@/chart.png").results.first)
    let shown = try JSONValue(parsing: json.utf8)
    #expect(shown["rendered"]?.string == "@/chart_edited.jpg")
    #expect(shown["record"]?.string == "@/chart.png.aae")
    #expect(shown["canRevert"]?.content == .bool(true))
    #expect(
      shown["resources"]?.text
        == #"[{"type":"photo","path":"@/chart.png","contentType":"public.png"},"#
        + #"{"type":"adjustmentData","path":"@/chart.png.aae","#
        + #""contentType":"com.apple.photos.apple-adjustment-envelope"},"#
        + #"{"type":"fullSizePhoto","path":"@/chart_edited.jpg","contentType":"public.jpeg"}]"#)
    let edit = try #require(shown["edit"])
    #expect(edit["formatIdentifier"]?.string == "org.safelight.edit")
    #expect(edit["formatVersion"]?.string == "1.0")
    #expect(edit["editor"]?.string == "org.safelight.edit")
    #expect(edit["history"]?.integer == 0)
    #expect(edit["renderer"]?.string?.hasSuffix("jpeg quality of the original") == true)
    let adjustment = try #require(edit["adjustments"]?.elements?.first)
    #expect(adjustment["id"]?.string == "filter")
    #expect(adjustment["name"]?.string == "noir")
    #expect(adjustment["intensity"]?.number == 0.25)
  }

  @Test func adjustmentsAreShownWithWhatTheyAreSetTo() async throws {
    try folder.add("gradients/chart.png")
    _ = await folder.edit(
      "adjust", "@/chart.png", "--saturation", "20.0", "--vibrance=-10%", "--tone-curve-red",
      "0,0 0.5,0.6 1,1")
    _ = await folder.edit("apply", "noir", "--intensity", "0.5", "@/chart.png")
    #expect(
      await folder.edit("show", "@/chart.png").results[1]
        == "  edit      tone-curve-red \"0,0 0.5,0.6 1,1\", vibrance -10, saturation 20, "
        + "noir at 0.5")
    let json = try #require(await folder.edit("show", "--json", "@/chart.png").results.first)
    #expect(
      try JSONValue(parsing: json.utf8)["edit"]?["values"]?.text
        == #"{"tone-curve-red":[[0,0],[0.5,0.6],[1,1]],"vibrance":-10,"saturation":20}"#)
  }

  @Test func applesEdit() async throws {
    try folder.add("gradients/chart.png")
    try folder.add("bad/apple.aae", as: "chart.png.aae")
    await #expect(
      folder.edit("show", "@/chart.png")
        == Transcript(results: [
          "@/chart.png: PNG, 124 × 84, 475 bytes",
          "  elsewhere edited in Apple Photos: what cannot be read (chart.png.aae)",
          "  edit      none",
        ]))
  }

  @Test func anotherProgramsEdit() async throws {
    try folder.add("gradients/chart.png")
    try folder.add("bad/apple.aae", as: "chart.png.aae")
    let sidecar = URL(filePath: folder.path + "/chart.png.aae")
    let text = try String(contentsOf: sidecar, encoding: .utf8)
    try Data(text.replacing("com.apple.photo<", with: "org.example.editor<").utf8).write(
      to: sidecar)
    await #expect(
      folder.edit("show", "@/chart.png")
        == Transcript(
          results: [
            "@/chart.png: PNG, 124 × 84, 475 bytes",
            "  edit      org.example.editor 1.4, which Safelight cannot read",
            "  made      NOW by com.apple.Photos", "  sidecar   @/chart.png.aae",
          ],
          messages: [
            "edit: @/chart.png: The sidecar is another program's; its edit is kept and not shown."
          ]))
  }

  @Test func whatIsNotAsRecordedIsAWarning() async throws {
    try folder.add("gradients/chart.png")
    _ = await folder.edit("apply", "noir", "@/chart.png")
    try FileManager.default.removeItem(atPath: folder.path + "/chart_edited.jpg")
    let text = await folder.edit("show", "@/chart.png")
    #expect(
      text.messages == [
        "edit: @/chart.png: The render chart_edited.jpg is missing; apply the edit again."
      ])
    #expect(text.code == 0)
    let json = await folder.edit("show", "--json", "@/chart.png")
    #expect(
      json.results.first?.contains(
        #""warnings":["The render chart_edited.jpg is missing; apply the edit again."]"#) == true)
  }

  @Test func theOthersAreShownWhenOneIsMissing() async throws {
    try folder.add("gradients/chart.png", as: "a.png")
    try folder.add("gradients/chart.png", as: "c.png")
    await #expect(
      folder.edit("show", "@/a.png", "@/b.png", "@/c.png")
        == Transcript(
          results: [
            "@/a.png: PNG, 124 × 84, 475 bytes", "  edit      none", "@/b.png: failed",
            "@/c.png: PNG, 124 × 84, 475 bytes", "  edit      none",
          ],
          messages: ["edit: @/b.png does not exist. Check the name, and that the disk is mounted."],
          code: 1))
  }

  @Test(arguments: ["sidecar-empty.aae", "sidecar-not-xml.aae", "sidecar-binary.aae"])
  func aSidecarThatCannotBeReadIsAnErrorThatNamesIt(sidecar: String) async throws {
    try folder.add("gradients/chart.png")
    try folder.add("bad/\(sidecar)", as: "chart.png.aae")
    let transcript = await folder.edit("show", "@/chart.png")
    #expect(transcript.results == ["@/chart.png: failed"])
    #expect(
      transcript.messages.first?.hasPrefix("edit: @/chart.png.aae cannot be read as a sidecar: ")
        == true)
    #expect(transcript.code == 1)
  }
}

@Suite struct HistogramOptionTests {
  private let folder = CommandFolder()

  @Test func itIsSaidInWords() async throws {
    try folder.add("gradients/grey-ramp.png", as: "a.png")
    let plain = await folder.edit("show", "@/a.png").results
    let shown = await folder.edit("show", "--histogram", "@/a.png").results
    #expect(Array(shown.dropLast(2)) == plain)
    #expect(
      shown.suffix(2).first == "  light     mean 128, median 127, nearly all from 2 to 253 of 255")
    #expect(shown.last == "  clipped   shadows 0.4 %, highlights 0.4 % of the pixels")
  }

  @Test func anEditedPhotoIsComparedWithItsOriginal() async throws {
    try folder.add("gradients/grey-ramp.png", as: "a.png")
    _ = await folder.edit("adjust", "@/a.png", "--levels-white", "178")
    let line = try #require(
      await folder.edit("show", "--histogram", "--json", "@/a.png").results.first)
    let histogram = try #require(try JSONValue(parsing: line.utf8)["histogram"])
    let before = try #require(histogram["before"])
    #expect(histogram["pixels"]?.text == before["pixels"]?.text)
    let (now, then) = (
      try #require(histogram["clippedHighlights"]?.number),
      try #require(before["clippedHighlights"]?.number)
    )
    #expect(now > 0.2 && then < 0.01)
    #expect(histogram["luma"]?["percentiles"]?["99"]?.number == 255)
    #expect(before["luma"]?["percentiles"]?["50"]?.number == 127)
    #expect(histogram["red"]?["white"]?.number == now)
  }

  @Test func itIsDrawn() async throws {
    try folder.add("beach.jpg")
    let shown = await folder.edit("show", "--histogram", "@/beach.jpg", "-o", "@/out.png")
    #expect(shown.results.last == "  histogram @/out.png")
    #expect(folder.data("out.png")?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    await #expect(folder.edit("show", "--histogram", "@/beach.jpg", "-o", "@/out.png").code == 1)
    await #expect(
      folder.edit("show", "--histogram", "@/beach.jpg", "-o", "@/out.png", "--overwrite").code == 0)
  }
}
