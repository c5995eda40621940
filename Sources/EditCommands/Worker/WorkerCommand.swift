import Glibc
import PhotoEditing
import SafelightArguments

/// `edit worker`: does jobs that it reads, one to a line.
struct WorkerCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Do jobs read from standard input, one JSON object to a line.",
    discussion: """
      For batches over many processes or machines. Each line of standard input is a job, and each \
      line of standard output the answer to one, in the same order, with the job's “id” if it has \
      one. A job names a photo and the words of a command line without it: apply, adjust, crop, \
      auto, sync, revert, render or any other command on photos:

        {"id": 1, "photo": "beach.jpg", "command": ["apply", "noir"]}

      Instead of “command” it may have “edit”, an edit as “edit adjustments --schema” describes it, or \
      an operation with its parameters:

        {"photo": "a.jpg", "edit": {"filter": "noir", "values": {"exposure": 0.5}}}
        {"photo": "a.jpg", "edit": {"operation": "crop", "aspect": "16:9"}}

      or “render”, a picture with the options of edit render, which shows “edit” in place of the \
      photo's own edit where the job has both:

        {"photo": "a.jpg", "render": {"output": "web/a.jpg", "longestSide": 1600}}

      Answers are what --json prints, with the line for people as “text”. A photo that fails does not \
      stop the worker. Every job may be repeated: what is done already is “unchanged”. SIGTERM and \
      Ctrl-C roll back the photo in hand and end the worker with exit code 130.

      Example:
        edit worker < jobs.ndjson > answers.ndjson
      """)

  @Option(
    help: ArgumentHelp(
      "Fail rather than take more memory than this; 0 is no limit.", valueName: "megabytes"))
  var memoryLimit = 0

  func validate() throws {
    try Limits.checkMemory(memoryLimit)
  }

  func run(on console: Console) async throws -> ExitCode {
    // Decoders have the limit themselves. As one of this process's address space it would end a worker that decodes
    // nothing and only reserves room, as threads do.
    if PhotoDarkroom.current.place == .inProcess { limitMemory(to: memoryLimit) }
    // Whoever starts the worker watches the time.
    PhotoDarkroom.current.memoryLimit = memoryLimit
    PhotoDarkroom.current.timeLimit = nil
    let wakeUp = WakeUp()
    let worker = Worker()
    return await withTaskCancellationHandler {
      // Nothing else wants this thread while the worker waits for a job.
      let lines = LineReader(STDIN_FILENO, until: wakeUp)
      while let line = lines.next() {
        if !line.isEmpty { console.result(await worker.answer(line).text) }
      }
      return Task.isCancelled ? ExitCode(130) : .success
    } onCancel: {
      wakeUp.ring()
    }
  }

}

/// Does jobs one after the other. A command stays ready until a job asks for another one.
actor Worker {
  private var ready: (command: [String], work: PhotoWork)?
  private var recognizer = PhotoRecognizer()

  /// Does the job on a line and answers it.
  func answer(_ line: [UInt8]) async -> JSONValue {
    let job: Job
    do {
      job = try Job(line: line)
    } catch {
      let id = (try? JSONValue(parsing: line))?["id"]
      return .object(["id": id, "status": "failed", "error": PhotoFailure(error).json])
    }
    return await report(on: job).answer(id: job.id)
  }

  private func report(on job: Job) async -> PhotoReport {
    func failed(_ error: EditCommandError) -> PhotoReport { .failed(job.photo, error) }
    do {
      let work = try await work(for: job)
      switch recognizer.part(job.photo) {
      case .folder: return failed(.folder(job.photo))
      case let part? where !work.takesRenders || part.isSidecar:
        return PhotoReport(
          photo: job.photo, outcome: .success(.skipped(because: part.reason)), milliseconds: 0)
      default: return await work.report(on: job.photo) ?? failed(.interrupted(job.photo))
      }
    } catch let error as EditCommandError {
      return failed(error)
    } catch let error as EditError {
      return .failed(job.photo, PhotoFailure(error))
    } catch {
      return failed(.badJob(EditCommand.message(for: error)))
    }
  }

  /// A picture cannot go where answers go.
  static let standardOutput = EditCommandError.badJob(
    "a worker's standard output is for answers; name a file.")

  private func work(for job: Job) async throws -> PhotoWork {
    if let request = job.export {
      return try await PhotoWork(request, showing: job.edit, of: job.photo, dryRun: job.isDryRun)
    }
    if let edit = job.edit {
      return try await PhotoWork(
        edit, quality: job.quality, noVideo: job.noVideo, dryRun: job.isDryRun)
    }
    if let ready, ready.command == job.command { return ready.work }
    // The photo is the last argument, whatever its name begins with.
    let words = job.command + (job.command.contains("--") ? [] : ["--"]) + [job.photo.argument]
    let command = try EditCommand.parseAsRoot(words)
    guard let command = command as? any PhotoCommand else {
      throw EditCommandError.badJob("“\(job.command[0])” is no command on photos.")
    }
    if command.writesToStandardOutput {
      throw Self.standardOutput
    }
    let work = try await PhotoWork(command, for: [job.photo])
    ready = (job.command, work)
    return work
  }
}

/// One line for a worker: a photo, and what to do to it, in the words of the command line, as an operation or as a picture.
///
/// ```json
/// {"id": 7, "photo": "beach.jpg", "command": ["apply", "noir", "--intensity=0.6"]}
/// {"id": 8, "photo": "beach.jpg", "edit": {"operation": "apply", "filter": "noir", "intensity": 0.6}}
/// {"id": 9, "photo": "beach.jpg", "render": {"output": "web/beach.jpg", "longestSide": 1600}}
/// ```
struct Job: Sendable {
  /// Comes back in the answer; any JSON value.
  var id: JSONValue?
  var photo: FilePath
  /// The words of a command line without the program's name and the photo.
  var command: [String] = []
  /// What is done to the photo's edit, or what the picture shows in place of it, instead of a command.
  var edit: EditRequest?
  /// The picture that is written, instead of a command.
  var export: ExportRequest?
  /// How the operation is done.
  var quality: Int?
  var noVideo = false
  var isDryRun = false
}

extension Job {
  /// Reads a line.
  ///
  /// - Throws: ``EditCommandError/badJob(_:)``.
  init(line: [UInt8]) throws(EditCommandError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: line)
    } catch {
      throw .badJob("it is not JSON: \(error.description)")
    }
    guard json.members != nil else { throw .badJob("it is no object.") }
    guard let photo = json["photo"]?.string, !photo.isEmpty else {
      throw .badJob("“photo” is not the name of a file.")
    }
    if let name = ["hold", "make"].first(where: { json[$0] != nil }) {
      throw .badJob("there is no “\(name)” in it.")
    }
    let words = json["command"]?.elements ?? []
    let (edit, render) = (json["edit"] ?? .null, json["render"] ?? .null)
    if edit != .null || render != .null {
      guard json["command"] == nil else {
        throw .badJob("give it either “command”, or “edit” and “render”.")
      }
      do throws(OperationError) {
        if edit != .null { self.edit = try Self.edit(edit) }
        if render != .null {
          guard let members = render.members else { throw .notAnOutput }
          export = try ExportRequest(members)
          if let other = self.edit?.operations.first(where: { !$0.changesStack }) {
            throw .notInAStep(other.name)
          }
          guard self.edit == nil || export?.isOriginal == false else {
            throw .contradiction("“original” shows no edit, so leave “edit” out.", of: "render")
          }
        }
      } catch {
        throw .badJob(error.description)
      }
      (quality, noVideo, isDryRun) = try Self.performing(json)
    } else if let name = ["quality", "noVideo", "dryRun"].first(where: { json[$0] != nil }) {
      throw .badJob("“\(name)” goes with “edit” or “render”; a command says it in its words.")
    }
    guard self.edit != nil || export != nil || !words.isEmpty,
      words.allSatisfy({ $0.string != nil })
    else {
      throw .badJob("“command” is not a list of words.")
    }
    guard !([photo] + words.compactMap(\.string)).contains(where: { $0.utf8.contains(0) }) else {
      throw .badJob("it has a NUL in it, which no name can have.")
    }
    id = json["id"]
    self.photo = FilePath(argument: photo)
    command = words.compactMap(\.string)
  }

  /// An operation, or an edit of several.
  private static func edit(_ json: JSONValue) throws(OperationError) -> EditRequest {
    if json["operation"] != nil { return EditRequest([try EditOperation(json: json)]) }
    let request = try EditRequest(json: json)
    if request.operations.isEmpty { throw .notAnEdit }
    return request
  }

  /// How an operation is done. What is not known here could be a “dryRun” that is misspelled.
  private static func performing(
    _ json: JSONValue
  ) throws(EditCommandError) -> (quality: Int?, noVideo: Bool, isDryRun: Bool) {
    let known =
      ["id", "photo", "dryRun", "edit"]
      + (json["render"] == nil ? ["quality", "noVideo"] : ["render"])
    if let other = json.members?.first(where: { !known.contains($0.key) }) {
      throw .badJob("there is no “\(other.key.prefix(50))” in it.")
    }
    for name in ["noVideo", "dryRun"] {
      if let value = json[name] {
        guard case .bool = value.content else {
          throw .badJob("“\(name)” is neither true nor false.")
        }
      }
    }
    let quality = json["quality"]?.integer
    if json["quality"] != nil, quality.map({ (1...100).contains($0) }) != true {
      throw .badJob("“quality” is no whole number from 1 to 100.")
    }
    return (quality, json.flag("noVideo"), json.flag("dryRun"))
  }
}

/// Lets this process take no more memory than so many megabytes; 0 is no limit.
private func limitMemory(to megabytes: Int) {
  var limit = rlimit()
  let memory = __rlimit_resource_t(RLIMIT_AS.rawValue)
  guard megabytes > 0, getrlimit(memory, &limit) == 0 else { return }
  // The decoders that it starts may lift it, because they have a limit of their own.
  limit.rlim_cur = min(rlim_t(megabytes) << 20, limit.rlim_max)
  setrlimit(memory, &limit)
}
