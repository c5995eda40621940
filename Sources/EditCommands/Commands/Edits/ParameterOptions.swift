import PhotoEditing
import SafelightArguments

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
          throw UsageError.outOfRange(number, option: option, range: range)
        case .invalid(let reason): throw ParameterError(option: option, reason: reason)
        case .unusable(let sentence, _, _): throw ValidationError(sentence)
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
    case .percent, .stops, .kelvin, .degrees, .seconds, .pixels:
      typeName == "number" || typeName == "integer" ? unit.rawValue : typeName
    }
  }
}
