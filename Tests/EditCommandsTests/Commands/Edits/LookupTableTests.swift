import Foundation
import PhotoEditing
import Testing

/// Lookup tables given instead of a filter's name.
@Suite struct LookupTableTests {
  private let folder = CommandFolder()

  @Test(arguments: [
    ("warm.cube", "warm"), ("soft.cube", "soft"), ("shaped.cube", "shaped"),
    ("hald-warm.png", "hald-warm"),
  ])
  func aTableIsAppliedLikeAFilter(file: String, name: String) async throws {
    try folder.add("beach.jpg")
    try folder.add("luts/" + file)
    let words = ["apply", "@/" + file, "@/beach.jpg"]
    await #expect(
      folder.edit(words).results == ["@/beach.jpg: \(name), rendered to @/beach_edited.jpg"])
    await #expect(
      folder.edit(words).results == ["@/beach.jpg: unchanged, @/beach_edited.jpg is up to date"])
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg", file].sorted())
  }

  @Test(arguments: [
    ("warm.cube", ["warm (Warm, version 1)", "Colors from a lookup table: 7 × 7 × 7 colors."]),
    ("soft.cube", ["soft (soft, version 1)", "Colors from a lookup table: 33 tones."]),
    (
      "hald-warm.png",
      [
        "hald-warm (hald-warm, version 1)",
        "Colors from a lookup table: 16 × 16 × 16 colors.",
      ]
    ),
  ])
  func aTableIsDescribed(file: String, lines: [String]) async throws {
    try folder.add("luts/" + file)
    await #expect(
      folder.edit("filters", "@/" + file) == Transcript(results: lines + ["  lut"]))
  }

  @Test func theJSONOfATableIsAFilterThatHoldsIt() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("luts/shaped.cube")
    let json = await folder.edit("filters", "@/shaped.cube", "--json").results.joined()
    #expect(json.hasPrefix(#"{"name":"shaped","version":1,"title":"Shaped","summary":"#))
    try folder.put(json, as: "look.json")
    await #expect(
      folder.edit("apply", "@/look.json", "@/1.jpg").results
        == ["@/1.jpg: shaped, rendered to @/1_edited.jpg"])
    await #expect(
      folder.edit("apply", "@/shaped.cube", "@/1.jpg").results
        == ["@/1.jpg: unchanged, @/1_edited.jpg is up to date"])
  }

  @Test(arguments: [
    (
      "LUT_3D_SIZE 2\n0 0 0\n0 x 0\n", "On line 3, “x” is not a number.",
      "A row is three numbers such as “0.5 0.25 1e-3”."
    ),
    (
      "LUT_3D_SIZE 500\n", "On line 1, the size is “500” and must be from 2 to 129.",
      "Export the table in another size; 33 is usual for LUT_3D_SIZE."
    ),
    (
      "", "On line 1, the file ends without a table.",
      "The file may have been cut short or mangled; get it again."
    ),
  ])
  func aMistakeIsSaidWithItsLineAndNothingChanges(
    text: String, problem: String, hint: String
  ) async throws {
    try folder.add("orientation/1.jpg")
    try folder.put(text, as: "bad.cube")
    let before = folder.contents
    await #expect(
      folder.edit("apply", "@/bad.cube", "@/1.jpg")
        == Transcript(
          results: ["@/1.jpg: failed"], messages: ["edit: @/bad.cube: \(problem) \(hint)"], code: 1)
    )
    let json = await folder.edit("apply", "--json", "@/bad.cube", "@/1.jpg")
    #expect(
      json.results == [
        #"{"photo":"@/1.jpg","status":"failed","error":{"code":"unusable-lookup-table","#
          + #""message":"@/bad.cube: \#(problem)","hint":"\#(hint)"}}"#
      ])
    #expect(folder.contents == before)
  }

  @Test func aPictureThatIsNoHaldIsRefused() async throws {
    try folder.add("orientation/1.jpg")
    let message =
      "edit: @/1.jpg: The picture has 96 × 64 pixels; no HaldCLUT has this size. If it is a photo, "
      + "put a filter before it, as in “edit apply noir @/1.jpg”; a HaldCLUT needs its own size."
    // Somebody forgot the filter's name.
    await #expect(folder.edit("apply", "@/1.jpg", "@/1.jpg").messages == [message])
    try folder.put("no picture", as: "text.png")
    let text = await folder.edit("apply", "@/text.png", "@/1.jpg")
    #expect(text.messages.first?.hasPrefix("edit: @/text.png: The file is not a picture.") == true)
    let missing = await folder.edit("apply", "@/none.cube", "@/1.jpg")
    #expect(
      missing.messages == [
        "edit: @/none.cube does not exist. Check the name, and that its folder is there."
      ])
  }
}
