import Foundation
import SafelightTestSupport
import Testing

/// What the commands say of folders that are synced, and of photos that were deleted.
@Suite struct SyncedFolderCommandTests {
  private let folder = CommandFolder()

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder.path + "/" + name)
  }

  @Test func editsOfPhotosThatAreGoneGoAfterAYes() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg", "@/2.jpg")
    try remove("1.jpg")
    let before = folder.contents
    let asked = await folder.edit("verify", "--fix", "--gone", "@")
    #expect(asked.code == 1 && asked.messages.joined().contains("--yes"))
    let planned = await folder.edit("verify", "--fix", "--gone", "--dry-run", "@")
    #expect(
      planned
        == Transcript(
          results: [
            "@/1.jpg: is gone, its 2 files would go to .safelight-trash", "@/2.jpg: as recorded",
          ],
          messages: [
            "edit: No file in @ has the content of these photos.",
            "edit: 2 files checked, all as recorded. 1 would be put right.",
          ]))
    #expect(folder.contents == before)
    let done = await folder.edit("verify", "--fix", "--gone", "--yes", "@")
    #expect(
      done
        == Transcript(
          results: [
            "@/1.jpg: is gone, its 2 files went to @/.safelight-trash/1.jpg",
            "@/2.jpg: as recorded",
          ], messages: ["edit: 2 files checked, all as recorded. 1 put right."]))
    #expect(folder.names == [".safelight-trash", "2.jpg", "2.jpg.aae", "2_edited.jpg"])
    await #expect(folder.edit("verify", "--fix", "--gone", "--yes", "@").code == 0)
  }

  @Test func whatCannotGoSaysWhy() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg", "@/2.jpg")
    try remove("1.jpg")
    try remove("2.jpg")
    let kept = await folder.edit("verify", "--fix", "--gone", "--yes", "@")
    #expect(kept.code == 1 && kept.messages.first?.contains("not mounted") == true)
    #expect(folder.names.count == 4)
    let named = await folder.edit("verify", "--fix", "--gone", "--yes", "@/1.jpg.aae", "@/2.jpg")
    #expect(named.code == 0 && folder.names == [".safelight-trash"])
    await #expect(folder.edit("verify", "--gone", "@").code == 64)
    await #expect(folder.edit("verify", "--fix", "--yes", "@").code == 64)
  }

  @Test func anotherMachinesEditIsListedMergedAndKept() async throws {
    let copy = "1.jpg (conflicted copy 2024-01-01).aae"
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    let common = try #require(folder.data("1.jpg.aae"))
    let render = try #require(folder.data("1_edited.jpg"))
    _ = await folder.edit("adjust", "--exposure", "0.5", "@/1.jpg")
    try folder.put(try #require(folder.data("1.jpg.aae")), as: copy)
    try folder.put(common, as: "1.jpg.aae")
    try folder.put(render, as: "1_edited.jpg")
    _ = await folder.edit("apply", "chrome", "@/1.jpg")

    let checked = await folder.edit("verify", "@")
    #expect(checked.results.contains("@/\(copy): conflict copy") && checked.code == 1)
    let history = await folder.edit("history", "@/1.jpg").results
    #expect(history.contains("  @/\(copy), another machine's edits since step 1:"))
    #expect(history.last?.hasSuffix("+ exposure 0.5") == true)
    let json = await folder.edit("history", "--json", "@/1.jpg").results.first ?? ""
    #expect(json.contains(#""commonStep":1"#))
    let kept = await folder.edit("version", "save", "laptop", "--from", "@/\(copy)", "@/1.jpg")
    #expect(kept.results == ["@/1.jpg: saved as @/1_edited-laptop.jpg"])
    let merged = await folder.edit("history", "--merge", "@/1.jpg")
    #expect(merged.results == ["@/1.jpg: merged, nothing was new"])
    #expect(!folder.names.contains(copy))
    await #expect(folder.edit("verify", "@").code == 0)
    await #expect(
      folder.edit("history", "--merge", "@/1.jpg").results
        == ["@/1.jpg: unchanged, there is no other machine's edit"])
  }
}
