import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import SafelightEditCommands

/// Each operation with each of its parameters through Swift, the command line, a worker and an agent: the same record, but
/// for the time, and the same render; and the same code for the same mistake.
@Suite struct ConformanceTests {
  @Test(arguments: OperationSamples.all)
  func everySurfaceMakesTheSameRecord(sample: OperationSample) async throws {
    let operation = try EditOperation(json: sample.json)
    let expected = try await outcome(of: operation) { photo in
      try await PhotoEditor().perform(operation, on: photo)
    }
    for (surface, perform) in surfaces(operation) {
      let outcome = try await outcome(of: operation, perform)
      let same = outcome == expected
      #expect(same, "\(surface): \(outcome.difference(from: expected))")
    }
  }

  @Test func aPhotoThatWasMovedGetsItsEditOnEverySurface() async throws {
    /// A photo that was moved from its edit, and what moves the edit along.
    func moved() async throws -> (folder: CommandFolder, relink: EditOperation, photo: Photo) {
      let folder = try await prepared()
      try FileManager.default.moveItem(
        atPath: folder.path + "/6.jpg", toPath: folder.path + "/7.jpg")
      let former = FilePath(folder.path + "/6.jpg")
      return (folder, .relink(from: former), Photo(path: FilePath(folder.path + "/7.jpg")))
    }
    let expected = try await moved()
    let result = try await PhotoEditor().perform(expected.relink, on: expected.photo)
    #expect(result.status == .relinked && result.edit?.isEmpty == false)
    #expect(result.revision != nil && result.files.written.count > 1)
    #expect(expected.folder.contents["6.jpg.aae"] == nil)
    for index in surfaces(expected.relink).indices {
      let (folder, relink, photo) = try await moved()
      let (surface, perform) = surfaces(relink)[index]
      try await perform(photo)
      #expect(
        record(of: "7.jpg", in: folder) == record(of: "7.jpg", in: expected.folder), "\(surface)")
      #expect(
        folder.contents.keys.sorted() == expected.folder.contents.keys.sorted(), "\(surface)")
    }
  }

  @Test func aCropWithoutLossIsTheSameOnEverySurface() async throws {
    func photo() throws -> (folder: CommandFolder, photo: Photo) {
      let folder = CommandFolder()
      try folder.add("orientation/6.jpg", as: "6.jpg")
      return (folder, Photo(path: FilePath(folder.path + "/6.jpg")))
    }
    let crop = EditOperation.crop(.pixels(x: 5, y: 10, width: 40, height: 30), isLossless: true)
    let expected = try photo()
    let result = try await PhotoEditor().perform(crop, on: expected.photo)
    #expect(result.isLossless && result.warnings.count == 1)
    for (surface, perform) in surfaces(crop) {
      let tried = try photo()
      try await perform(tried.photo)
      #expect(
        record(of: "6.jpg", in: tried.folder) == record(of: "6.jpg", in: expected.folder),
        "\(surface)")
      #expect(
        tried.folder.data("6_edited.jpg") == expected.folder.data("6_edited.jpg"), "\(surface)")
    }
  }

  @Test func everyOperationAndParameterIsTried() {
    let tried = OperationSamples.all.reduce(into: [String: Set<String>]()) { tried, sample in
      tried[sample.json["operation"]?.string ?? "", default: []]
        .formUnion((sample.json.members ?? []).map(\.key))
    }
    for operation in EditOperation.all {
      let missing = Set(operation.parameters.map(\.name)).subtracting(tried[operation.name] ?? [])
        .subtracting(OperationSamples.untried[operation.name] ?? [])
      #expect(missing.isEmpty, "\(operation.name): \(missing)")
      #expect(tried[operation.name] != nil, "\(operation.name)")
    }
  }

  @Test(arguments: OperationSamples.all)
  func anOperationIsTheSameReadBack(sample: OperationSample) throws {
    let operation = try EditOperation(json: sample.json)
    #expect(try EditOperation(json: operation.json).json.text == operation.json.text)
    // Other programs sort the keys.
    let data = try JSONEncoder().encode(operation)
    let decoded = try JSONDecoder().decode(EditOperation.self, from: data)
    #expect(decoded.name == operation.name)
    #expect(decoded.json.members?.count == operation.json.members?.count)
  }

  @Test(arguments: OperationSamples.mistakes)
  func everySurfaceRefusesTheSame(sample: OperationSample) async throws {
    let folder = try await prepared()
    let before = folder.contents
    #expect(throws: OperationError.self) { try EditOperation(json: sample.json) }
    let line = #"{"photo": "\#(folder.path)/6.jpg", "edit": \#(sample.json.text)}"#
    let answer = await Worker().answer(Array(line.utf8))
    #expect(answer["error"]?["code"]?.string == "bad-job")
    if let (tool, arguments) = call(sample.json, of: "6.jpg") {
      let agent = try Agent([], folder: CommandFolder())
      try agent.folder.add("orientation/6.jpg", as: "photos/6.jpg")
      #expect(try await agent.call(tool, arguments).code == "invalid-arguments", "\(sample)")
    }
    // The command line has no words for a flag that is a text.
    let isText = sample.json.members?.contains { ["yes", "no"].contains($0.value.string) } == true
    if !isText, let words = words(of: sample.json) {
      #expect(await folder.edit(words + ["--", "@/6.jpg"]).code == 64, "\(sample)")
    }
    #expect(folder.contents == before)
  }

  @Test(arguments: [
    #""edit":{"operation":"apply","filter":"noir"},"dryrun":true"#,
    #""edit":{"operation":"apply","filter":"noir"},"dryRun":1"#,
    #""edit":{"operation":"apply","filter":"noir"},"quality":0"#,
    #""edit":{"operation":"nosuch"}"#, #""command":["apply","noir"],"dryRun":true"#,
    #""command":["apply","noir"],"edit":{"operation":"undo"}"#,
  ])
  func aWorkerDoesNothingThatItDoesNotUnderstand(job: String) async throws {
    let folder = try await prepared()
    let before = folder.contents
    let line = #"{"id":7,"photo":"\#(folder.path)/6.jpg",\#(job)}"#
    let answer = await Worker().answer(Array(line.utf8))
    #expect(answer["error"]?["code"]?.string == "bad-job", "\(answer.text)")
    #expect(answer["id"]?.integer == 7)
    #expect(folder.contents == before)
  }

  @Test func aWorkerTakesAnEditOfSeveralOperations() async throws {
    let folder = CommandFolder()
    try folder.add("orientation/6.jpg", as: "6.jpg")
    let edit = #"{"filter":"noir","values":{"exposure":0.5},"rotate":90}"#
    let photo = #""photo":"\#(folder.path)/6.jpg""#
    let shown = await Worker().answer(
      Array(
        #"{\#(photo),"edit":\#(edit),"render":{"output":"\#(folder.path)/shown.png"}}"#.utf8))
    #expect(shown["status"]?.string == "rendered", "\(shown.text)")
    #expect(folder.data("6.jpg.aae") == nil)
    let done = await Worker().answer(Array("{\(photo),\"edit\":\(edit)}".utf8))
    #expect(done["status"]?.string == "edited", "\(done.text)")
    await #expect(
      folder.edit("render", "@/6.jpg", "-o", "@/edited.png").messages == [])
    #expect(folder.data("shown.png") == folder.data("edited.png"))
    for wrong in [#"{"fltr":"noir"}"#, "{}", "[]"] {
      let answer = await Worker().answer(Array("{\(photo),\"edit\":\(wrong)}".utf8))
      #expect(answer["error"]?["code"]?.string == "bad-job", "\(wrong)")
    }
  }

  @Test func aWorkersOperationHasAQualityAndDryRuns() async throws {
    let folder = try await prepared()
    let before = folder.contents
    let job = #""photo":"\#(folder.path)/6.jpg","edit":{"operation":"apply","filter":"noir"}"#
    let planned = await Worker().answer(Array("{\(job),\"dryRun\":true}".utf8))
    #expect(planned["status"]?.string == "edited" && planned["dryRun"]?.text == "true")
    #expect(folder.contents == before)
    let done = await Worker().answer(Array("{\(job),\"quality\":40}".utf8))
    #expect(done["status"]?.string == "edited")
    let record = try #require(folder.data("6.jpg.aae"))
    #expect(String(decoding: record, as: UTF8.self).contains("with jpeg quality 40"))
  }

  // MARK: - Surfaces

  private func surfaces(
    _ operation: EditOperation
  ) -> [(String, (Photo) async throws -> Void)] {
    var surfaces: [(String, (Photo) async throws -> Void)] = [
      (
        "worker",
        { photo in
          let line = JSONValue.object(["photo": photo.path.string, "edit": operation.json]).text
          let answer = await Worker().answer(Array(line.utf8))
          #expect(answer["error"] == nil, "\(answer.text)")
        }
      )
    ]
    if let words = words(of: operation.json) {
      surfaces.append(
        (
          "command line",
          { photo in
            let end = await CommandFolder().edit(words + ["--", photo.path.string])
            #expect(end.code == 0, "\(words): \(end.messages)")
          }
        ))
    }
    if call(operation.json, of: "") != nil {
      surfaces.append(
        (
          "agent",
          { photo in
            let folders = try AgentFolders([photo.path.removingLastComponent().string])
            let session = AgentSession(folders)
            let (tool, arguments) = try #require(call(operation.json, of: photo.path.string))
            let result = await session.call(
              try #require(session.tool(named: tool)),
              try JSONValue(parsing: arguments.utf8))
            #expect(!result.isFailure, "\(result.text)")
          }
        ))
    }
    return surfaces
  }

  /// The command line of an operation: made from its table, as a reader of its help would.
  private func words(of json: JSONValue) -> [String]? {
    guard let name = json["operation"]?.string,
      let operation = EditOperation.all.first(where: { $0.name == name })
    else { return nil }
    var words =
      OperationHelp.elsewhere[name]?.split(separator: " ").map(String.init)
      ?? OperationHelp.words(of: name)
    var operands: [String] = []
    for parameter in operation.parameters {
      guard let value = json[parameter.name] else { continue }
      let text = value.string ?? value.elements?.compactMap(\.string).joined(separator: ",") ?? ""
      switch (parameter.typeName, value.content) {
      case ("boolean", .bool(let truth)):
        if truth, name == "accept-original" {
          words.append("--yes")
        } else if truth {
          words.append("--" + (parameter.option ?? parameter.name))
        }
      case ("values", _):
        for member in value.members ?? [] {
          words.append("--\(member.key)=\(member.value.string ?? member.value.text)")
        }
      case ("adjustments", _), ("number", _), ("integer", _), ("x,y,w,h", .array),
        ("x,y", .array), ("degrees", .number):
        let text =
          parameter.typeName.hasPrefix("x,y")
          ? (value.elements ?? []).map(\.text).joined(separator: ",") : value.string ?? value.text
        if parameter.isWord {
          operands.append(text)
        } else {
          words.append("--\(parameter.option ?? parameter.name)=\(text)")
        }
      default:
        if parameter.isWord {
          operands.append(text)
        } else {
          words.append("--\(parameter.option ?? parameter.name)=\(text)")
        }
      }
    }
    if name == "revert" { words.append("--yes") }
    // A number below 0 is no option.
    return words + operands
  }

  /// The call of a tool that does an operation.
  private func call(_ json: JSONValue, of photo: String) -> (tool: String, arguments: String)? {
    guard let name = json["operation"]?.string, name != "copy",
      let action = EditOperation.action(named: name)
    else { return nil }
    let members = (json.members ?? []).filter { $0.key != "operation" }
    let photo = JSONValue.Member("photo", .string(photo))
    guard let stack = action as? any StackAction.Type else {
      let known = [
        "undo": "undo_edit", "redo": "redo_edit", "revert": "revert_photo",
      ]
      let confirm =
        action.dropsForGood && name != "remove-version"
        ? [JSONValue.Member("confirm", .bool(true))] : []
      return (
        known[name] ?? name.replacing("-", with: "_"),
        JSONValue.object([photo] + members + confirm).text
      )
    }
    let edit: [JSONValue.Member] =
      stack.isFlat
      ? members.map { .init($0.key == "add" ? "addFilter" : $0.key, $0.value) }
      : [.init(name, stack.parameterDescriptions.count == 1 ? members[0].value : .object(members))]
    return ("commit_edit", JSONValue.object([photo, .init("edit", .object(edit))]).text)
  }

  // MARK: - What comes out

  private struct Outcome: Equatable {
    let record: String?
    let files: [String: Data?]

    /// The first lines of the record that differ, and the files.
    func difference(from other: Outcome) -> String {
      let lines = zip(
        (record ?? "").split(separator: "\n"), (other.record ?? "").split(separator: "\n"))
      let line = lines.first { $0 != $1 }
      let names = Set(files.keys).union(other.files.keys).filter { files[$0] != other.files[$0] }
      return "\(line.map { "\($0) instead of \($1)" } ?? "no line"), files: \(names.sorted())"
    }
  }

  private func outcome(
    of operation: EditOperation, _ perform: (Photo) async throws -> Void
  ) async throws -> Outcome {
    let folder = try await prepared()
    try await perform(Photo(path: FilePath(folder.path + "/6.jpg")))
    return Outcome(
      record: record(of: "6.jpg", in: folder),
      files: folder.contents.filter { $0.key != "6.jpg.aae" })
  }

  /// A record without the time, and without the digest of the record before, which has times too.
  private func record(of photo: String, in folder: CommandFolder) -> String? {
    folder.data(photo + ".aae").map { data in
      String(decoding: data, as: UTF8.self).replacing(/\d{4}-\d\d-\d\dT[\d:]+Z/, with: "TIME")
        .replacing(/(<key>replacesRecord<\/key>\s*<string>)[0-9a-f]+/) { "\($0.output.1)" }
    }
  }

  private func prepared() async throws -> CommandFolder {
    let folder = CommandFolder()
    for (name, bytes) in try await Self.files.value { try folder.put(bytes, as: name) }
    return folder
  }

  /// A photo with a history, something to redo, and a version: made once, and put into many folders.
  private static let files = Task {
    let folder = CommandFolder()
    try folder.add("orientation/6.jpg", as: "6.jpg")
    let photo = Photo(path: FilePath(folder.path + "/6.jpg"))
    let editor = PhotoEditor()
    try await editor.perform(.apply(.named("fade")), on: photo)
    try await editor.perform(.saveVersion(named: "kept"), on: photo)
    let exposure = try #require(ParameterDescription.option("exposure"))
    try await editor.perform(.adjust([ParameterSetting(exposure, argument: "0.5")]), on: photo)
    try await editor.perform(.crop(.aspect(width: 1, height: 1, .top)), on: photo)
    try await editor.perform(.undo(), on: photo)
    return folder.contents.compactMapValues(\.self)
  }
}

/// One operation to try.
struct OperationSample: CustomTestStringConvertible, Sendable {
  let json: JSONValue
  var testDescription: String { json.text }

  init(_ text: String) { json = (try? JSONValue(parsing: text.utf8)) ?? .null }
}

/// Operations to try: each with each of its parameters.
enum OperationSamples {
  static let all = [
    #"{"operation":"apply","filter":"noir","intensity":0.6,"add":true}"#,
    #"{"operation":"apply","filter":"vivid-warm"}"#,
    #"{"operation":"adjust","values":{"contrast":12,"temperature":5200},"reset":true}"#,
    #"{"operation":"adjust","values":{"tone-curve":"0,0 0.5,0.6 1,1"}}"#,
    #"{"operation":"auto","tone":true,"strength":0.5}"#,
    #"{"operation":"auto","whiteBalance":true,"straighten":true,"denoise":true}"#,
    #"{"operation":"auto"}"#, #"{"operation":"auto","gray":[0.4,0.6],"tone":true}"#,
    #"{"operation":"auto","gray":"0.1,0.1,0.5,0.5"}"#,
    #"{"operation":"crop","aspect":"3:2","gravity":"bottom-right"}"#,
    #"{"operation":"crop","rect":[0.1,0,0.8,0.5]}"#,
    #"{"operation":"crop","rect":"4,0,32,24px"}"#, #"{"operation":"crop","size":"20x10"}"#,
    #"{"operation":"crop","none":true}"#, #"{"operation":"straighten","degrees":-1.5}"#,
    #"{"operation":"rotate","degrees":90}"#, #"{"operation":"rotate","degrees":"left"}"#,
    #"{"operation":"flip","direction":"horizontal"}"#,
    #"{"operation":"perspective","vertical":-20,"horizontal":5}"#,
    #"{"operation":"replace","adjustments":[{"id":"saturation","amount":-20}],"dropping":["none"]}"#,
    #"{"operation":"copy","adjustments":[{"id":"saturation","amount":-20}],"only":["saturation"]}"#,
    #"{"operation":"copy","adjustments":[{"id":"rotate","amount":90}],"geometry":true}"#,
    #"{"operation":"adopt","render":true}"#, #"{"operation":"adopt","translate":true}"#,
    #"{"operation":"adopt"}"#,
    #"{"operation":"undo","steps":2}"#, #"{"operation":"undo"}"#,
    #"{"operation":"redo","steps":1}"#, #"{"operation":"go-to-step","step":1}"#,
    #"{"operation":"save-version","name":"kept","replace":true}"#,
    #"{"operation":"use-version","name":"kept"}"#,
    #"{"operation":"remove-version","name":"kept"}"#, #"{"operation":"merge-edits"}"#,
    #"{"operation":"revert","keepRender":true,"versions":true}"#,
    #"{"operation":"render-again"}"#, #"{"operation":"relink"}"#,
    #"{"operation":"accept-original","fromOriginal":true}"#,
  ].map { OperationSample($0) }

  /// Parameters that name other files, which have tests of their own.
  static let untried: [String: Set<String>] = [
    "crop": ["lossless"], "copy": ["from"], "save-version": ["from"], "relink": ["from"],
  ]

  /// What is no operation.
  static let mistakes = [
    #"{"operation":"apply"}"#, #"{"operation":"apply","filter":"noir","intensity":2}"#,
    #"{"operation":"adjust"}"#, #"{"operation":"adjust","values":{"exposur":1}}"#,
    #"{"operation":"adjust","values":{"exposure":99}}"#, #"{"operation":"auto","strength":-1}"#,
    #"{"operation":"auto","gray":[0.5]}"#, #"{"operation":"auto","gray":[0.9,0,0.2,1]}"#,
    #"{"operation":"auto","gray":[0,0],"whiteBalance":true}"#,
    #"{"operation":"crop"}"#, #"{"operation":"crop","none":true,"aspect":"1:1"}"#,
    #"{"operation":"crop","none":true,"gravity":"top"}"#, #"{"operation":"crop","size":"0x7"}"#,
    #"{"operation":"crop","rect":[0.5,0,0.7,1]}"#, #"{"operation":"straighten","degrees":46}"#,
    #"{"operation":"rotate","degrees":45}"#, #"{"operation":"flip","direction":"upwards"}"#,
    #"{"operation":"perspective"}"#, #"{"operation":"perspective","vertical":101}"#,
    #"{"operation":"replace","adjustments":[{"id":"exposur"}]}"#,
    #"{"operation":"copy","adjustments":[],"only":["crop"],"geometry":true}"#,
    #"{"operation":"replace","adjustments":[{"id":"exposure","amount":1},{"id":"exposure","amount":2}]}"#,
    #"{"operation":"undo","steps":0}"#, #"{"operation":"crop","none":"no"}"#,
    #"{"operation":"adjust","reset":"yes"}"#, #"{"operation":"revert","versions":"yes"}"#,
  ].map { OperationSample($0) }
}
