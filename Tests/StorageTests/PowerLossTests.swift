import Glibc
import SafelightTestSupport
import Synchronization
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct PowerLossTests {
  private func folder(with files: [FilePath: [UInt8]], isHolding: Bool = false) -> PhotoFolder {
    let folder = PhotoFolder(isHolding: isHolding)
    for (name, bytes) in files { folder.put(bytes, at: folder.path.appending(name)) }
    return folder
  }

  /// What a reader sees after a power cut, once it was checked that the next change tidies up.
  private func view(after files: [FilePath: [UInt8]], _ change: Change) throws -> View {
    let folder = folder(with: files)
    let seen = try View(folder)
    try folder.files.begin(timeout: .zero).end()
    try #expect(View(folder) == seen, "\(change), after recovery")
    try folder.files.begin(timeout: .zero, tidying: true).end()
    #expect(folder.names == seen.names, "\(change)")
    if seen.isForeign { #expect(try folder.bytes(folder.sidecar) == Change.foreign()) }
    #expect(folder.text("beach.jpg") == "pixels of beach.jpg")
    return seen
  }

  @Test(arguments: Change.allCases, [false, true])
  func aPowerCutAtAnyMomentLeavesTheOldEditOrTheNew(change: Change, isHolding: Bool) throws {
    let folder = try folder(with: change.preparedFiles(), isHolding: isHolding)
    let disk = VolatileDisk(folder.path)
    try change.run(folder, disk.fileSystem)
    let (old, new) = (try change.old(), try change.new())
    var found: Set<Bool> = []
    for files in Set(disk.possibleStates.map(disk.files)) {
      let seen = try view(after: files, change)
      #expect(seen == old || seen == new, "\(change): \(files.keys.sorted(by: <))")
      found.insert(seen == new)
    }
    #expect(found == [true, false])
    // What was reported as done stays done.
    for files in Set(disk.presentStates.map(disk.files)) {
      try #expect(view(after: files, change) == new)
    }
  }

  @Test(arguments: Change.allCases)
  func aPowerCutDuringRecoveryLosesNothing(change: Change) throws {
    // The process dies right after the decision, and nothing is placed.
    let interrupted = try folder(with: change.preparedFiles())
    let isDecided = Mutex(false)
    let dying = FileSystem { operation in
      isDecided.withLock { isDecided in
        if isDecided { return .failure(EIO) }
        isDecided = operation.kind == .syncFolder
        return nil
      }
    }
    _ = try? change.run(interrupted, dying)
    let disk = VolatileDisk(interrupted.path)
    let seen = try View(interrupted)
    try PhotoFiles(interrupted.photo, fileSystem: disk.fileSystem).begin(timeout: .zero).end()
    for files in Set(disk.possibleStates.map(disk.files)) {
      try #expect(view(after: files, change) == seen)
    }
  }
}
