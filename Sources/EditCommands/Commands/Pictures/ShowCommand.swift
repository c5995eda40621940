import FoundationEssentials
import PhotoEditing
import SafelightArguments

/// `edit show`: says what is applied to photos.
struct ShowCommand: PhotoCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what is applied to photos.",
    discussion: """
      Prints which filters a photo has, which files belong to it, whether it can be reverted, and \
      what does not agree with its record. --histogram counts every pixel of the photo as it is now: how \
      light it is, and how much of it is clipped; with -o it is drawn too. Nothing else is written.

      Example:
        edit show beach.jpg
        edit show --json *.jpg
        edit show --histogram beach.jpg -o histogram.png
      """)

  static var takesRenders: Bool { true }

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @Flag(help: "Say how light the photo is and how much is clipped.")
  var histogram = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Draw the histogram to this file, or into this folder for several.", valueName: "path"))
  var output: OutputPath?

  @Flag(help: "Replace drawings that are there.")
  var overwrite = false

  @OptionGroup var decoding: DecodingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func validate() throws {
    if !histogram, output != nil || overwrite {
      throw ValidationError("--output and --overwrite need --histogram.")
    }
  }

  /// Where the histograms go; `nil` draws none.
  func prepare(for photos: [FilePath]) throws -> RenderDestination? {
    try output.map { try RenderDestination(writing: $0, of: photos) }
  }

  func output(for index: Int, with destination: RenderDestination?) -> FilePath? {
    destination?.paths[index]
  }

  func work(
    on photo: FilePath, at index: Int, with destination: RenderDestination?, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let state = try await editor.state(of: Photo(path: photo))
    let description = StateDescription(state, photo: photo)
    func resource(_ type: AssetResource.ResourceType) -> FilePath? {
      state.resources.first { $0.type == type }?.path.shown(beside: photo)
    }
    let counted = try await histogram ? counted(photo, at: index, to: destination, by: editor) : nil
    return PhotoResult(
      status: "shown", text: description.text, rows: description.rows + (counted?.rows ?? []),
      rendered: resource(.fullSizePhoto), record: resource(.adjustmentData),
      warnings: state.warnings + (counted?.warnings ?? []),
      details: description.details + (counted?.details ?? []))
  }
}

/// What `edit show` says of a photo, as text and as JSON.
struct StateDescription {
  let state: PhotoState
  let photo: FilePath

  init(_ state: PhotoState, photo: FilePath) {
    self.state = state
    self.photo = photo
  }

  /// The line about the original.
  var text: String {
    let original = state.original
    var facts = [
      original.format.title, "\(original.pixelWidth) × \(original.pixelHeight)",
      Self.size(state.originalSize),
    ]
    if original.orientation != 1 { facts.append("orientation \(original.orientation)") }
    if let date = original.creationDate { facts.append("taken \(Self.date(date))") }
    if let camera = original.camera { facts.append(camera) }
    return facts.joined(separator: ", ")
  }

  /// The lines about the edit.
  var rows: [String] {
    labeledRows.map { label, text in
      label + String(repeating: " ", count: max(9 - label.count, 0)) + " " + text
    }
  }

  private var labeledRows: [(String, String)] {
    guard let edit = state.edit else { return [("edit", "none")] }
    var rows = [("edit", summary(of: edit))]
    if let date = edit.date {
      rows.append(("made", Self.date(date) + (edit.editor.map { " by \($0)" } ?? "")))
    }
    for resource in state.resources where resource.type != .photo {
      let path = resource.path.shown(beside: photo).string
      switch resource.type {
      case .fullSizePhoto:
        let size = edit.renderSize.map { ", \($0.width) × \($0.height)" } ?? ""
        rows.append(("render", path + size))
      case .adjustmentData: rows.append(("sidecar", path))
      case .adjustmentBasePhoto: rows.append(("base", path))
      case .photo, .alternatePhoto: break
      }
    }
    var history: [String] = []
    if edit.historyCount > 0 {
      history.append("\(edit.historyCount) earlier \(edit.historyCount == 1 ? "edit" : "edits")")
    }
    if edit.redoCount > 0 { history.append("\(edit.redoCount) undone") }
    if !history.isEmpty { rows.append(("history", history.joined(separator: ", "))) }
    if !state.versions.isEmpty {
      rows.append(("versions", state.versions.map(\.name).joined(separator: ", ")))
    }
    return rows
  }

  private func summary(of edit: PhotoState.Edit) -> String {
    let format = "\(edit.adjustmentData.formatIdentifier) \(edit.adjustmentData.formatVersion)"
    return edit.stack?.summary ?? "\(format), which Safelight cannot read"
  }

  var details: [JSONValue.Member] {
    let original = state.original
    var facts: [JSONValue.Member] = [
      .init("format", .string(original.format.rawValue)),
      .init("pixelWidth", .number(Double(original.pixelWidth))),
      .init("pixelHeight", .number(Double(original.pixelHeight))),
      .init("orientation", .number(Double(original.orientation))),
      .init("bytes", .number(Double(state.originalSize))),
    ]
    if let date = original.creationDate {
      facts.append(.init("creationDate", .string(Self.timestamp(date))))
    }
    if let camera = original.camera { facts.append(.init("camera", .string(camera))) }
    if let location = original.location {
      facts.append(
        .init(
          "location",
          .object([
            .init("latitude", .number(location.latitude)),
            .init("longitude", .number(location.longitude)),
          ])))
    }
    let resources = state.resources.map { resource in
      JSONValue.object([
        .init("type", .string(resource.type.rawValue)),
        .init("path", .string(resource.path.shown(beside: photo).string)),
        .init("contentType", .string(resource.contentType)),
      ])
    }
    var details: [JSONValue.Member] = [.init("original", .object(facts))]
    if let edit = state.edit { details.append(.init("edit", .object(members(of: edit)))) }
    if !state.versions.isEmpty {
      let versions = VersionsDescription(state.versions, photo: photo)
      details.append(.init("versions", versions.json))
    }
    return details
      + [.init("resources", .array(resources)), .init("canRevert", .bool(state.canRevert))]
  }

  private func members(of edit: PhotoState.Edit) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("formatIdentifier", .string(edit.adjustmentData.formatIdentifier)),
      .init("formatVersion", .string(edit.adjustmentData.formatVersion)),
    ]
    if let stack = edit.stack {
      members.append(.init("adjustments", .array(stack.inPipelineOrder.map(\.json.compact))))
      if stack.values.members?.isEmpty == false { members.append(.init("values", stack.values)) }
    }
    if let editor = edit.editor { members.append(.init("editor", .string(editor))) }
    if let date = edit.date { members.append(.init("date", .string(Self.timestamp(date)))) }
    if let renderer = edit.renderer { members.append(.init("renderer", .string(renderer))) }
    members.append(.init("history", .number(Double(edit.historyCount))))
    if edit.redoCount > 0 { members.append(.init("undone", .number(Double(edit.redoCount)))) }
    return members
  }

  static func timestamp(_ date: Date) -> String {
    date.formatted(.iso8601)
  }

  static func date(_ date: Date) -> String {
    date.formatted(
      .iso8601.year().month().day().dateTimeSeparator(.space)
        .time(includingFractionalSeconds: false)) + " UTC"
  }

  /// A file's size for people, in decimal units.
  private static func size(_ bytes: Int64) -> String {
    switch bytes {
    case ..<1000: "\(bytes) bytes"
    case ..<1_000_000: "\((bytes + 500) / 1000) kB"
    default: "\(Double((bytes + 50_000) / 100_000) / 10) MB"
    }
  }
}
