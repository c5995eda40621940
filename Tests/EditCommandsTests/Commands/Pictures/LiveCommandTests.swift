import Foundation
import SafelightTestSupport
import Testing

@testable import SafelightEditCommands

@Suite struct LiveCommandTests {
  private let folder = CommandFolder()

  private func prepare() throws -> (movie: Data, inner: Data) {
    let jpeg = try [UInt8](Data(contentsOf: Fixture.url("beach.jpg")))
    var movie = SampleMovie()
    movie.contentIdentifier = "A1B2"
    movie.duration = 2_940
    movie.isTurned = true
    movie.coding = "hvc1"
    try folder.put(Data(SampleMovie.still(jpeg, identifier: "A1B2")), as: "IMG_1.JPG")
    try folder.put(Data(movie.bytes), as: "IMG_1.MOV")
    var inner = SampleMovie()
    inner.isQuickTime = false
    try folder.put(Data(SampleMovie.motionPhoto(jpeg, video: inner.bytes)), as: "PXL_1.MP.jpg")
    return (Data(movie.bytes), Data(inner.bytes))
  }

  @Test func showSaysWhichVideoAPhotoHas() async throws {
    _ = try prepare()
    let live = await folder.edit("show", "@/IMG_1.JPG").results
    #expect(live.contains("  video     Live Photo: IMG_1.MOV, 2.9 s, HEVC, 360 × 480"))
    let motion = await folder.edit("show", "@/PXL_1.MP.jpg").results
    #expect(motion.contains("  video     motion photo: video inside, 1.5 s, H.264, 480 × 360"))
    let json = await folder.edit("show", "@/PXL_1.MP.jpg", "--json").results.joined()
    #expect(json.contains(#""kind":"motion""#) && json.contains(#""stillImageTime":0.8"#))
    #expect(json.contains(#"{"type":"pairedVideo","path":"@/PXL_1.MP.jpg""#))
  }

  @Test func videosAreExported() async throws {
    let (movie, inner) = try prepare()
    try folder.add("photo.heic")
    await #expect(
      folder.edit("live", "export", "@/IMG_1.JPG", "-o", "@/a.mov")
        == Transcript(results: ["@/IMG_1.JPG: its video is in @/a.mov"]))
    #expect(folder.data("a.mov") == movie)
    try folder.put("", as: "out/note")
    await #expect(
      folder.edit("live", "export", "@/IMG_1.JPG", "@/PXL_1.MP.jpg", "-o", "@/out").code == 0)
    #expect(folder.data("out/IMG_1.mov") == movie && folder.data("out/PXL_1.MP.mp4") == inner)
    #expect(folder.data("IMG_1.MOV") == movie)
    // What is there stays.
    #expect(await folder.edit("live", "export", "@/IMG_1.JPG", "-o", "@/a.mov").code == 1)
    let none = await folder.edit("live", "export", "@/photo.heic", "-o", "@/b.mp4", "--json")
    #expect(none.code == 1 && none.results.joined().contains(#""code":"no-video""#))
    for words in [["-o", "@/b.jpg"], [], ["-o", "-"]] {
      #expect(await folder.edit(["live", "export", "@/IMG_1.JPG"] + words).code == 64)
    }
  }

  @Test func anEditTakesTheVideoAlongUnlessItIsLeft() async throws {
    _ = try prepare()
    let alone = await folder.edit("rotate", "90", "@/IMG_1.JPG", "--no-video")
    #expect(alone.code == 0 && !folder.names.contains("IMG_1_edited.mov"))
    let both = await folder.edit("rotate", "180", "@/IMG_1.JPG")
    #expect(both.code == 0 && folder.names.contains("IMG_1_edited.mov"))
    let shown = await folder.edit("show", "@/IMG_1.JPG").results
    #expect(shown.contains("  video     @/IMG_1_edited.mov, edited"))
    #expect(await folder.edit("revert", "@/IMG_1.JPG").code == 0)
    #expect(folder.names == ["IMG_1.JPG", "IMG_1.MOV", "PXL_1.MP.jpg"])
  }
}
