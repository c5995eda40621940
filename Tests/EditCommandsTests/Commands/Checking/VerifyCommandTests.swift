import Foundation
import SafelightTestSupport
import Testing

@Suite struct VerifyCommandTests {
  private let folder = CommandFolder()

  @Test func eachPhotoIsALineAndTheEndASummary() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    await #expect(
      folder.edit("verify", "@/1.jpg", "@/1.jpg.aae", "@/2.jpg", "@/1_edited.jpg")
        == Transcript(
          results: [
            "@/1.jpg: as recorded", "@/1.jpg: as recorded", "@/2.jpg: not edited",
            "@/1_edited.jpg: as recorded",
          ], messages: ["edit: 4 files checked, all as recorded."]))
  }

  @Test func aProblemIsAFailureThatSaysWhatToDo() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg", "@/2.jpg")
    try folder.add("orientation/3.jpg", as: "1_edited.jpg")
    await #expect(
      folder.edit("verify", "@")
        == Transcript(
          results: [
            "@/1.jpg: render changed",
            "  @/1_edited.jpg was changed by another program since it was rendered. Move it "
              + "away to keep it; the photo can then be edited or reverted. “edit revert "
              + "--keep-render” leaves it where it is.",
            "@/2.jpg: as recorded",
          ], messages: ["edit: 2 files checked, 1 with problems."], code: 1))
    await #expect(
      folder.edit("verify", "--quiet", "--json", "@")
        == Transcript(
          results: [
            #"{"photo":"@/1.jpg","status":"failed","problems":[{"kind":"render-changed","#
              + #""file":"@/1_edited.jpg","message":"@/1_edited.jpg was changed by another "#
              + #"program since it was rendered.","hint":"Move it away to keep it; the photo "#
              + #"can then be edited or reverted. “edit revert --keep-render” leaves it where it "#
              + #"is."}]}"#
          ], code: 1))
  }

  @Test func theAdviceOnAnOrphanDependsOnItsOriginal() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    try folder.remove("1.jpg.aae")
    let advice = try #require(await folder.edit("verify", "@").results.last)
    #expect(advice.contains("somebody's retouch") && !advice.contains("last picture"))
    try folder.remove("1.jpg")
    let last = try #require(await folder.edit("verify", "@").results.last)
    #expect(last.contains("may be the last picture of that photo"))
  }

  @Test func jsonSaysWhatIsVerifiedAndNoted() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("bad/apple.aae", as: "1.jpg.aae")
    await #expect(
      folder.edit("verify", "--json", "@")
        == Transcript(
          results: [
            #"{"photo":"@/1.jpg","status":"verified","notes":[{"kind":"foreign-sidecar","#
              + #""file":"@/1.jpg.aae","message":"@/1.jpg.aae is another program's edit."}]}"#
          ], messages: ["edit: 1 file checked, none with problems, 1 with notes."]))
  }

  @Test func fixingSaysWhatItPutRight() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    // The first half of the SHA-256 of “1.jpg” is in the hidden names.
    let hidden = ".safelight-\(try hash(of: "1.jpg"))"
    try folder.put("half a picture", as: hidden + ".render-0123456789abcdef")
    try folder.put("", as: hidden + ".claim")
    await #expect(folder.edit("verify", "@/1.jpg").results.first == "@/1.jpg: leftover, leftover")
    let before = folder.contents
    let told = await folder.edit("verify", "--fix", "--dry-run", "@")
    #expect(
      told.results.first == "@/1.jpg: leftover, would be put right, leftover, would be put right")
    #expect(told.messages == ["edit: 1 file checked, 1 with problems. 2 would be put right."])
    let planned = await folder.edit("verify", "--fix", "--dry-run", "--json", "@")
    #expect(planned.results[0].contains(#""fixable":[{"kind":"leftover""#))
    #expect(folder.contents == before)
    await #expect(folder.edit("verify", "--dry-run", "@").code == 64)
    await #expect(
      folder.edit("verify", "--fix", "@")
        == Transcript(
          results: ["@/1.jpg: leftover, put right, leftover, put right"],
          messages: ["edit: 1 file checked, all as recorded. 2 put right."]))
    #expect(folder.names == ["1.jpg", "1.jpg.aae", "1_edited.jpg"])
  }

  private func hash(of name: String) throws -> String {
    let words = ["sh", "-c", "printf %s \"$1\" | sha256sum | cut -c1-16", "sh", name]
    return try FinishedProcess(words).text.replacing("\n", with: "")
  }

  @Test func aFolderWithoutEditsHasNothingToCheck() async throws {
    try folder.add("orientation/1.jpg")
    await #expect(
      folder.edit("verify", "@") == Transcript(messages: ["edit: Nothing to check."]))
    await #expect(folder.edit("verify", "-q", "@") == Transcript())
  }

  @Test func foldersInsideAreCheckedWithRecursive() async throws {
    try folder.add("orientation/1.jpg", as: "a/b/1.jpg")
    _ = await folder.edit("apply", "noir", "@/a/b/1.jpg")
    await #expect(folder.edit("verify", "@").results == [])
    await #expect(
      folder.edit("verify", "--recursive", "@").results == ["@/a/b/1.jpg: as recorded"])
  }

  @Test func whatIsNotThereFailsAndTheOthersAreChecked() async throws {
    try folder.add("orientation/1.jpg")
    await #expect(
      folder.edit("verify", "@/none.jpg", "@/1.jpg")
        == Transcript(
          results: ["@/none.jpg: failed", "@/1.jpg: not edited"],
          messages: [
            "edit: @/none.jpg does not exist. Check the name, and that the disk is mounted.",
            "edit: 2 files checked, 1 with problems.",
          ], code: 1))
  }

  @Test func pathsAreShownAsTheyWereGiven() throws {
    try folder.add("orientation/1.jpg")
    let edit = try EditProcess(shell: "$EDIT apply noir 1.jpg && rm 1_edited.jpg", in: folder)
    #expect(edit.status == 0, "\(edit.errors)")
    let verify = try EditProcess(["verify", "1.jpg"], in: folder)
    #expect(verify.status == 1)
    #expect(
      verify.output == """
        1.jpg: render missing
          1_edited.jpg, the render, is missing. “edit render --stale” makes it again.

        """)
  }
}
