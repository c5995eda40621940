import FoundationEssentials
import PhotoEditing
import Synchronization

/// Pictures of photos as files of their own.
extension PhotoService {
  /// What can be asked of them, and in which formats this machine writes them.
  func outputs() async throws -> HTTPResponse {
    let (presets, problems) = try OutputPresets(beside: words.userFilters).list()
    var members: [JSONValue.Member] = [
      .init("presets", .array(presets.map(\.json))),
      .init("problems", .strings(problems.map(\.description))),
      .init("parameters", .array(RenderOutput.parameterDescriptions.map(\.json))),
    ]
    // Everything else can be asked for without it.
    if let abilities = try? await Self.abilities.value {
      members.append(.init("formats", .array(abilities.map(\.json))))
    }
    return Self.tagged(.object(members))
  }

  /// Saves a preset.
  func savePreset(_ call: Call) async throws -> HTTPResponse {
    let body = try call.body()
    do {
      let saved = try OutputPresets(beside: words.userFilters).save(
        (body.json.members ?? []).filter { $0.key != "replace" }, named: call.parameter("preset"),
        replacing: try body.truth("replace") ?? false
      ) { _ in throw Self.namesFile }
      return HTTPResponse(status: 201, saved.preset.json)
    } catch let error as OperationError {
      throw ServerError(error)
    }
  }

  /// Removes a preset.
  func removePreset(_ call: Call) async throws -> HTTPResponse {
    let name = call.parameter("preset")
    try OutputPresets(beside: words.userFilters).remove(named: name)
    return HTTPResponse(.object(["status": .string("removed"), "name": .string(name)]))
  }

  /// A request that could name files would read those of the server.
  private static let namesFile = ServerError.badRequest(
    "A request names no files; send {\"name\": …, \"data\": …} with the bytes in Base64.")

  /// What this machine can do, measured once.
  private static let abilities = Task.detached { try PhotoDarkroom.current.abilities() }

  /// Renders a photo as `edit render` does, and answers with the file.
  func export(_ call: Call) async throws -> HTTPResponse {
    let body = try call.body()
    let isOriginal = try body.truth("original") ?? false
    let output: RenderOutput
    do throws(OperationError) {
      output = try OutputPresets(beside: words.userFilters).output(
        of: (body.json.members ?? []).filter { $0.key != "original" }
      ).output
      try output.check()
    } catch {
      throw ServerError(error)
    }
    guard output.unread.isEmpty else { throw Self.namesFile }
    let photo = try photo(of: call)
    let bytes = Mutex<[UInt8]>([])
    let result = try await PhotoEditor().export(
      photo.photo, as: output, showingEdit: !isOriginal
    ) { run in bytes.withLock { $0.append(contentsOf: run) } }
    var response = HTTPResponse(
      SharedBytes(bytes.withLock(\.self)), type: output.format.mediaType)
    let name = (photo.path.lastComponent?.stem ?? photo.path).string
    response.fields += [
      ("Cache-Control", "no-store"),
      (
        "Content-Disposition",
        "attachment; filename*=UTF-8''\(Self.percentEncoded(name)).\(output.format.fileExtension)"
      ),
    ]
    if !result.warnings.isEmpty {
      let warnings = JSONValue.strings(result.warnings).text
      response.fields.append(("Safelight-Warnings", Self.percentEncoded(warnings)))
    }
    return response
  }

  /// A text with everything but letters, digits and `-._~` as percent signs and numbers (RFC 3986, 2.1), as headers can
  /// have it.
  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { encoded, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default: encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }
}
