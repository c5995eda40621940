import SafelightAdjustments
import SafelightFiles
import SafelightFormats
import SafelightRendering
import SafelightStorage

/// One thing that can be done to a photo's edit, as a value.
///
/// ```swift
/// try await editor.perform(.crop(.aspect(width: 16, height: 9, .center)), on: photo)
/// try await editor.perform(.undo(), on: photo)
/// ```
///
/// As JSON it is an object with the operation's name and its parameters, all others at their neutral values:
/// `{"operation": "crop", "aspect": "16:9"}`. ``all`` describes every operation with its parameters, and the options of
/// the command line, the bodies of HTTP and the schemas for agents are made from it.
public struct EditOperation: Sendable {
  /// What it does, with its parameters.
  package let action: any EditAction

  package init(_ action: any EditAction) { self.action = action }

  /// Whether it changes adjustments and filters alone, so that it can be one of several in a step.
  public var changesStack: Bool { action is any StackAction }

  /// The operation's name, such as `crop`.
  public var name: String { type(of: action).id }
}

extension EditOperation: Hashable {
  public static func == (one: EditOperation, other: EditOperation) -> Bool {
    one.action.hashable == other.action.hashable
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(action.hashable) }
}

/// What an operation is: its row of the table, its parameters, and what it plans for a photo.
///
/// A new operation is a type with this protocol and a line in ``EditOperation/actions``. It then is a command, a route of
/// HTTP, a tool or a member of an agent's edit, and a line of a worker.
package protocol EditAction: ReadParameters {
  /// What it does, as an order of one sentence: “Crop photos.”
  static var summary: String { get }
  /// Whether it renders with a quality that can be asked for.
  static var takesQuality: Bool { get }
  /// Whether it drops what no undo brings back.
  static var dropsForGood: Bool { get }
  /// What was done to a photo, for people: `cropped`.
  var did: String { get }

  /// The same with what its names mean.
  ///
  /// - Throws: ``EditError`` when a name means nothing.
  func resolved(by names: EditNames) async throws(EditError) -> Self
  /// What it would change about an open photo.
  func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan
  /// Does it to a photo; see ``PhotoEditor/perform(_:on:quality:dryRun:requiring:)-(EditOperation,_,_,_,_)``.
  func perform(
    on photo: Photo, by editor: isolated PhotoEditor, _ call: EditCall
  ) throws -> EditResult
}

/// An operation on a photo's adjustments and filters.
package protocol StackAction: EditAction {
  /// Whether its parameters stand beside those of other operations in an edit of several: `filter`, `values`. Other
  /// operations are a member of their own: `crop`, `rotate`.
  static var isFlat: Bool { get }
  /// Whether the photo must be rendered without loss.
  var isLossless: Bool { get }
  /// Makes the change.
  func change(_ edit: inout StackEditing) throws
}

extension EditAction {
  package static var takesQuality: Bool { true }
  package static var dropsForGood: Bool { false }

  fileprivate var hashable: AnyHashable { AnyHashable(self) }

  package func resolved(by names: EditNames) async throws(EditError) -> Self { self }

  package func perform(
    on photo: Photo, by editor: isolated PhotoEditor, _ call: EditCall
  ) throws -> EditResult {
    try editor.perform(on: photo, .changing, call) { edit in try plan(for: edit, call) }
  }
}

extension StackAction {
  package static var isFlat: Bool { false }
  package var isLossless: Bool { false }

  package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
    try edit.plan(for: [self], call)
  }
}

/// How a call performs an operation.
package struct EditCall: Sendable {
  /// 1 to 100, of the rendered JPEG; `nil` is the quality that was given before.
  var quality: Int?
  var dryRun = false
  /// The revision that the photo must have; `nil` is any.
  var revision: String?
  let cancellation: RenderCancellation
}

/// What the names in operations mean to the program that asks for them: a server's client may name no files.
package struct EditNames: Sendable {
  /// The filter of a name.
  package let filter: @Sendable (String) throws(EditError) -> Filter
  /// The file of a photo or a sidecar.
  package let file: @Sendable (String) throws(EditError) -> FilePath

  package init(
    filter: @escaping @Sendable (String) throws(EditError) -> Filter,
    file: @escaping @Sendable (String) throws(EditError) -> FilePath
  ) {
    (self.filter, self.file) = (filter, file)
  }

  /// Names of filters and of files, as on the command line.
  package static let standard = EditNames(
    filter: { name throws(EditError) in try Filter.named(name) },
    file: { name in FilePath(argument: name) })
}

extension EditOperation {
  /// Every operation, in the order of help and tables.
  package static let actions: [any EditAction.Type] = [
    EditActions.Apply.self, EditActions.Adjust.self, EditActions.Auto.self, EditActions.Crop.self,
    EditActions.Straighten.self, EditActions.Rotate.self, EditActions.Flip.self,
    EditActions.Perspective.self, EditActions.Replace.self, EditActions.Copy.self,
    EditActions.Adopt.self, EditActions.KeyPhoto.self, EditActions.Undo.self, EditActions.Redo.self,
    EditActions.GoToStep.self,
    EditActions.SaveVersion.self, EditActions.UseVersion.self, EditActions.RemoveVersion.self,
    EditActions.MergeEdits.self, EditActions.Revert.self, EditActions.RenderAgain.self,
    EditActions.Relink.self, EditActions.AcceptOriginal.self,
  ]

  /// The action of a name; `nil` when there is none.
  package static func action(named name: String) -> (any EditAction.Type)? {
    actions.first { $0.id == name }
  }

  /// Every operation, described.
  public static let all: [EditOperationDescription] = actions.map { EditOperationDescription($0) }

  /// The same with what its names mean, so that these are looked up once for many photos.
  package func resolved(by names: EditNames) async throws(EditError) -> EditOperation {
    EditOperation(try await action.resolved(by: names) as any EditAction)
  }
}

/// The operations on edits.
package enum EditActions {}

/// An operation as data, for help, options, schemas and user interfaces.
public struct EditOperationDescription: Sendable, Hashable, Identifiable {
  /// The operation's name, such as `crop`.
  public let name: String
  /// The same as ``name``.
  public var id: String { name }
  /// What it does, as an order of one sentence.
  public let summary: String
  /// Every parameter, in the order in which JSON has them.
  public let parameters: [ParameterDescription]
  /// Which parameters go together.
  public let rules: [ParameterRule]
  /// Whether it changes adjustments and filters alone, so that it can be one of several in a step.
  public let changesStack: Bool
  /// Whether it renders with a quality that can be asked for.
  public let takesQuality: Bool
  /// Whether it drops what no undo brings back.
  public let dropsForGood: Bool

  init(_ action: any EditAction.Type) {
    name = action.id
    summary = action.summary
    parameters = action.parameterDescriptions
    rules = action.rules
    changesStack = action is any StackAction.Type
    takesQuality = action.takesQuality
    dropsForGood = action.dropsForGood
  }
}

extension EditOperationDescription {
  /// A JSON schema of an object with the operation's parameters and no others.
  ///
  /// - Parameter others: What the object has besides.
  package func schema(with others: [JSONValue.Member] = []) -> JSONValue {
    parameters.schema(with: others)
  }
}

extension [ParameterDescription] {
  /// A JSON schema of an object with these parameters and no others.
  ///
  /// - Parameter others: What the object has besides.
  package func schema(with others: [JSONValue.Member] = []) -> JSONValue {
    let required = filter(\.isRequired).map { JSONValue.string($0.name) }
    let members: [JSONValue.Member?] = [
      .init("type", .string("object")),
      .init("properties", .object(map { .init($0.name, $0.schema) } + others)),
      required.isEmpty ? nil : .init("required", .array(required)),
      .init("additionalProperties", .bool(false)),
    ]
    return .object(members.compactMap(\.self))
  }
}

// MARK: - The interpreter

extension PhotoEditor {
  /// Does something to a photo's edit, or says what it would do.
  ///
  /// - Parameters:
  ///   - operation: What is done.
  ///   - photo: The photo.
  ///   - quality: 1 to 100, of the rendered JPEG, and of those after it; `nil` is the quality that was given
  ///     before, and without one that of the original. Operations that render nothing new do not look at it.
  ///   - dryRun: Whether only to find out what would happen; nothing is rendered or written.
  ///   - revision: The revision that the photo must have, as ``EditResult/revision`` gives it; `nil` is any.
  /// - Throws: ``EditError``; the old edit stands then. With ``EditError/inputOutdated(_:)`` the photo has another
  ///   revision.
  @discardableResult
  public func perform(
    _ operation: EditOperation, on photo: Photo, quality: Int? = nil, dryRun: Bool = false,
    requiring revision: String? = nil
  ) async throws(EditError) -> EditResult {
    let action = try await operation.resolved(by: .standard).action
    return try await performing(on: photo, quality, dryRun, revision) { editor, call in
      try action.perform(on: photo, by: editor, call)
    }
  }

  /// Changes a photo's adjustments and filters by several operations, which are one step of its history.
  ///
  /// - Parameters:
  ///   - operations: What is done, in order. Of several, each must be one of those that change the stack.
  ///   - photo: The photo.
  ///   - quality: As for one operation.
  ///   - dryRun: As for one operation.
  ///   - revision: As for one operation.
  /// - Throws: ``EditError``; the old edit stands then. ``EditError/invalidOperation(_:)`` for an operation that is a step
  ///   of its own.
  @discardableResult
  public func perform(
    _ operations: [EditOperation], on photo: Photo, quality: Int? = nil, dryRun: Bool = false,
    requiring revision: String? = nil
  ) async throws(EditError) -> EditResult {
    if operations.count == 1 {
      return try await perform(
        operations[0], on: photo, quality: quality, dryRun: dryRun, requiring: revision)
    }
    let actions = try await operations.stackActions()
    return try await performing(on: photo, quality, dryRun, revision) { editor, call in
      try editor.perform(on: photo, .changing, call) { edit in
        try edit.plan(for: actions, call)
      }
    }
  }

  private func performing(
    on photo: Photo, _ quality: Int?, _ dryRun: Bool, _ revision: String?,
    _ work: (isolated PhotoEditor, EditCall) throws -> EditResult
  ) async throws(EditError) -> EditResult {
    try await working(on: photo.path) { cancellation in
      try work(
        self,
        EditCall(quality: quality, dryRun: dryRun, revision: revision, cancellation: cancellation))
    }
  }

  /// The edit that a photo has, or would have after some operations, with the photo's revision. Nothing is rendered.
  ///
  /// - Parameter draft: The edit that the operations change; `nil` is the photo's own.
  /// - Returns: An empty edit for a photo without one, and for another program's.
  /// - Throws: ``EditError``.
  package func presentEdit(
    of photo: Photo, draft: EditStack? = nil, after operations: [EditOperation] = []
  ) async throws(EditError) -> (revision: String, edit: EditStack, notes: [String]) {
    let actions = try await operations.stackActions()
    return try await reading(photo) { edit, cancellation in
      let call = EditCall(cancellation: cancellation)
      let changed = try edit.stack(draft ?? edit.stack(), after: actions, call)
      return (
        try PhotoRevision(photo.path).revision, changed.stack,
        changed.notes + (changed.automatic?.notes ?? [])
      )
    }
  }
}

extension [EditOperation] {
  /// The operations as changes of one stack.
  ///
  /// - Throws: ``EditError/invalidOperation(_:)`` when one of them is a step of its own.
  func stackActions() async throws(EditError) -> [any StackAction] {
    var actions: [any StackAction] = []
    for operation in self {
      let resolved = try await operation.resolved(by: .standard)
      guard let action = resolved.action as? any StackAction else {
        throw .invalidOperation(.notInAStep(operation.name))
      }
      actions.append(action)
    }
    return actions
  }
}

extension OpenEdit {
  /// A plan to give the photo's own edit other adjustments.
  func plan(for actions: [any StackAction], _ call: EditCall) throws -> EditPlan {
    let isLossless = actions.contains(where: \.isLossless)
    if isLossless, call.quality != nil {
      throw OperationError.contradiction(
        "Without loss a photo keeps its own quality; leave “quality” out.", of: EditActions.Crop.id)
    }
    var automatic: AutomaticAdjustments?
    var notes: [String] = []
    let plan = try planToChange(quality: call.quality, isLossless: isLossless) { stack in
      let edited = try self.stack(stack, after: actions, call)
      (stack, automatic, notes) = (edited.stack, edited.automatic, edited.notes)
    }
    return plan.adding(automatic, notes: notes)
  }

  /// What operations make of an edit of the photo.
  func stack(
    _ stack: EditStack, after actions: [any StackAction], _ call: EditCall
  ) throws -> StackEditing {
    try StackEditing(stack, of: path, call.cancellation, pixels: checkedPixels).making(actions)
  }
}
