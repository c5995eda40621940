import Glibc
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct ErrorTextTests {
  static let disk = FileSystemError(.init(.write, "/p/a.jpg"), errno: ENOSPC)

  static let errors: [StorageError] = [
    .originalMissing("a.jpg"), .originalNotAFile("a.jpg"), .originalUnreadable(disk),
    .busy("a.jpg", waited: .milliseconds(1500), process: nil),
    .lockingUnavailable("a.jpg", errno: ENOLCK),
    .recordUnreadable("a.jpg", .empty), .recordChanged("a.jpg"),
    .foreignSidecar("a.jpg.aae"), .recordTooLarge("a.jpg", size: 2, limit: 1),
    .originalChanged("a.jpg"), .originalTouched("a.jpg"),
    .recordBelongsToAnotherPhoto(record: "a.jpg.aae", recorded: "b.jpg"),
    .renderChanged("a.jpg"), .baseChanged("a.jpg"), .renderMissing("a.jpg"),
    .hasVersions("a.jpg", ["warm"]), .versionExists("a.jpg", "warm"),
    .versionMissing("a.jpg", "warm", present: []),
    .versionMissing("a.jpg", "warm", present: ["cold"]),
    .changeOfAnotherUser("a.jpg"), .fileOfAnotherUser("a.jpg"), .stagedFileLost("a.jpg"),
    .nameTaken(["a.jpg", "b.jpg"]), .nameTooLong("a.jpg", limit: 255),
    .hiddenNameTaken("a.jpg"), .historyMismatch("a.jpg"), .notStaged("a.jpg"),
    .transactionOver("a.jpg"), .fileSystem(disk),
  ]

  @Test(arguments: errors)
  func everyErrorNamesTheFile(error: StorageError) {
    #expect(error.description.contains("a.jpg"))
    #expect(error.description.hasSuffix("."))
  }

  @Test func anotherProgramsSidecarIsToBeRemovedByHand() {
    let error = StorageError.foreignSidecar("beach.jpg.aae")
    #expect(
      error.description == "beach.jpg.aae was written by another program and is not removed.")
  }

  @Test func theWaitIsToldInSeconds() {
    #expect(
      StorageError.busy("a", waited: .milliseconds(1500), process: nil).description
        == "a was in use by another program for 1.5 seconds.")
  }

  @Test func everyCodeIsThrown() {
    let others: [StorageError] = [
      .invalidVersionName("."), .invalidAdjustmentDataSize(0, limit: 1), .unwritableText("a"),
    ]
    let codes = Set((Self.errors + others).map(\.code))
    #expect(
      codes
        == Set(
          StorageError.Code.allCases.map(\.rawValue) + [FileSystemError.Code.diskFull.rawValue]))
  }

  @Test(arguments: [(ENOSPC, "disk-full"), (EDQUOT, "disk-full"), (EACCES, "file-system")])
  func aFullDiskHasACodeOfItsOwn(reason: Int32, code: String) {
    #expect(FileSystemError(.init(.write, "a"), errno: reason).code == code)
  }
}
