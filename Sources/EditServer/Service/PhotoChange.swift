import PhotoEditing
import SafelightFiles
import SafelightStorage

/// A change of one photo's edit, as the interface names it: alone, or one of many in a job.
struct PhotoChange: Sendable {
  /// What is done.
  enum Kind: Sendable {
    case apply(Filter, intensity: Double, adding: Bool)
    case replace(EditStack)
    case set([ParameterSetting])
    case auto(Set<AutomaticAdjustment>, strength: Double)
    case copy(EditCopying, EditStack)
    case undo(Int)
    case redo(Int)
    case goTo(Int)
    case revert(keepingRender: Bool, droppingVersions: Bool)
    case saveVersion(String, replacing: Bool)
    case useVersion(String)
    case removeVersion(String)
  }

  var kind: Kind
  var dryRun = false
  var quality: Int?
  /// The revision that the change is based on; `nil` is whatever there is.
  var revision: String?

  /// Does it, and says what was done in the words of `--json`.
  ///
  /// - Throws: ``EditError``; with ``EditError/inputOutdated(_:)`` the photo has another revision.
  func perform(
    on photo: Photo, words: any ServerWords
  ) async throws(EditError) -> [JSONValue.Member] {
    var configuration = PhotoEditor.Configuration()
    configuration.requiredRevision = revision
    let editor = PhotoEditor(configuration)
    var details: [JSONValue.Member] = []
    let result: EditResult
    switch kind {
    case .apply(let filter, let intensity, let adding):
      result = try await editor.apply(
        filter.applied(intensity: intensity), adding ? .adding : .replacing, to: photo,
        quality: quality, dryRun: dryRun)
    case .replace(let stack):
      result = try await change(photo, by: editor) { edit throws(AdjustmentError) in
        try edit.become(stack)
      }
    case .set(let settings):
      result = try await change(photo, by: editor) { edit throws(AdjustmentError) in
        try edit.set(settings)
      }
    case .copy(let part, let source):
      result = try await change(photo, by: editor) { edit throws(AdjustmentError) in
        try edit.copy(part, from: source)
      }
    case .auto(let kinds, let strength):
      let found = try await editor.automaticAdjustments(for: photo, kinds, strength: strength)
      let values = found.settings.map { setting in
        JSONValue.Member(setting.parameter.option ?? setting.parameter.name, setting.value)
      }
      details = [.init("values", .object(values))]
      if !found.notes.isEmpty { details.append(.init("notes", .strings(found.notes))) }
      result = try await change(photo, by: editor) { edit throws(AdjustmentError) in
        try edit.set(found.settings)
      }
    case .undo(let steps):
      result = try await editor.undo(photo, steps: steps, quality: quality, dryRun: dryRun)
    case .redo(let steps):
      result = try await editor.redo(photo, steps: steps, quality: quality, dryRun: dryRun)
    case .goTo(let step):
      result = try await editor.goToStep(
        step, ofHistoryOf: photo, quality: quality, dryRun: dryRun)
    case .revert(let keepingRender, let droppingVersions):
      if dryRun { details = try await going(editor, photo, keepingRender, droppingVersions, words) }
      result = try await editor.revertAssetContentToOriginal(
        photo, keepingRender: keepingRender, droppingVersions: droppingVersions, dryRun: dryRun)
    case .saveVersion(let name, let replacing):
      result = try await editor.saveVersion(
        named: name, of: photo, replacing: replacing, dryRun: dryRun)
    case .useVersion(let name):
      result = try await editor.useVersion(named: name, of: photo, dryRun: dryRun)
    case .removeVersion(let name):
      result = try await editor.removeVersion(named: name, of: photo, dryRun: dryRun)
    }
    return words.result(result, of: photo.path, dryRun: dryRun) + details
  }

  private func change(
    _ photo: Photo, by editor: PhotoEditor,
    _ change: @Sendable (inout EditStack) throws(AdjustmentError) -> Void
  ) async throws(EditError) -> EditResult {
    try await editor.adjust(photo, quality: quality, dryRun: dryRun, change)
  }

  /// The files that a revert would remove.
  private func going(
    _ editor: PhotoEditor, _ photo: Photo, _ keepingRender: Bool, _ droppingVersions: Bool,
    _ words: any ServerWords
  ) async throws(EditError) -> [JSONValue.Member] {
    let resources = try await editor.state(of: photo).resources.filter { resource in
      switch resource.type {
      case .photo: false
      case .fullSizePhoto: !keepingRender
      case .alternatePhoto: droppingVersions
      case .adjustmentData, .adjustmentBasePhoto: true
      }
    }
    let json = resources.map { resource in
      JSONValue.object([
        "type": .string(resource.type.rawValue), "path": .string(resource.path.string),
        "contentType": .string(resource.contentType),
      ])
    }
    return [.init("resources", .array(json))]
  }
}

extension EditStack {
  /// Becomes another edit. What only newer versions of Safelight know of this edit stays.
  fileprivate mutating func become(_ stack: EditStack) throws(AdjustmentError) {
    // Programs send adjustments in the order in which they were shown, which says nothing of those of different kinds:
    // what was there keeps its place, as where a command changes it, and equal edits are equal data.
    var ordered = EditStack()
    for id in (entries + stack.entries).map(\.id) { try ordered.copy(.only([id]), from: stack) }
    try copy(.all, from: ordered)
  }
}

extension PhotoChange {
  /// Reads a change from a request.
  ///
  /// - Parameters:
  ///   - command: The last part of the path of the change.
  ///   - body: The request's body, whose members are checked already.
  init(
    _ command: String, _ body: JSONBody, userFilters: UserFilters
  ) throws {
    dryRun = try body.truth("dryRun") ?? false
    quality = try body.integer("quality", in: 1...100)
    revision = try body.text("revision", atMost: 100)
    switch command {
    case "apply":
      let filter = try Self.filter(try body.requiredText("filter"), userFilters)
      kind = .apply(
        filter, intensity: try body.number("intensity", in: 0...1) ?? 1,
        adding: try body.truth("add") ?? false)
    case "adjust":
      let (stack, settings) = (try body.stack(), try body.settings())
      switch (stack, settings) {
      case (let stack?, nil): kind = .replace(stack)
      case (nil, let settings?): kind = .set(settings)
      default: throw ServerError.badRequest("Either “adjustments” or “values” is needed.")
      }
    case "auto":
      let asked: [(String, AutomaticAdjustment)] = [
        ("tone", .tone), ("whiteBalance", .whiteBalance), ("straighten", .straighten),
      ]
      let said = try asked.map { (kind: $0.1, isWanted: try body.truth($0.0)) }
      let wanted = Set(said.filter { $0.isWanted == true }.map(\.kind))
      let unwanted = Set(said.filter { $0.isWanted == false }.map(\.kind))
      let kinds = wanted.isEmpty ? Set([.tone, .whiteBalance]).subtracting(unwanted) : wanted
      guard !kinds.isEmpty else { throw ServerError.badRequest("There is nothing to set.") }
      kind = .auto(kinds, strength: try body.number("strength", in: 0...1) ?? 1)
    case "undo": kind = .undo(try body.integer("steps", in: 1...1_000_000) ?? 1)
    case "redo": kind = .redo(try body.integer("steps", in: 1...1_000_000) ?? 1)
    case "history":
      guard let step = try body.integer("step", in: 0...1_000_000) else {
        throw ServerError.badRequest("“step” is missing.")
      }
      kind = .goTo(step)
    case "revert":
      kind = .revert(
        keepingRender: try body.truth("keepRender") ?? false,
        droppingVersions: try body.truth("versions") ?? false)
    case "versions":
      kind = .saveVersion(
        try Self.version(try body.requiredText("name")),
        replacing: try body.truth("replace") ?? false)
    default: throw ServerError.badRequest("There is no command “\(command.prefix(50))”.")
    }
  }

  /// The members of the body of each change.
  static let members: [String: [String]] = [
    "apply": ["filter", "intensity", "add", "revision", "dryRun", "quality"],
    "adjust": ["adjustments", "values", "revision", "dryRun", "quality"],
    "auto": ["tone", "whiteBalance", "straighten", "strength", "revision", "dryRun", "quality"],
    "undo": ["steps", "revision", "dryRun", "quality"],
    "redo": ["steps", "revision", "dryRun", "quality"],
    "history": ["step", "revision", "dryRun", "quality"],
    "revert": ["keepRender", "versions", "revision", "dryRun"],
    "versions": ["name", "replace", "revision", "dryRun"],
  ]

  /// A filter by its name. Names lead to no files but those of the user's filters.
  static func filter(_ name: String, _ userFilters: UserFilters) throws(EditError) -> Filter {
    guard Filter.isValidName(name) else { throw .unknownFilter(name) }
    return try Filter.named(name, userFilters: userFilters)
  }

  /// The name of a version, when it can be one.
  static func version(_ name: String) throws(EditError) -> String {
    guard PhotoVersion.isName(name) else { throw .storage(.invalidVersionName(name)) }
    return name
  }

  /// What is copied from one photo to others.
  static func part(_ body: JSONBody) throws(ServerError) -> EditCopying {
    let geometry = try body.truth("geometry") ?? false
    guard let only = try body.texts("only", atMost: 200) else {
      return geometry ? .all : .allButGeometry
    }
    if geometry { throw .badRequest("“only” names all that is copied; leave “geometry” out.") }
    let known = AdjustmentDescription.all.map(\.id)
    if let unknown = only.first(where: { !known.contains($0) }) {
      throw .unknownAdjustment(unknown)
    }
    return .only(Set(only))
  }
}
