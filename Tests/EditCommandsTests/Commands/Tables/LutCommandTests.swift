import Foundation
import SafelightTestSupport
import Testing

@testable import SafelightEditCommands

@Suite struct LutCommandTests {
  private let folder = CommandFolder()

  @Test func filtersAndEditsBecomeTables() async throws {
    try folder.add("beach.jpg")
    let noir = await folder.edit("lut", "noir", "-o", "@/noir.cube", "--size", "17")
    #expect(noir.code == 0)
    #expect(noir.results.first == "noir: 17 × 17 × 17 colors in @/noir.cube")
    let text = String(decoding: try #require(folder.data("noir.cube")), as: UTF8.self)
    #expect(text.hasPrefix("# Made by Safelight, for sRGB colors. Error by tetrahedral"))
    #expect(text.contains("\nLUT_3D_SIZE 17\n"))
    #expect(text.split(separator: "\n").count { $0.first?.isNumber == true } == 17 * 17 * 17)
    #expect(await folder.edit("lut", "@/beach.jpg", "-o", "@/a.cube").code == 1, "It has no edit.")
    _ = await folder.edit(
      "adjust", "@/beach.jpg", "--exposure", "0.3", "--vignette", "-30", "--shadows", "20")
    let edited = await folder.edit("lut", "@/beach.jpg", "-o", "@/a.cube", "--json").results
      .joined()
    #expect(edited.contains(#""simplified":["highlights-shadows"],"leftOut":["vignette"]"#))
    // The table is a look that photos can have.
    #expect(await folder.edit("apply", "@/a.cube", "@/beach.jpg").code == 0)
  }

  @Test func wrongWordsAreRefused() async throws {
    try folder.add("beach.jpg")
    for words in [
      ["noir", "-o", "@/noir.txt"], ["noir", "-o", "@/noir.cube", "--size", "32"], ["noir"],
      ["@/beach.jpg", "-o", "@/noir.cube", "--intensity", "0.5"],
    ] {
      #expect(await folder.edit(["lut"] + words).code == 64)
    }
    #expect(await folder.edit("lut", "noirr", "-o", "@/noir.cube").code == 1)
    #expect(folder.names == ["beach.jpg"])
  }
}
