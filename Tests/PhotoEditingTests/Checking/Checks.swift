import PhotoEditing
import Synchronization

@testable import SafelightFiles

/// Gathers what an editor reports, from whatever thread.
final class Reports<Report: Sendable>: Sendable {
  private let reports = Mutex<[Report]>([])
  var all: [Report] { reports.withLock { $0 } }

  func add(_ report: Report) { reports.withLock { $0.append(report) } }
}

extension PhotoEditor {
  /// All checks of a folder.
  func checks(
    of path: FilePath, recursively: Bool = false, fixing: Bool = false
  ) async throws -> [PhotoCheck] {
    let reports = Reports<PhotoCheck>()
    try await verify(contentsOf: path, recursively: recursively, fixing: fixing) {
      reports.add($0)
    }
    return reports.all
  }

  /// All edits that a relinking found without their photos.
  func relinkings(
    _ paths: [FilePath], recursively: Bool = false, lookingIn folders: [FilePath] = [],
    dryRun: Bool = false
  ) async throws -> [Result<Relinking, RelinkError>] {
    let reports = Reports<Result<Relinking, RelinkError>>()
    try await relink(paths, recursively: recursively, lookingIn: folders, dryRun: dryRun) {
      _, result in reports.add(result)
    }
    return reports.all
  }
}
