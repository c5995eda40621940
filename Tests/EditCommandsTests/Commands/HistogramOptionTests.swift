import Foundation
import PhotoEditing
import Testing

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
    _ = await folder.edit("adjust", "@/a.png", "--exposure", "1")
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

  @Test func drawingNeedsAHistogram() async throws {
    try folder.add("beach.jpg")
    let transcript = await folder.edit("show", "@/beach.jpg", "-o", "@/out.png")
    #expect(transcript.code == 64)
    #expect(folder.names == ["beach.jpg"])
  }
}
