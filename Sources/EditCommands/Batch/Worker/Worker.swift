import PhotoEditing
import SafelightArguments

/// Does jobs one after the other. A command stays ready until a job asks for another one.
actor Worker {
  private var ready: (command: [String], isHolding: Bool, work: PhotoWork)?
  /// The work that holds the changes of photos.
  private var holders: [FilePath: PhotoWork] = [:]
  private var recognizer = PhotoRecognizer()

  /// Does the job on a line and says what came of it.
  func answer(_ line: [UInt8]) async -> JSONValue {
    let job: Job
    do {
      job = try Job(line: line)
    } catch {
      return JSONValue.object([.init("status", .string("failed")), .init("error", error.json)])
    }
    return await report(on: job).answer(id: job.id)
  }

  private func report(on job: Job) async -> PhotoReport {
    func failed(_ failure: PhotoFailure) -> PhotoReport {
      PhotoReport(photo: job.photo, outcome: .failure(failure), milliseconds: 0)
    }
    if job.moment == .make { return await makeHeldChange(of: job.photo) }
    do {
      let work = try await work(for: job)
      if job.moment == .hold { holders[job.photo] = work }
      switch recognizer.part(job.photo) {
      case .folder: return failed(.folder(job.photo))
      case let part? where !work.takesRenders || part.isSidecar:
        return PhotoReport(
          photo: job.photo, outcome: .success(.skipped(because: part.reason)), milliseconds: 0)
      default: return try await work.report(job.photo, 0, job.pictures)
      }
    } catch is WorkCancelled {
      return failed(.interrupted(job.photo))
    } catch let failure as PhotoFailure {
      return failed(failure)
    } catch let error as EditError {
      return failed(PhotoFailure(error))
    } catch {
      return failed(.badJob(EditCommand.message(for: error)))
    }
  }

  private func makeHeldChange(of photo: FilePath) async -> PhotoReport {
    guard let work = holders.removeValue(forKey: photo) else {
      return .failed(photo, .badJob("no change of \(photo) is held."))
    }
    if let failure = await work.makeHeldChange(photo) { return .failed(photo, failure) }
    return PhotoReport(
      photo: photo, outcome: .success(PhotoResult(status: "made", text: "made")), milliseconds: 0)
  }

  private func work(for job: Job) async throws -> PhotoWork {
    let isHolding = job.moment == .hold
    if let ready, ready.command == job.command, ready.isHolding == isHolding { return ready.work }
    // The photo is the last argument, whatever its name begins with.
    let words = job.command + (job.command.contains("--") ? [] : ["--"]) + [job.photo.argument]
    let command = try EditCommand.parseAsRoot(words)
    guard let command = command as? any PhotoCommand else {
      throw PhotoFailure.badJob("“\(job.command[0])” is no command on photos.")
    }
    let work = try await PhotoWork(command, for: [job.photo], holding: isHolding)
    ready = (job.command, isHolding, work)
    return work
  }
}
