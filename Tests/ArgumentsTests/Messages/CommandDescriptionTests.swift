import Testing

@testable import SafelightArguments

@Suite struct CommandDescriptionTests {
  @Test func theTreeOfCommandsIsData() throws {
    let edit = Edit.commandDescription
    #expect(edit.name == "edit")
    #expect(edit.version?() == "1.2.0")
    #expect(edit.subcommands.map(\.name) == ["apply", "render", "rotate", "worker", "library"])
    #expect(edit.subcommands.filter(\.isHidden).map(\.name) == ["worker"])
    let library = try #require(edit.subcommands.last)
    #expect(library.defaultCommand?.name == "fetch-assets")
    #expect(library.subcommands.map(\.path).first == ["edit", "library", "albums"])
    #expect(library.subcommands.first?.version?() == "1.2.0")
  }

  @Test func anOptionsDataSaysWhatHelpSays() throws {
    let render = Edit.commandDescription.subcommands[1]
    let format = try #require(render.arguments.first { $0.names == ["--format"] })
    #expect(format.kind == .option)
    #expect(format.valueName == "format")
    #expect(format.allowedValues == ["jpeg", "png", "tiff"])
    #expect(format.defaultValue == "jpeg")
    #expect(format.isOptional && !format.isRepeating && !format.isHidden && !format.isBuiltIn)
    let tag = try #require(render.arguments.first { $0.names.contains("--tag") })
    #expect(tag.names == ["-t", "--tag"])
    #expect(tag.isRepeating && tag.isOptional)
    #expect(render.arguments.filter(\.isHidden).map(\.names) == [["--seed"]])
    #expect(
      render.arguments.filter(\.isBuiltIn).map(\.names) == [["--version"], ["-h", "--help"]])
  }

  @Test func groupsGiveTheirTitle() {
    let apply = Apply.commandDescription
    #expect(apply.arguments.filter { $0.section == "Common options" }.count == 2)
    #expect(apply.arguments.prefix(2).map(\.kind) == [.positional, .positional])
    #expect(apply.arguments[1].isRepeating && !apply.arguments[1].isOptional)
  }
}
