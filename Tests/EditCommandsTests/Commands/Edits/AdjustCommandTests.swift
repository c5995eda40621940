import PhotoEditing
import SafelightArguments
import Testing

@testable import SafelightEditCommands

@Suite struct AdjustCommandTests {
  private let folder = CommandFolder()

  @Test func setsAValueOnceAndForAll() async throws {
    try folder.add("orientation/6.jpg")
    await #expect(
      folder.edit("adjust", "@/6.jpg", "--saturation", "-50")
        == Transcript(results: ["@/6.jpg: adjusted, rendered to @/6_edited.jpg"]))
    #expect(folder.names == ["6.jpg", "6.jpg.aae", "6_edited.jpg"])
    await #expect(
      folder.edit("adjust", "@/6.jpg", "--saturation=-50%")
        == Transcript(results: ["@/6.jpg: unchanged, @/6_edited.jpg is up to date"]))
    await #expect(
      folder.edit("adjust", "--vibrance", "10", "--vibrance", "20", "@/6.jpg", "--json").results
        == [
          #"{"photo":"@/6.jpg","status":"edited","rendered":"@/6_edited.jpg","#
            + #""record":"@/6.jpg.aae"}"#
        ])
    #expect(
      await folder.edit("show", "@/6.jpg").results[1]
        == "  edit      vibrance 20, saturation -50")
  }

  @Test func resettingKeepsFilters() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    let noir = folder.data("1_edited.jpg")
    _ = await folder.edit("adjust", "@/1.jpg", "--saturation", "0.5", "--vibrance", "0.5")
    _ = await folder.edit("adjust", "@/1.jpg", "--reset", "--vibrance", "0.1")
    await #expect(
      folder.edit("show", "@/1.jpg").results[1] == "  edit      vibrance 0.1, noir")
    _ = await folder.edit("adjust", "@/1.jpg", "--reset")
    #expect(folder.data("1_edited.jpg") == noir)
  }

  @Test func everyParameterWithAnOptionHasItInTheHelp() {
    let help = EditCommand.helpMessage(
      for: OperationCommand<EditActions.Adjust>.self, columns: 1000)
    for adjustment in AdjustmentDescription.all {
      #expect(
        adjustment.parameters.allSatisfy { parameter in
          parameter.option == nil
            || help.contains("  --\(parameter.option ?? "") <\(parameter.valueName)>")
              && help.contains("\(parameter.summary) (\(parameter.limits))")
        }, "\(adjustment.id)")
    }
    #expect(help.contains("\n\nLIGHT:\n  --") && help.contains("\n\nCOLOR:\n  --"))
    #expect(help.contains("(-100 to 100 percent, neutral 0)"))
  }

  @Test func noParametersOptionIsOneOfTheCommandsOwn() {
    let names = OperationCommand<EditActions.Adjust>.commandDescription.arguments.flatMap(\.names)
    #expect(Set(names).count == names.count)
  }
}

@Suite struct AdjustmentsCommandTests {
  private let folder = CommandFolder()

  @Test func listsEveryAdjustmentWithItsGroupAndSentence() async {
    let lines = await folder.edit("adjustments").results
    #expect(lines.count == AdjustmentDescription.all.count)
    let saturation = lines.first { $0.hasPrefix("saturation ") }
    #expect(
      saturation?.wholeMatch(
        of: /saturation +color +Makes every color stronger or weaker alike\./)
        != nil)
  }

  @Test(arguments: ["saturation", "--saturation"])
  func describesOne(name: String) async {
    await #expect(
      folder.edit("adjustments", "--", name)
        == Transcript(results: [
          "saturation (color, version 1)", "Makes every color stronger or weaker alike.",
          "  --saturation  How much stronger colors get; -100 leaves gray. (-100 to 100 percent, neutral 0)",
        ]))
  }

  @Test func theTableIsJSONForOtherPrograms() async throws {
    let lines = await folder.edit("adjustments", "--json").results
    #expect(lines == AdjustmentDescription.all.map(\.json.text))
    await #expect(
      folder.edit("adjustments", "tone-curve-red", "--json").results
        == lines.filter { $0.hasPrefix(#"{"id":"tone-curve","#) })
  }

  @Test func aMistypedIdGetsTheNearest() async {
    await #expect(
      folder.edit("adjustments", "vibranse")
        == Transcript(
          messages: [
            "edit: There is no adjustment called “vibranse”. Did you mean “vibrance”?"
          ], code: 1))
  }
}
