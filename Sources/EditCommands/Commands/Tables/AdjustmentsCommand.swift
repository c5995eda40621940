import PhotoEditing
import SafelightArguments

/// `edit adjustments`: prints the table of adjustments.
struct AdjustmentsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "adjustments",
    abstract: "List the adjustments, or describe one.",
    discussion: """
      With --json, each line is one adjustment with its parameters: option, type, range, unit \
      and default, enough to build a user interface from.

      Example:
        edit adjustments
        edit adjustments tone-curve
        edit adjustments --json
        edit adjustments --schema
      """)

  @Argument(
    help: ArgumentHelp(
      "The adjustment to describe, by its id or by an option of “edit adjust”; all are listed "
        + "without it.", valueName: "id"), completion: .adjustments)
  var adjustment: String?

  @Flag(help: "Print JSON: one adjustment for each line.")
  var json = false

  @Flag(help: "Print the JSON schema of an edit, as “edit render --edit” takes it.")
  var schema = false

  func validate() throws {
    if schema, json || adjustment != nil {
      throw ValidationError("--schema is for whole edits; leave the rest out.")
    }
  }

  func run(on console: Console) -> ExitCode {
    if schema {
      console.result(EditRequest.schema.text)
      return .success
    }
    let all = AdjustmentDescription.all
    guard let adjustment else {
      let lines = json ? all.map(\.json.text) : rows(all)
      for line in lines { console.result(line) }
      return .success
    }
    guard let found = AdjustmentDescription.named(String(adjustment.drop { $0 == "-" })) else {
      let names = all.flatMap { [$0.id] + $0.parameters.compactMap(\.option) }
      let advice = didYouMean(nearest(to: adjustment, among: names))
      console.message(
        "edit: There is no adjustment called “\(adjustment)”. ".onOneLine
          + (advice ?? "“edit adjustments” lists them."))
      return .failure
    }
    let lines = json ? [found.json.text] : description(of: found)
    for line in lines { console.result(line) }
    return .success
  }

  /// A line for each adjustment, in the order of the groups.
  private func rows(_ all: [AdjustmentDescription]) -> [String] {
    let width = all.map(\.id.count).max() ?? 0
    let groupWidth = AdjustmentGroup.allCases.map(\.rawValue.count).max() ?? 0
    return AdjustmentGroup.allCases.flatMap { group in
      all.filter { $0.group == group }.map { adjustment in
        adjustment.id.filled(to: width + 2) + group.rawValue.filled(to: groupWidth + 2)
          + adjustment.summary
      }
    }
  }

  private func description(of adjustment: AdjustmentDescription) -> [String] {
    let names = adjustment.parameters.map { $0.option.map { "--" + $0 } ?? $0.name }
    let width = names.map(\.count).max() ?? 0
    return [
      "\(adjustment.id) (\(adjustment.group.rawValue), version \(adjustment.version))",
      adjustment.summary,
    ]
      + zip(names, adjustment.parameters).map { name, parameter in
        let limits = parameter.limits
        return "  " + name.filled(to: width + 2) + parameter.summary
          + (limits.isEmpty ? "" : " (\(limits))")
      }
  }
}
