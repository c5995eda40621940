import PhotoEditing
import SafelightFiles

/// A picture of a photo for a file of its own, as lines for a worker and calls of agents have it: an output's parameters,
/// `output` for the file or the folder, `original` and `overwrite`.
struct ExportRequest: Sendable {
  private(set) var picture: RenderOutput
  /// Whether the format was asked for; otherwise the file's ending says it.
  let hasFormat: Bool
  /// The file or the folder, as it is named.
  let output: String
  /// Whether the photo is written without its edit.
  let isOriginal: Bool
  /// Whether a file that is there may be replaced.
  let replaces: Bool

  /// What a request has beside the output's parameters.
  static let others = ["output", "original", "overwrite"]

  /// Reads a request.
  ///
  /// - Throws: ``OperationError``.
  init(_ members: [JSONValue.Member]) throws(OperationError) {
    func flag(_ name: String) throws(OperationError) -> Bool {
      guard let value = members.first(where: { $0.key == name })?.value, value != .null else {
        return false
      }
      guard case .bool(let isOn) = value.content else {
        throw .parameter(
          name, of: RenderOutput.id, range: nil, problem: .wrongKind(expected: Bool.kind))
      }
      return isOn
    }
    let output = members.first { $0.key == "output" }?.value.string ?? ""
    guard !output.isEmpty, !output.utf8.contains(0) else {
      throw .missing(["output"], of: RenderOutput.id)
    }
    self.output = output
    (isOriginal, replaces) = (try flag("original"), try flag("overwrite"))
    let described = members.filter { !Self.others.contains($0.key) }
    let (picture, given) = try CommandSurroundings.presets.output(
      of: described, in: RenderDestination.format(ofFile: FilePath(argument: output)))
    (self.picture, hasFormat) = (picture, given.contains("format"))
  }

  /// The same with the files read that the picture needs.
  func reading(_ read: (String) throws -> [UInt8]) throws -> ExportRequest {
    var request = self
    request.picture = try picture.reading(read)
    return request
  }

  /// Where the picture of a photo goes.
  func destination(of photo: FilePath, at path: FilePath) -> RenderDestination {
    RenderDestination(path, photos: [photo], as: picture, hasFormat: hasFormat)
  }

  /// Writes the picture, or says what would be written.
  func write(
    _ photo: FilePath, to destination: RenderDestination, showing edit: EditRequest? = nil,
    by editor: PhotoEditor, dryRun: Bool
  ) async throws(EditError) -> PhotoResult {
    let path = destination.paths[0]
    let result = try await editor.export(
      Photo(path: photo), to: path, as: destination.output, showingEdit: !isOriginal,
      edit: edit, existing: replaces ? .replaced : .refused, dryRun: dryRun)
    return PhotoResult(exported: result, to: path, dryRun: dryRun)
  }
}
