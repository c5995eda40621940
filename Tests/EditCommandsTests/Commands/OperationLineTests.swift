import Testing

/// What commands say of a photo that they change: in a dry run, once it is done, and when they are given again.
struct OperationLine: Sendable, CustomTestStringConvertible {
  let command: String
  /// Command lines that come first.
  let before: [String]
  let planned: String
  let done: String
  let again: String
  var testDescription: String { command }

  init(
    _ command: String, after before: [String] = [],
    planned: String = "would be rendered to @/1_edited.jpg", done: String,
    again: String = "unchanged, @/1_edited.jpg is up to date"
  ) {
    (self.command, self.before) = (command, before)
    (self.planned, self.done, self.again) = (planned, done, again)
  }

  private static let noir = "apply noir @/1.jpg"
  private static let mono = "apply mono @/1.jpg"
  private static let dark = "version save dark @/1.jpg"
  private static let asTaken = "would be as it was taken"
  private static let noEdit = "unchanged, it has no edit"

  static let all = [
    OperationLine(noir, done: "noir, rendered to @/1_edited.jpg"),
    OperationLine("adjust @/1.jpg --saturation -50", done: "adjusted, rendered to @/1_edited.jpg"),
    OperationLine(
      "adjust @/1.jpg --saturation 0", after: ["adjust @/1.jpg --saturation=-50%"],
      planned: asTaken, done: "adjusted, as it was taken", again: noEdit),
    OperationLine("adjust @/1.jpg --reset", planned: noEdit, done: noEdit, again: noEdit),
    OperationLine("auto @/1.jpg --strength 0", planned: noEdit, done: noEdit, again: noEdit),
    OperationLine("rotate 90 @/1.jpg", done: "turned by 90°, rendered to @/1_edited.jpg"),
    OperationLine(
      "rotate 0 @/1.jpg", after: ["rotate right @/1.jpg"], planned: asTaken,
      done: "turned back, as it was taken", again: noEdit),
    OperationLine("flip both @/1.jpg", done: "mirrored, rendered to @/1_edited.jpg"),
    OperationLine(
      "flip none @/1.jpg", after: ["flip vertical @/1.jpg"], planned: asTaken,
      done: "mirrored back, as it was taken", again: noEdit),
    OperationLine(
      "straighten -2.5 @/1.jpg", done: "straightened by -2.5°, rendered to @/1_edited.jpg"),
    OperationLine(
      "perspective @/1.jpg --vertical 20", done: "lines made parallel, rendered to @/1_edited.jpg"),
    OperationLine("crop @/1.jpg --aspect 3:4", done: "cropped, rendered to @/1_edited.jpg"),
    OperationLine(
      "crop @/1.jpg --none", after: ["crop @/1.jpg --aspect 3:4"], planned: asTaken,
      done: "whole again, as it was taken", again: noEdit),
    OperationLine(
      "sync --from @/2.jpg @/1.jpg", after: ["apply noir @/2.jpg"],
      done: "edited as @/2.jpg, rendered to @/1_edited.jpg"),
    OperationLine(
      "undo @/1.jpg", after: [noir, mono], planned: "would be undone, rendered to @/1_edited.jpg",
      done: "undone, rendered to @/1_edited.jpg", again: "undone, back at the original"),
    OperationLine(
      "undo --steps 2 @/1.jpg", after: [noir, mono],
      planned: "would be undone, back at the original", done: "undone, back at the original",
      again: "unchanged, there is nothing to undo"),
    OperationLine(
      "redo @/1.jpg", after: [noir, "undo @/1.jpg"],
      planned: "would be redone, rendered to @/1_edited.jpg",
      done: "redone, rendered to @/1_edited.jpg", again: "unchanged, there is nothing to redo"),
    OperationLine(
      "history --to 1 @/1.jpg", after: [noir, mono],
      planned: "would be taken to step 1, rendered to @/1_edited.jpg",
      done: "taken to step 1, rendered to @/1_edited.jpg", again: "unchanged, it is at step 1"),
    OperationLine(
      "history --merge @/1.jpg", after: [noir],
      planned: "unchanged, there is no other machine's edit",
      done: "unchanged, there is no other machine's edit",
      again: "unchanged, there is no other machine's edit"),
    OperationLine(
      dark, after: [noir], planned: "would be saved as @/1_edited-dark.jpg",
      done: "saved as @/1_edited-dark.jpg",
      again: "unchanged, @/1_edited-dark.jpg is up to date"),
    OperationLine(
      "version use dark @/1.jpg", after: [noir, dark, mono],
      done: "dark, rendered to @/1_edited.jpg"),
    OperationLine(
      "version remove dark @/1.jpg", after: [noir, dark], planned: "dark would be removed",
      done: "dark removed", again: "failed"),
    OperationLine(
      "revert @/1.jpg", after: [noir], planned: "would be reverted", done: "reverted",
      again: "unchanged, there is nothing to revert"),
    OperationLine(
      "render @/1.jpg -o @/out.png", planned: "would be rendered to @/out.png",
      done: "rendered to @/out.png", again: "failed"),
    OperationLine(
      "compare @/1.jpg --filter noir -o @/out.png", planned: "would be compared in @/out.png",
      done: "compared in @/out.png", again: "failed"),
  ]
}

@Suite struct OperationLineTests {
  private func folder(after commands: [String]) async throws -> CommandFolder {
    let folder = CommandFolder()
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    for command in commands { await #expect(folder.edit(command.words).code == 0) }
    return folder
  }

  @Test(arguments: OperationLine.all)
  func eachIsSaid(_ line: OperationLine) async throws {
    let folder = try await folder(after: line.before)
    let before = folder.contents
    let (command, photo) = (line.command.words, "@/1.jpg: ")
    await #expect(
      folder.edit(command + ["--dry-run"]) == Transcript(results: [photo + line.planned]))
    #expect(folder.contents == before)
    await #expect(folder.edit(command) == Transcript(results: [photo + line.done]))
    await #expect(folder.edit(command).results == [photo + line.again])
    if line.again != "failed" { await #expect(folder.edit(command + ["-q"]) == Transcript()) }
  }

  /// The object of a dry run is the one of the change, and says that it is a dry run.
  @Test(arguments: OperationLine.all)
  func eachIsTheSameObjectInADryRun(_ line: OperationLine) async throws {
    let folder = try await folder(after: line.before)
    let command = line.command.words + ["--json"]
    let planned = await folder.edit(command + ["--dry-run"])
    let done = await folder.edit(command)
    #expect(done.results.first?.hasPrefix(#"{"photo":"@/1.jpg","status":""#) == true)
    #expect(planned.results.map { $0.replacing(#","dryRun":true"#, with: "") } == done.results)
  }
}
