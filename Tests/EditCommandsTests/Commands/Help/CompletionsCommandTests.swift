import PhotoEditing
import SafelightArguments
import Testing

@testable import SafelightEditCommands

@Suite struct CompletionsCommandTests {
  private let folder = CommandFolder()

  private func answer(_ words: String...) async -> CompletionAnswer {
    await CommandSurroundings.$userFilters.withValue(folder.userFilters) {
      await EditCommand.completions(for: words)
    }
  }

  private func words(_ words: String...) async -> [String] {
    await CommandSurroundings.$userFilters.withValue(folder.userFilters) {
      await EditCommand.completions(for: words).candidates.map(\.word)
    }
  }

  @Test(arguments: CompletionShell.allCases)
  func printsAScript(shell: CompletionShell) async {
    let transcript = await folder.edit("completions", shell.rawValue)
    #expect(
      transcript
        == Transcript(results: [
          EditCommand.completionScript(
            for: shell, request: "completions \(shell.rawValue) --answer")
        ]))
  }

  @Test func answersWhatAScriptAsks() async {
    let transcript = await folder.edit(
      "completions", "bash", "--answer", "--", "edit apply sep", "sep")
    #expect(transcript.results.first?.hasPrefix("word:sepia\0typed:sep\0kept:\0files:") == true)
    #expect(transcript.code == 0)
  }

  @Test func aScriptNeedsAShell() async {
    await #expect(folder.edit("completions").code == 64)
    await #expect(folder.edit("completions", "bash", "x").code == 64)
    let unknown = await folder.edit("completions", "tcsh").messages.first
    #expect(unknown?.contains("Expected 'bash', 'zsh' or 'fish'.") == true)
  }

  @Test func filtersAreTheShippedOnesAndTheUsersOwn() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    _ = await folder.edit("filters", "save", "own-look", "--from", "@/1.jpg")
    let apply = await answer("apply", "")
    #expect(apply.candidates.map(\.word) == Filter.shipped.map(\.name) + ["own-look"])
    #expect(apply.files?.extensions == ["cube", "json", "png", "tif"])
    await #expect(words("filters", "remove", "") == ["own-look"])
    await #expect(words("filters", "").starts(with: ["list", "save", "remove", "noir"]))
  }

  @Test(arguments: [
    ["adjust", ""], ["apply", "noir", ""], ["auto", ""], ["crop", ""], ["flip", "none", ""],
    ["revert", ""], ["render", ""], ["rotate", "90", ""], ["show", "a.jpg", ""],
    ["straighten", "1", ""], ["sync", "--from", ""], ["sync", ""],
    ["filters", "save", "x", "--from", ""],
  ])
  func photosAreOfferedWithoutWhatBelongsToEdits(line: [String]) async {
    let answer = await EditCommand.completions(for: line)
    #expect(answer.files?.extensions.contains("heic") == true)
    #expect(answer.files?.extensions.contains("aae") == false)
    #expect(answer.files?.ignoring == ["_edited.jpg", "_edited-*.jpg", "_base.jpg"])
  }

  @Test func adjustmentsAreListedWithCommasBetween() async {
    let ids = AdjustmentDescription.all.map(\.id)
    await #expect(words("sync", "--only", "fi") == ids)
    let second = await words("sync", "--only", "filter,vib")
    #expect(second.contains("filter,vibrance"))
    #expect(!second.contains("filter,filter"))
    await #expect(words("adjustments", "") == ids)
  }

  @Test func optionsAreExplained() async throws {
    let options = await answer("adjust", "a.jpg", "--").candidates
    let exposure = try #require(options.first { $0.word == "--exposure" })
    #expect(exposure.section == "Light")
    #expect(exposure.explanation.hasPrefix("How many times the light doubles"))
    await #expect(words("adjust", "--flip-vertical", "") == ["yes", "no"])
    await #expect(
      words("render", "--format", "") == ["jpeg", "png", "tiff", "webp", "avif", "jxl"])
  }

  @Test func helpKnowsCommandsTopicsAndCodes() async {
    let first = await words("help", "")
    #expect(first.contains("apply") && first.contains("files") && !first.contains("list"))
    await #expect(words("help", "filters", "") == ["list", "save", "remove"])
    await #expect(words("help", "errors", "") == ErrorExplanation.all.map(\.code))
  }
}

@Suite struct LibraryCompletionTests {
  private let folder = CommandFolder()

  private func words(_ words: String...) async -> [String] {
    await CommandSurroundings.$userFilters.withValue(folder.userFilters) {
      await EditCommand.completions(for: words).candidates.map(\.word)
    }
  }

  @Test func albumsAreOfferedWhereOneIsNamed() async throws {
    try await folder.makeLibrary()
    _ = await folder.edit("library", "album", "create", "Holidays")
    _ = await folder.edit("library", "album", "create", "--folder", "Trips")
    await #expect(words("apply", "noir", "--album", "Hol").contains("Holidays"))
    await #expect(words("library", "album", "show", "").starts(with: ["Holidays", "Library"]))
    await #expect(words("library", "album", "create", "A", "--in", "") == ["Trips"])
    await #expect(words("library", "list", "--library", "none", "--album", "") == [])
  }

  @Test func programsThatAskedAreOffered() async throws {
    try await folder.makeLibrary()
    _ = await folder.edit("library", "access", "grant", "org.example.frames")
    await #expect(words("library", "access", "revoke", "") == ["org.example.frames"])
  }

  @Test func lookingForAlbumsMakesNoLibrary() async {
    await #expect(words("apply", "noir", "--album", "") == [])
    #expect(folder.names.isEmpty)
  }
}
