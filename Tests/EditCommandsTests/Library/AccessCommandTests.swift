import Testing

@testable import SafelightEditCommands

@Suite struct AccessCommandTests {
  private let folder = CommandFolder()
  private let client = ["--client", "org.example.frames", "--usage", "To show photos in a frame."]

  private func list(answering answers: String...) async -> (Transcript, [String]) {
    let said = await folder.edit(
      answering: answers, "library", "list", "--count", client[0], client[1], client[2], client[3])
    return (said.transcript, said.questions)
  }

  @Test func anotherProgramIsAskedAboutOnce() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    let (first, questions) = await list(answering: "what?", "y")
    #expect(
      questions.first == """
        org.example.frames wants to see and change the photos of @/data/library:
          To show photos in a frame.
        Allow it? y for yes, n for no, l for only some photos:
        """)
    #expect(questions.count == 2, "What is no answer is asked again.")
    #expect(first.results == ["1"])
    let (second, none) = await list()
    #expect(second.results == ["1"])
    #expect(none.isEmpty)
    await #expect(
      folder.edit("library", "access", "list").results
        == [
          "org.example.frames: sees and changes everything", "  To show photos in a frame.",
        ])
  }

  @Test func aNoIsRememberedAndTakenBack() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    let (refused, _) = await list(answering: "n")
    #expect(refused.code == 1)
    let (again, questions) = await list(answering: "y")
    #expect(again == refused)
    #expect(questions.isEmpty)
    await #expect(
      folder.edit("library", "access", "grant", "org.example.frames").results
        == ["org.example.frames: sees and changes everything"])
    #expect(await list().0.results == ["1"])
    await #expect(
      folder.edit("library", "access", "revoke", "org.example.frames").results
        == ["org.example.frames: may do nothing"])
    #expect(await list().0.code == 1)
  }

  @Test func onlySomePhotosCanBeChosenOnTheTerminal() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg", "c.jpg")
    let (limited, questions) = await list(
      answering: "l", "nothing", "\(folder.path)/photos/a.jpg \(folder.path)/photos/c.jpg")
    #expect(limited.results == ["2"])
    #expect(questions.count == 3)
    #expect(questions.last == "nothing is not in the library. Which photos?")
    await #expect(
      folder.edit("library", "access", "list", "--json").results.first?
        .contains(#""readWrite":"limited""#) == true)
  }

  @Test func anAlbumLimitsToo() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg")
    _ = await folder.edit("library", "album", "create", "Best")
    _ = await folder.edit("library", "album", "add", "Best", "@/photos/b.jpg")
    await #expect(
      folder.edit("library", "access", "limit", "org.example.frames", "--album", "Best").results
        == ["org.example.frames: sees and changes 1 photo"])
    #expect(
      try await folder.listed("--client", "org.example.frames") == ["b.jpg"])
    let add = await folder.edit("library", "add", "@/photos", "--client", "org.example.frames")
    #expect(add.code == 1)
    let history = try await folder.edit(
      "library", "changes", "--json", "--client", "org.example.frames"
    ).objects
    #expect(history.contains { $0["fetchAnew"] == .bool(true) })
  }

  @Test func addingCanBeAllAProgramMayDo() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    await #expect(
      folder.edit("library", "access", "grant", "--add-only", "org.example.frames").results
        == ["org.example.frames: adds photos, sees none"])
    #expect(await list(answering: "y").0.code == 1)
  }

  @Test func withoutATerminalNothingHangs() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    await #expect(
      folder.edit(["library", "list"] + client)
        == Transcript(
          messages: [
            "edit: The user cannot be asked here whether org.example.frames may use the library. The "
              + "owner of the library can allow it with “edit library access grant "
              + "org.example.frames”."
          ], code: 1))
    let edit = try EditProcess(
      ["library", "list", "--json", "--library", folder.libraryFolder.string] + client, in: folder)
    #expect(edit.status == 1)
    #expect(edit.output.contains(#""code":"cannot-ask""#))
  }

  @Test func aProgramMustSayWhatItWants() async throws {
    try await folder.makeLibrary()
    let said = await folder.edit(answering: ["y"], "library", "list", "--client", "org.x")
    #expect(said.questions.isEmpty)
    #expect(
      said.transcript.messages == [
        "edit: org.x gives no reason for using the library. "
          + "Say it in one sentence with --usage, which the user is shown."
      ])
  }

  @Test func whoNeverAskedCannotLoseAccess() async throws {
    try await folder.makeLibrary()
    let revoked = await folder.edit("library", "access", "revoke", "org.x", "--json")
    #expect(try revoked.objects.first?["error"]?["code"]?.string == "no-such-client")
  }

  @Test(arguments: [
    ["init", "--client", "a"], ["rebuild", "--client", "a"],
    ["access", "grant", "a", "--client", "a"], ["list", "--usage", "To look."],
    ["list", "--client", " "],
  ])
  func whatIsTheOwnersIsForNobodyElse(words: [String]) async throws {
    try await folder.makeLibrary()
    await #expect(folder.edit(["library"] + words).code == 64)
  }
}
