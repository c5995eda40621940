import PhotoEditing
import SafelightArguments

/// A command that is an operation on the edits of photos: its options are the operation's parameters, and its help the
/// operation's summary with what is said in ``OperationHelp``.
protocol TableCommand: ChangingCommand where Preparation == EditOperation {
  associatedtype Action: EditAction
  /// The parameters that were given.
  var given: [OptionTable.Given] { get }
}

extension TableCommand {
  static var words: [String] { OperationHelp.words(of: Action.id) }
  static var configuration: CommandConfiguration { .init(Action.self) }

  private var operation: EditOperation {
    get throws { try OperationOptions.operation(of: Action.self, given) }
  }

  func validate() throws { _ = try operation }

  func prepare(for photos: [FilePath]) async throws -> EditOperation {
    try await operation.resolved(by: .commandLine)
  }
}

/// The command of an operation that renders, with a quality that can be asked for.
struct OperationCommand<Action: EditAction>: TableCommand, EditingCommand {
  @OptionTable(OperationOptions.rows(of: Action.self)) var given
  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  func work(on task: PhotoTask<EditOperation>) async throws(EditError) -> PhotoResult {
    try await task.perform(task.preparation, quality: quality, dryRun: dryRun)
  }
}

/// The command of an operation that renders nothing with a quality of its own.
struct RecordCommand<Action: EditAction>: TableCommand {
  @OptionTable(OperationOptions.rows(of: Action.self)) var given
  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
  @OptionGroup var whole: BatchWideOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func work(on task: PhotoTask<EditOperation>) async throws(EditError) -> PhotoResult {
    try await task.perform(task.preparation, dryRun: dryRun)
  }
}

extension CommandConfiguration {
  /// The command of an operation.
  fileprivate init(_ action: any EditAction.Type) {
    self.init(
      commandName: OperationHelp.words(of: action.id).last, abstract: action.summary,
      discussion: OperationHelp.texts[action.id] ?? "")
  }
}

extension EditCommand {
  /// The commands of the operations on adjustments and filters, and those of other operations that no command has.
  static let operationCommands:
    (edit: [any ParsableCommand.Type], other: [any ParsableCommand.Type]) = {
      func command<Action: EditAction>(_ action: Action.Type) -> any ParsableCommand.Type {
        Action.takesQuality ? OperationCommand<Action>.self : RecordCommand<Action>.self
      }
      func commands(_ actions: [any EditAction.Type]) -> [any ParsableCommand.Type] {
        actions.filter {
          OperationHelp.elsewhere[$0.id] == nil && OperationHelp.words(of: $0.id).count == 1
        }
        .map { command($0) }
      }
      let actions = EditOperation.actions
      return (
        commands(actions.filter { $0 is any StackAction.Type }),
        commands(actions.filter { !($0 is any StackAction.Type) })
      )
    }()
}

extension EditNames {
  /// Filters and files by the names that people type.
  static var commandLine: EditNames {
    let userFilters = CommandSurroundings.userFilters
    return EditNames(
      filter: { name throws(EditError) in try Filter.named(name, userFilters: userFilters) },
      file: EditNames.standard.file)
  }
}

extension PhotoTask {
  /// Does something to the photo's edit, and says what was done.
  func perform(
    _ operation: EditOperation, quality: Int? = nil, dryRun: DryRunOption
  ) async throws(EditError) -> PhotoResult {
    let result = try await editor.perform(
      operation, on: photo, quality: quality, dryRun: dryRun.isOn)
    return PhotoResult(result, of: [operation], to: path, dryRun: dryRun.isOn)
  }
}

/// The options of operations, made from their tables.
enum OperationOptions {
  /// One row for each parameter; for values of adjustments, one for each parameter of these.
  static func rows(of action: any ReadParameters.Type) -> [OptionTable.Row] {
    action.parameterDescriptions.flatMap { parameter -> [OptionTable.Row] in
      if parameter.typeName == AdjustmentValues.typeName { return ParameterOptions.table }
      let isFlag = parameter.typeName == Bool.typeName
      return [
        OptionTable.Row(
          option(parameter),
          parameter.isWord ? .positional : isFlag ? .flag : .option,
          valueName: valueName(of: parameter),
          help: parameter.help, choices: isFlag ? [] : parameter.choices,
          defaultValue: isFlag || parameter.isRequired || parameter.neutralArgument.isEmpty
            ? nil : parameter.neutralArgument,
          completion: parameter.completion, isRequired: parameter.isRequired)
      ]
    }
  }

  /// What stands between angle brackets: the parameter's name for numbers and texts, which say nothing themselves.
  private static func valueName(of parameter: ParameterDescription) -> String {
    let plain = [Double.typeName, Int.typeName, String.typeName, "choice"]
    return parameter.isWord || plain.contains(parameter.typeName)
      ? OperationOptions.option(parameter) : parameter.typeName
  }

  private static func option(_ parameter: ParameterDescription) -> String {
    parameter.option ?? parameter.name
  }

  /// The operation that options say.
  ///
  /// - Throws: `UsageError` for a value that means nothing or lies outside its range, ``ParameterError`` for another
  ///   one that is not allowed, `ValidationError` for options that do not go together.
  static func operation(
    of action: any EditAction.Type, _ given: [OptionTable.Given]
  ) throws -> EditOperation {
    try reading(action.parameterDescriptions, given) { members throws(OperationError) in
      try EditOperation(action.id, members)
    }
  }

  /// The output that options describe, with the names of the parameters that were given or kept. What contradicts its format is
  /// found by ``RenderDestination``, because the ending of a file may say the format.
  ///
  /// - Parameter file: The file to write, whose ending says the format where no option does.
  /// - Throws: As ``operation(of:_:)``.
  static func output(
    _ given: [OptionTable.Given], to file: OutputPath? = nil
  ) throws -> (output: RenderOutput, given: Set<String>) {
    try reading(RenderOutput.parameterDescriptions, given) { members throws(OperationError) in
      try CommandSurroundings.presets.output(
        of: members, in: (file?.path).flatMap(RenderDestination.format(ofFile:)))
    }
  }

  /// Makes what options say.
  private static func reading<Read>(
    _ parameters: [ParameterDescription], _ given: [OptionTable.Given],
    _ make: ([JSONValue.Member]) throws(OperationError) -> Read
  ) throws -> Read {
    var members: [JSONValue.Member] = []
    var values: [OptionTable.Given] = []
    for option in given {
      guard let parameter = parameters.first(where: { Self.option($0) == option.name }) else {
        values.append(option)
        continue
      }
      members.removeAll { $0.key == parameter.name }
      let isFlag = parameter.typeName == Bool.typeName
      members.append(.init(parameter.name, isFlag ? .bool(true) : .string(option.text)))
    }
    if !values.isEmpty {
      let settings = try ParameterOptions.settings(values)
      members.append(.init("values", AdjustmentValues(settings).json))
    }
    do throws(OperationError) {
      return try make(members)
    } catch {
      throw misuse(error, parameters, members)
    }
  }

  /// What is said of options that are no operation.
  private static func misuse(
    _ error: OperationError, _ parameters: [ParameterDescription], _ members: [JSONValue.Member]
  ) -> any Error {
    func label(_ name: String) -> String {
      guard let parameter = parameters.first(where: { $0.name == name }) else { return name }
      return parameter.isWord ? "<\(name)>" : "--" + (parameter.option ?? name)
    }
    switch error {
    case .parameter(let name, _, _, .wrongKind(let expected)):
      let text = members.first { $0.key == name }?.value.string ?? ""
      let parameter = parameters.first { $0.name == name }
      let value =
        parameter?.isWord == true ? "" : " <\(parameter.map(valueName) ?? name)>"
      return UsageError.invalidValue(text, argument: label(name) + value, expected: expected)
    case .parameter(let name, _, let range?, .outOfRange(let number)):
      return UsageError.outOfRange(number, option: label(name), range: range)
    case .parameter(let name, _, _, .invalid(let reason)):
      return ParameterError(option: label(name), reason: reason)
    case .missing(["values", "reset"], _):
      return ValidationError("Say what to adjust, such as --exposure 0.5, or --reset.")
    default:
      let advice = error.unknownName.flatMap { didYouMean(nearest(to: $0.name, among: $0.among)) }
      return ValidationError(
        error.description(naming: label) + (advice.map { " " + $0 } ?? ""))
    }
  }
}

extension ParameterDescription {
  /// The summary with the limits that are not seen elsewhere.
  fileprivate var help: String {
    guard let range else { return summary }
    let (from, to) = (JSONValue.number(range.lowerBound), JSONValue.number(range.upperBound))
    return
      "\(summary.hasSuffix(".") ? String(summary.dropLast()) : summary), from \(from.text) to \(to.text)."
  }

  /// What shells offer for the value.
  fileprivate var completion: CompletionKind? {
    switch typeName {
    case FilterName.typeName: .filtersAndFiles
    case FileName.typeName:
      adjustment == EditActions.SaveVersion.id ? .file(extensions: ["aae"]) : .photos
    case AdjustmentNames.typeName: .adjustmentList
    case VersionName.typeName: .versions
    default: nil
    }
  }
}
