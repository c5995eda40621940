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
  @OptionGroup var whole: BatchWideOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func validate() throws {
    if !histogram, output != nil || overwrite {
      throw ValidationError("--output and --overwrite need --histogram.")
    }
    try output?.checkIsFile()
  }

  /// Where the histograms go; `nil` draws none.
  func prepare(for photos: [FilePath]) throws -> RenderDestination? {
    try output.map { try RenderDestination(writing: $0, of: photos) }
  }

  func work(on task: PhotoTask<RenderDestination?>) async throws(EditError) -> PhotoResult {
    var result = PhotoResult(try await StateDescription(of: task.path, task.editor))
    guard histogram else { return result }
    let counted = try await counted(task)
    result.rows += counted.rows
    result.warnings += counted.warnings
    result.details += counted.details
    return result
  }
}

extension StateDescription {
  /// Asks for the state of a photo.
  init(of photo: FilePath, _ editor: PhotoEditor) async throws(EditError) {
    self.init(state: try await editor.state(of: Photo(path: photo)), photo: photo)
  }
}

extension PhotoResult {
  /// The state of a photo.
  init(_ description: StateDescription) {
    let (state, photo) = (description.state, description.photo)
    func resource(_ type: AssetResource.ResourceType) -> FilePath? {
      state.resources.first { $0.type == type }?.path.shown(beside: photo)
    }
    self.init(
      status: "shown", text: description.text, rows: description.rows,
      rendered: resource(.fullSizePhoto), record: resource(.adjustmentData),
      warnings: state.warnings, details: description.details)
  }
}

/// What `edit show` says of a photo, as text and as JSON.
struct StateDescription {
  let state: PhotoState
  let photo: FilePath

  /// The line about the original.
  var text: String {
    let original = state.original
    var facts = [
      original.format.title, "\(original.pixelWidth) × \(original.pixelHeight)",
      Self.size(state.originalSize),
    ]
    if let colors = original.colorProfile, !colors.hasPrefix("sRGB") { facts.append(colors) }
    if original.orientation != 1 { facts.append("orientation \(original.orientation)") }
    if let date = original.creationDate {
      facts.append("taken \(ClockText(date, offset: original.timeZoneOffset))")
    }
    if let camera = original.camera { facts.append(camera) }
    return facts.joined(separator: ", ")
  }

  /// The lines about the edit.
  var rows: [String] {
    labeledRows.map { label, text in label.filled(to: 10) + text }
  }

  private var labeledRows: [(String, String)] {
    var rows = state.original.gainMap.map { [("HDR", Self.text($0))] } ?? []
    if let pixels = state.original.hdrPixels {
      rows.append(("HDR", "\(pixels.transfer), headroom \(Self.stops(pixels.headroom)) stops"))
    }
    if let video = state.video { rows.append(("video", video.text)) }
    rows += foreignRows + descriptionRows
    // What is only in another program's sidecar is said above.
    guard let edit = state.edit,
      state.canRevert || edit.adjustmentData != state.foreignEdit?.appleEdit?.data
    else {
      return rows + [("edit", "none")]
    }
    rows.append(("edit", summary(of: edit)))
    if state.isEdited, let date = edit.date {
      rows.append(("made", date.text + (edit.editor.map { " by \($0)" } ?? "")))
    }
    for resource in state.resources {
      let path = resource.path.shown(beside: photo).description
      switch resource.type {
      case .fullSizePhoto:
        let size = edit.renderSize.map { ", \($0.width) × \($0.height)" } ?? ""
        rows.append(("render", path + size + (edit.isLossless ? ", lossless" : "")))
      case .fullSizePairedVideo: rows.append(("video", path + ", edited"))
      case .adjustmentData: rows.append(("sidecar", path))
      case .adjustmentBasePhoto:
        let key = state.keyPhotoTime.map {
          ", key photo at \(JSONValue.number(($0 * 100).rounded() / 100).text) s"
        }
        rows.append(("base", path + (key ?? "")))
      case .photo, .pairedVideo, .alternatePhoto: break
      }
    }
    var history: [String] = []
    if edit.historyCount > 0 {
      history.append(counted(edit.historyCount, "earlier edit"))
    }
    if edit.redoCount > 0 {
      history.append(
        "\(edit.redoCount) undone" + (state.isEdited ? "" : ", which “edit redo” brings back"))
    }
    if !history.isEmpty { rows.append(("history", history.joined(separator: ", "))) }
    if !state.versions.isEmpty {
      rows.append(("versions", state.versions.map(\.name).joined(separator: ", ")))
    }
    return rows
  }

  /// The lines about what another program did.
  private var foreignRows: [(String, String)] {
    guard let edit = state.foreignEdit else { return [] }
    let files = [edit.sidecar, edit.render].compactMap { $0?.lastComponent?.description }
    let names = files.isEmpty ? "" : " (\(files.joined(separator: ", ")))"
    return [("elsewhere", edit.description + names)]
  }

  /// The line about what Google Photos knew.
  private var descriptionRows: [(String, String)] {
    guard let described = state.foreignDescription else { return [] }
    var facts: [String] = []
    if let date = described.creationDate { facts.append("taken \(date.text)") }
    if let north = described.latitude, let east = described.longitude {
      facts.append("at \(north), \(east)")
    }
    if described.isFavorite { facts.append("favorite") }
    if let caption = described.caption { facts.append("“\(caption.onOneLine)”") }
    let name = described.file.lastComponent?.description ?? ""
    return [("Google", (facts.isEmpty ? "nothing" : facts.joined(separator: ", ")) + " (\(name))")]
  }

  /// What JSON says of what Google Photos knew.
  private func json(_ described: ForeignDescription) -> JSONValue {
    .object([
      "file": described.file.shown(beside: photo), "creationDate": described.creationDate,
      "latitude": described.latitude, "longitude": described.longitude,
      "caption": described.caption, "favorite": described.isFavorite,
    ])
  }

  /// What JSON says of what another program did.
  private func json(_ edit: ForeignEdit) -> JSONValue {
    let apples = edit.appleEdit
    return .object([
      "program": edit.program.rawValue, "description": edit.description,
      "sidecar": edit.sidecar?.shown(beside: photo), "render": edit.render?.shown(beside: photo),
      "formatIdentifier": apples?.data.formatIdentifier,
      "formatVersion": apples?.data.formatVersion, "editor": apples?.editor,
      "date": apples?.timestamp, "orientation": apples?.orientation,
      "adjustments": apples.map { edit in
        edit.adjustments.map { adjustment in
          JSONValue.object([
            "identifier": adjustment.identifier, "title": adjustment.title,
            "enabled": adjustment.isEnabled, "settings": adjustment.settings.compact,
          ])
        }
      },
    ])
  }

  private static func text(_ map: GainMap) -> String {
    "gain map \(map.pixelWidth) × \(map.pixelHeight), headroom \(stops(map.headroom)) stops "
      + "(\(map.convention.rawValue))"
  }

  private static func stops(_ headroom: Double) -> Double {
    Double(Int((headroom * 10).rounded())) / 10
  }

  private func summary(of edit: PhotoState.Edit) -> String {
    state.isEdited ? edit.stack?.summary ?? edit.adjustmentData.unreadable : "none"
  }

  var details: [JSONValue.Member] {
    let original = state.original
    let facts = JSONValue.object([
      "format": original.format.rawValue, "pixelWidth": original.pixelWidth,
      "pixelHeight": original.pixelHeight, "orientation": original.orientation,
      "bytes": state.originalSize, "creationDate": original.creationDate,
      "localDate": original.creationDate.map {
        ClockText($0, offset: original.timeZoneOffset).json
      },
      "timeZoneOffset": original.timeZoneOffset, "camera": original.camera,
      "colorProfile": original.colorProfile,
      "gainMap": original.gainMap.map { map in
        JSONValue.object([
          "convention": map.convention.rawValue, "pixelWidth": map.pixelWidth,
          "pixelHeight": map.pixelHeight, "channels": map.channelCount, "headroom": map.headroom,
          "isBaseBrighter": map.isBaseBrighter ? true : nil,
        ])
      },
      "hdrPixels": original.hdrPixels.map { pixels in
        JSONValue.object(["transfer": pixels.transfer, "headroom": pixels.headroom])
      },
      "video": state.video.map { $0.json(beside: photo) },
      "keyPhotoTime": state.keyPhotoTime,
      "location": original.location.map { place in
        JSONValue.object(["latitude": place.latitude, "longitude": place.longitude])
      },
    ])
    let resources = state.resources.map { resource in
      JSONValue.object([
        "type": resource.type.rawValue, "path": resource.path.shown(beside: photo),
        "contentType": resource.contentType, "offset": resource.byteRange?.lowerBound,
        "bytes": resource.byteRange?.count,
      ])
    }
    let versions = VersionsDescription(versions: state.versions, photo: photo)
    return JSONValue.members([
      "original": facts, "edited": state.isEdited, "edit": state.edit.map(json),
      "foreignEdit": state.foreignEdit.map(json),
      "foreignDescription": state.foreignDescription.map(json),
      "versions": state.versions.isEmpty ? nil : versions.json, "resources": resources,
      "canRevert": state.canRevert,
      "placeMapping": state.placeMapping.map { mapping in
        JSONValue.object([
          "matrix": JSONValue.array(mapping.matrix.map { .number($0) }),
          "pixelWidth": mapping.pixelWidth, "pixelHeight": mapping.pixelHeight,
        ])
      },
    ])
  }

  private func json(_ edit: PhotoState.Edit) -> JSONValue {
    let values = edit.stack?.values
    return .object([
      "formatIdentifier": edit.adjustmentData.formatIdentifier,
      "formatVersion": edit.adjustmentData.formatVersion,
      "adjustments": edit.stack?.entriesAsJSON,
      "values": values?.members?.isEmpty == false ? values : nil, "editor": edit.editor,
      "date": edit.date, "renderer": edit.renderer,
      "lossless": edit.isLossless ? true : nil, "history": edit.historyCount,
      "undone": edit.redoCount > 0 ? edit.redoCount : nil,
    ])
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
