import FoundationEssentials
import PhotoEditing
import SafelightFiles
import Synchronization

extension AgentTool {
  /// Most photos of one batch.
  fileprivate static let mostPhotos = 1000

  private static let photos = [
    ToolArgument(
      "photos", .list(.text, most: mostPhotos),
      "The photos' paths, at most \(mostPhotos). Give these or folder."),
    ToolArgument("folder", .text, "All photos of this folder, instead of photos."),
    ToolArgument(
      "recursive", .flag, default: false, "With folder: the folders below it, too."),
    ToolArgument(
      "dryRunToken", .text,
      "The token of the plan that an earlier call with the same other arguments gave: then it is done. "
        + "Without it nothing is written, and the plan with a token comes back."),
  ]

  private static let batchMembers = [
    OutputMember("dryRun", "boolean", required: true, "Whether this is only the plan."),
    OutputMember("dryRunToken", "string", "Pass it with the same arguments to carry out the plan."),
    OutputMember("total", "integer", required: true, "How many photos there are."),
    OutputMember("counts", "object", required: true, "How many photos have each status."),
    OutputMember(
      "photos", "array", required: true,
      "The first \(AgentBatch.mostShown) photos with photo, status, rendered, record, warnings or error; failed ones first."
    ),
  ]

  /// `run_batch`
  static let runBatch = AgentTool(
    name: "run_batch", title: "Edit many photos",
    summary: """
      Makes the same change of many photos, each with its own sidecar and render as commit_edit writes them. The first \
      call writes nothing: it answers a plan, with what would happen to each photo, and a dryRunToken. A second call \
      with the same arguments and that token carries it out. A photo that was changed since the plan is left alone \
      (input-outdated), and one that fails does not stop the others. Tells of its progress and can be cancelled: \
      photos that are done then stay done. To take it back, “do”: “undo” with the photos whose status was edited alone; \
      of any other photo it would undo an earlier edit. list_history tells which edit is the last.
      """,
    arguments: photos + [
      ToolArgument(
        "do", .choice(["edit", "undo", "redo"]), default: "edit",
        "edit: what “edit” says; undo, redo: one step through the history of each photo."),
      ToolArgument(
        "edit", .object(EditRequest.briefArguments),
        "What to change; try_edit explains its members. For “do”: “edit”."),
      .quality, .noVideo,
    ],
    output: batchMembers, effect: .writing, isIdempotent: false
  ) { call in
    let step = call.text("do") ?? "edit"
    guard (call.arguments["edit"] != nil) == (step == "edit") else {
      throw AgentError.invalidArguments("“edit” says what to change, and only when “do” is “edit”.")
    }
    let operations =
      step == "edit" ? try await call.edit.operations : [try EditOperation(step)]
    return try await AgentBatch(call).run(operations, quality: call.integer("quality"))
  }

  /// `sync_edit`
  static let syncEdit = AgentTool(
    name: "sync_edit", title: "Copy an edit to other photos",
    summary: """
      Gives other photos the adjustments and filters of one photo in place of their own, as commit_edit would. Crop, \
      straightening and other geometry stay each photo's own, unless “geometry” is true. Like run_batch, the first \
      call writes nothing and answers a plan with a dryRunToken; the same call with the token carries it out.
      """,
    arguments: [
      ToolArgument("from", .text, required: true, "The path of the photo whose edit is copied."),
      ToolArgument(
        "only", .list(.text, most: 50),
        "Copy only these adjustments, by id, such as [\"filter\", \"white-balance\"]."),
      ToolArgument("geometry", .flag, default: false, "Copy crop and straightening too."),
    ] + photos,
    output: batchMembers, effect: .writing
  ) { call in
    let from = try call.session.folders.photo(call.text("from") ?? "")
    let members = ["only", "geometry"].compactMap { name in
      call.arguments[name].map { JSONValue.Member(name, $0) }
    }
    let copy = try await EditRequest.operation(
      EditActions.Copy.id, [.init("from", .string(from.argument))] + members,
      call.session.folders)
    return try await AgentBatch(call, from: from).run([copy])
  }
}

/// The plans that were made for an agent and not carried out yet.
final class BatchPlans: Sendable {
  /// The revisions that the photos of a plan had, and what belongs to the plan besides.
  struct Plan: Sendable {
    /// The digest of the call.
    let call: Digest
    let revisions: [FilePath: String]
    /// For a plan to copy an edit: the revision of the photo that the edit is copied from.
    let source: String?
  }

  /// Most plans that are kept; the oldest goes.
  private static let most = 20
  private let plans = Mutex<[(token: String, plan: Plan)]>([])

  /// Keeps a plan.
  ///
  /// - Returns: Its token.
  func add(_ plan: Plan) -> String {
    let token = String(UUID().uuidString.lowercased().prefix(13))
    plans.withLock { plans in
      plans.append((token, plan))
      if plans.count > Self.most { plans.removeFirst() }
    }
    return token
  }

  /// Takes the plan of a token for a call; it can be carried out once.
  ///
  /// - Throws: ``AgentError/noSuchPlan``.
  func take(_ token: String, for call: Digest) throws(AgentError) -> Plan {
    let plan = plans.withLock { plans -> Plan? in
      guard let index = plans.firstIndex(where: { $0.token == token && $0.plan.call == call })
      else { return nil }
      return plans.remove(at: index).plan
    }
    guard let plan else { throw .noSuchPlan }
    return plan
  }
}

/// One call that works on many photos: its plan, or what the plan says.
struct AgentBatch: Sendable {
  /// Most photos that a result names.
  static let mostShown = 200

  private let call: ToolCall
  private let photos: [FilePath]
  private let digest: Digest
  private let source: FilePath?

  /// Finds the photos of a call.
  ///
  /// - Parameter source: The photo whose edit is copied.
  init(_ call: ToolCall, from source: FilePath? = nil) throws {
    self.source = source
    self.call = call
    let folders = call.session.folders
    switch (call.arguments["photos"]?.elements, call.text("folder")) {
    case (let names?, nil):
      var seen: Set<FilePath> = []
      photos = try names.map { try folders.photo($0.string ?? "") }.filter {
        seen.insert($0).inserted
      }
    case (nil, let folder?):
      photos = try Self.photos(
        in: folders.content(of: folders.folder(folder)), isRecursive: call.flag("recursive"))
    default: throw AgentError.invalidArguments("Give either “photos” or “folder”.")
    }
    guard photos.count <= AgentTool.mostPhotos else {
      throw AgentError.invalidArguments(
        "\(photos.count) photos are more than the \(AgentTool.mostPhotos) of one batch: name some of them, or a smaller folder."
      )
    }
    for photo in photos { try AgentSession.checkIsPhoto(photo) }
    let members = (call.arguments.members ?? []).filter { $0.key != "dryRunToken" }
      .sorted { $0.key < $1.key }
    digest = SHA256.digest(of: Array(JSONValue.object(members).compact.text.utf8))
  }

  private static func photos(in folder: PhotoFolder, isRecursive: Bool) throws -> [FilePath] {
    guard isRecursive else { return folder.photos }
    return try folder.photos
      + folder.folders.flatMap { try photos(in: folder.inner($0), isRecursive: true) }
  }

  private func sourceRevision() throws -> String? {
    try source.map { try PhotoGlance($0).revision }
  }

  /// Makes a plan, or carries out the one whose token the call has.
  func run(_ operations: [EditOperation], quality: Int? = nil) async throws -> ToolResult {
    let session = call.session
    let work: @Sendable (FilePath, Bool, String?) async -> PhotoReport? = {
      try? await session.perform(
        operations, on: $0, quality: quality, noVideo: call.flag("noVideo"), dryRun: $1,
        ifRevision: $2)
    }
    guard let token = call.text("dryRunToken") else {
      var revisions: [FilePath: String] = [:]
      for photo in photos { revisions[photo] = try? PhotoGlance(photo).revision }
      let plan = BatchPlans.Plan(call: digest, revisions: revisions, source: try sourceRevision())
      let ends = try await all { photo in await work(photo, true, nil) }
      return result(ends, token: session.plans.add(plan))
    }
    let plan = try session.plans.take(token, for: digest)
    if let source, try sourceRevision() != plan.source { throw EditError.inputOutdated(source) }
    // Photos that came into the folder since are not in the plan.
    let ends = try await all { photo in
      guard let revision = plan.revisions[photo] else {
        return .failed(photo, PhotoFailure(EditError.inputOutdated(photo)))
      }
      return await work(photo, false, revision)
    }
    var result = result(ends, token: nil)
    let changed = ends.filter { $0.change?.files.isEmpty == false }.map(\.photo)
    if let problem = await session.refreshLibrary(changed) { result.text += " " + problem }
    return result
  }

  /// Works on all photos, some of them side by side, and tells of the progress.
  private func all(
    _ work: @escaping @Sendable (FilePath) async -> PhotoReport?
  ) async throws -> [PhotoReport] {
    var ends = [PhotoReport?](repeating: nil, count: photos.count)
    var done = 0
    await BatchRun(of: photos, atOnce: BatchRun.besideOthers).run { [photos] index in
      await work(photos[index])
    } note: { index, end in
      guard let end else { return false }
      ends[index] = end
      done += 1
      await call.progress?(
        done, photos.count,
        "\(FileWords.quoted(end.photo.lastComponent ?? "")): \(end.status)")
      return true
    }
    try Task.checkCancellation()
    return ends.compactMap(\.self)
  }

  private func result(_ reports: [PhotoReport], token: String?) -> ToolResult {
    var counts: [String: Int] = [:]
    var files = FileChanges()
    for report in reports {
      counts[report.status, default: 0] += 1
      if let changed = report.change?.files { files.add(changed) }
    }
    let sorted = counts.sorted { $0.key < $1.key }
    let failed = reports.filter { $0.status == "failed" }
    let shown = (failed + reports.filter { $0.status != "failed" }).prefix(Self.mostShown)
    // A plan says what would happen; a photo that fails in it fails already.
    let said = sorted.map { status, count in
      token == nil || ["failed", "unchanged", "skipped"].contains(status)
        ? "\(count) \(status)" : "\(count) would be \(status)"
    }.joined(separator: ", ")
    let what =
      photos.isEmpty ? "There are no photos." : "\(counted(photos.count, "photo")): \(said)."
    return ToolResult(
      text: token.map {
        "Plan, nothing is done yet. \(what) To do it, call again with dryRunToken \($0)."
      }
        ?? what,
      members: JSONValue.members([
        "dryRun": token != nil, "dryRunToken": token, "total": photos.count,
        "counts": JSONValue.object(sorted.map { JSONValue.Member($0.key, $0.value.json) }),
        "photos": shown.map { report in
          JSONValue.object((report.json.members ?? []).filter { $0.key != "milliseconds" })
        },
      ]), files: files)
  }
}
