import PhotoEditing
import SafelightArguments

/// `edit adjust`: sets parameters of photos' adjustments.
struct AdjustCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "adjust",
    abstract: "Set the light, colors and other adjustments of photos.",
    discussion: """
      Renders each photo beside its original and stores the edit. An option sets a value, however \
      often it is given; the photo's other adjustments and its filter stay. At its neutral value \
      an adjustment is removed. An edit that has nothing left keeps its history: “edit undo” brings \
      it back, and “edit revert” drops it.

      A curve is written as points from dark to light, each with what goes in and what comes out: \
      "0,0 0.5,0.6 1,1" brightens the mid-tones.

      Example:
        edit adjust beach.jpg --exposure 0.5 --contrast 12 --temperature 5200
        edit adjust *.jpg --tone-curve "0,0 0.5,0.6 1,1"
        edit adjust beach.jpg --reset --saturation -20
      """)

  @OptionTable(ParameterOptions.table) var values

  @Flag(help: "Drop all adjustments first; filters stay.")
  var reset = false

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  func validate() throws {
    guard reset || !values.isEmpty else {
      throw ValidationError("Say what to adjust, such as --exposure 0.5, or --reset.")
    }
    _ = try prepare(for: [])
  }

  func prepare(for photos: [FilePath]) throws -> [ParameterSetting] {
    try ParameterOptions.settings(values)
  }

  func work(on task: PhotoTask<[ParameterSetting]>) async throws(EditError) -> PhotoResult {
    let reset = reset
    return try await adjust(task, did: "adjusted") { edit throws(AdjustmentError) in
      if reset { edit.removeAdjustments() }
      try edit.set(task.preparation)
    }
  }
}

/// The options of the parameters of all adjustments, made from the one table.
enum ParameterOptions {
  /// One option for each parameter that has one, in the order of the groups and of the pipeline.
  static let table: [OptionTable.Row] = AdjustmentGroup.allCases.flatMap { group in
    AdjustmentDescription.all.filter { $0.group == group }.flatMap(\.parameters)
      .compactMap { parameter in
        parameter.option.map { option in
          OptionTable.Row(
            option, valueName: parameter.valueName,
            help: "\(parameter.summary) (\(parameter.limits))", section: group.title,
            choices: parameter.choices)
        }
      }
  }

  /// What the given options say.
  ///
  /// - Throws: `UsageError` for a value that means nothing, `ParameterError` for one that is not
  ///   allowed.
  static func settings(_ given: [OptionTable.Given]) throws -> [ParameterSetting] {
    try given.map { given in
      guard let parameter = ParameterDescription.option(given.name) else {
        throw UsageError.unknownOption("--" + given.name, nearest: nil)
      }
      do throws(AdjustmentError) {
        return try ParameterSetting(parameter, argument: given.text)
      } catch {
        guard case .parameter(_, _, let range, let problem) = error else { throw error }
        let option = "--" + given.name
        switch problem {
        case .wrongKind(let expected):
          throw UsageError.invalidValue(
            given.text, argument: "\(option) <\(parameter.valueName)>", expected: expected)
        case .outOfRange(let number) where parameter.typeName != "number":
          let (from, to) = (JSONValue.number(range.lowerBound), JSONValue.number(range.upperBound))
          let value = JSONValue.number(number).text
          throw ParameterError(
            option: option, reason: "takes numbers from \(from.text) to \(to.text), not \(value)")
        case .outOfRange(let number):
          throw LimitError(option: option, range: range, number: number)
        case .invalid(let reason): throw ParameterError(option: option, reason: reason)
        }
      }
    }
  }
}

/// A value that breaks a rule of its own, such as a curve of one point.
struct ParameterError: Misuse, Equatable, CustomStringConvertible {
  let option: String
  let reason: String

  var description: String { "\(option) \(reason)." }
}

extension ParameterDescription {
  /// What stands between the angle brackets of the option.
  var valueName: String {
    switch unit {
    case .none, .share: typeName
    case .percent, .stops, .kelvin, .degrees, .pixels:
      typeName == "number" || typeName == "integer" ? unit.rawValue : typeName
    }
  }

  /// The range with its unit, and the value that changes nothing: `-5 to 5 stops, neutral 0`.
  var limits: String {
    var parts: [String] = []
    if let range {
      let (from, to) = (JSONValue.number(range.lowerBound), JSONValue.number(range.upperBound))
      let unit = unit == .none || unit == .share ? "" : " \(unit.rawValue)"
      parts.append("\(from.text) to \(to.text)\(unit)")
    }
    if !choices.isEmpty { parts.append(choices.joined(separator: ", ")) }
    if !neutralArgument.isEmpty { parts.append("neutral \(neutralArgument)") }
    return parts.joined(separator: choices.isEmpty ? ", " : "; ")
  }
}
