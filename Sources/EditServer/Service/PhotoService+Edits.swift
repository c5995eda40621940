import PhotoEditing
import PhotoLibraryKit

/// Changes of edits: of one photo at once, and of many in jobs.
extension PhotoService {
  var editRoutes: [Route] {
    let operations = EditOperation.all.filter(\.hasOwnAddress).map { operation in
      Route.task(operation.identifier) { [self] call in
        let photo = try photo(of: call)
        let change = try await change(operation, try call.body())
        return HTTPResponse(try await perform(change, on: photo))
      }
    }
    return operations + [
      .task("edit") { [self] call in try await edit(call) },
      .task("history") { [self] call in
        let photo = try photo(of: call)
        let editor = PhotoEditor()
        let history = try await editor.history(of: photo.photo)
        let conflicts = try await editor.conflictingEdits(of: photo.photo)
        return HTTPResponse(.object(words.history(history, conflicts, of: photo.path)))
      },
      .task("versions") { [self] call in
        let photo = try photo(of: call)
        let versions = try await PhotoEditor().versions(of: photo.photo)
        let json = JSONValue.array(words.versions(versions, of: photo.path))
        return HTTPResponse(.object(["versions": json]))
      },
      .task("removeVersion") { [self] call in
        let remove = EditOperation.removeVersion(named: call.parameter("version"))
        return HTTPResponse(
          try await perform(PhotoChange(operations: [remove]), on: photo(of: call)))
      },
      .task("useVersion") { [self] call in
        let use = EditOperation.useVersion(named: call.parameter("version"))
        return HTTPResponse(
          try await perform(try change([use], try call.body()), on: photo(of: call)))
      },
    ]
  }

  /// Does several things to a photo's edit in one step, or to an edit that is not the photo's yet.
  private func edit(_ call: Call) async throws -> HTTPResponse {
    let photo = try photo(of: call)
    let body = try call.body()
    guard let given = try body.list("operations"), !given.isEmpty else {
      throw ServerError.badRequest("“operations” is missing.")
    }
    var operations: [EditOperation] = []
    for json in given {
      guard let name = json["operation"]?.string else { throw ServerError(.notAnOperation) }
      operations.append(
        try await made(name, (json.members ?? []).filter { $0.key != "operation" }))
    }
    guard let draft = try body.stack() else {
      return HTTPResponse(try await perform(try change(operations, body), on: photo))
    }
    if body.has("quality") {
      throw ServerError.badRequest("“quality” is for an edit that is rendered; leave it out.")
    }
    let start = ContinuousClock.now
    let (revision, edit, notes) = try await PhotoEditor().presentEdit(
      of: photo.photo, draft: draft, after: operations)
    if let required = try body.text("revision", atMost: 100), required != revision {
      throw EditError.inputOutdated(photo.path)
    }
    let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
    return HTTPResponse(
      .object(
        JSONValue.members([
          "photo": .string(photo.path.string), "id": .string(photo.id), "status": .string("shown"),
        ]) + words.edit(edit)
          + JSONValue.members([
            "notes": notes.isEmpty ? nil : .strings(notes),
            "revision": .string(revision), "milliseconds": .number(milliseconds.rounded()),
          ])))
  }

  /// Changes a photo, and says what was done.
  private func perform(_ change: PhotoChange, on photo: ServedPhoto) async throws -> JSONValue {
    let start = ContinuousClock.now
    let said = try await change.perform(on: photo.photo, words: words)
    let revision = photos.revision(of: photo.asset)
    if !change.dryRun { await noteChange(of: photo.asset, revision) }
    let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
    return .object(
      JSONValue.members(["photo": .string(photo.path.string), "id": .string(photo.id)]) + said
        + JSONValue.members([
          "revision": .string(revision),
          "milliseconds": .number(milliseconds.rounded()),
        ]))
  }

  // MARK: - Jobs

  var jobRoutes: [Route] {
    [
      .task("sync") { [self] call in
        let body = try call.body()
        let source = try photo(of: call)
        let stack = try await PhotoEditor().edit(of: source.photo)
        let change = PhotoChange(
          operations: [try copy(of: stack, body)], dryRun: try body.truth("dryRun") ?? false)
        return try start("sync", change, try body.photos(), leavingOut: source.id)
      },
      .quick("jobs") { [jobs] _ in
        HTTPResponse(.object(["jobs": .array(jobs.all.map(\.summary))]))
      },
      .task("startJob") { [self] call in try await startJob(call) },
      .task("job") { [jobs] call in
        let first = try call.count("after")
        return HTTPResponse(try jobs.job(call.parameter("job")).json(after: first))
      },
      .quick("cancelJob") { [jobs] call in
        let job = try jobs.job(call.parameter("job"))
        job.cancel()
        return HTTPResponse(status: 202, job.summary)
      },
    ]
  }

  private func startJob(_ call: Call) async throws -> HTTPResponse {
    let body = try call.body()
    let command = try body.requiredText("command")
    let options = body.json["options"] ?? .object([] as [JSONValue.Member])
    if command == "sync" {
      if body.json["from"] != nil, body.json["adjustments"] != nil {
        throw ServerError.badRequest("Give either “from” or “adjustments”.")
      }
      let fields = InterfaceDescription.row("edit").body
      let checked = try JSONBody(
        options, fields.filter { ["dryRun", "quality", "noVideo"].contains($0.key) })
      let stack: EditStack
      if let own = try body.stack() {
        stack = own
      } else {
        stack = try await PhotoEditor().edit(of: photos.photo(body.requiredText("from")).photo)
      }
      let change = try change([copy(of: stack, body)], checked)
      return try start(command, change, try body.photos(), leavingOut: try body.text("from"))
    }
    guard let operation = EditOperation.all.first(where: { $0.address == command }) else {
      let commands = EditOperation.all.map(\.address)
      throw ServerError.badRequest(
        "“command” is none of \(commands.joined(separator: ", ")), sync.")
    }
    for name in ["from", "adjustments", "only", "geometry"] where body.json[name] != nil {
      throw ServerError.badRequest("“\(name)” is for sync alone; \(command) takes “options”.")
    }
    let fields = operation.bodySchema["properties"]?.members ?? []
    let change = try await change(
      operation, try JSONBody(options, fields.filter { $0.key != "revision" }))
    return try start(command, change, try body.photos())
  }

  /// The operation that gives photos a part of an edit.
  private func copy(of stack: EditStack, _ body: JSONBody) throws -> EditOperation {
    let members = (body.json.members ?? []).filter { ["only", "geometry"].contains($0.key) }
    do throws(OperationError) {
      let read = try EditOperation(
        EditActions.Copy.id, members + [.init("adjustments", .array([]))])
      guard var copy = read.action as? EditActions.Copy else { return read }
      copy.adjustments = GivenEdit(stack)
      return EditOperation(copy)
    } catch {
      throw ServerError(error)
    }
  }

  /// Starts a job.
  ///
  /// - Parameter source: A photo that the others get their edit from, which is passed over.
  private func start(
    _ command: String, _ change: PhotoChange, _ ids: [String], leavingOut source: String? = nil
  ) throws -> HTTPResponse {
    let wanted = try photos.assets(ids.filter { $0 != source })
    let job = try jobs.add(command, total: wanted.count)
    job.begin(BatchRun(of: wanted.map(\.path), atOnce: BatchRun.besideOthers)) { [self] index in
      let id = PhotoID.id(wanted[index].localIdentifier)
      do {
        return Job.Result(json: try await perform(change, on: photos.photo(id)), end: .changed)
      } catch {
        let failure = failure(error)
        let end: Job.Result.End = failure.code == "cancelled" ? .cancelled : .failed
        let json = JSONValue.object([
          "photo": .string(wanted[index].path.string), "id": .string(id),
          "status": .string(end.rawValue), "error": failure.json, "milliseconds": .integer(0),
        ])
        return Job.Result(json: json, end: end)
      }
    } tell: { [events] job in
      events.send("job", job.summary)
    }
    events.send("job", job.summary)
    return HTTPResponse(status: 202, job.summary)
  }
}
