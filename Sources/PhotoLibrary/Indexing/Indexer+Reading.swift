import Dispatch
import PhotoEditing

extension Indexer {
  /// Reads the files that are due, on all cores, and takes in what they are.
  func takeIn(_ look: inout Look) async throws(PhotoLibraryError) {
    var jobs = look.jobs[...]
    look.jobs = []
    while !jobs.isEmpty {
      let batch = Array(jobs.prefix(Self.batchSize))
      jobs = jobs.dropFirst(batch.count)
      var photos: [IndexedPhoto] = []
      for outcome in read(batch) {
        switch outcome {
        case .photo(let photo): photos.append(photo)
        case .somethingElse(let job):
          if let row = try await catalog.row(of: job.path) {
            look.missing.append((row, job.path))
          }
        case .unreadable(let job, _): look.result.unreadable.append(job.path)
        }
      }
      let taken = try await catalog.take(
        photos, roots: look.roots, restoring: look.restoring)
      look.count(taken)
    }
  }

  /// Reads files, on all cores.
  func read(_ jobs: [IndexingJob]) -> [IndexingOutcome] {
    let reader = reader
    return [IndexingOutcome](unsafeUninitializedCapacity: jobs.count) { buffer, count in
      nonisolated(unsafe) let places = buffer.baseAddress!
      // Each of the threads fills places of its own.
      DispatchQueue.concurrentPerform(iterations: jobs.count) { index in
        (places + index).initialize(to: reader.read(jobs[index]))
      }
      count = jobs.count
    }
  }
}
