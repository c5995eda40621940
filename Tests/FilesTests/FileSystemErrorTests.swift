import Glibc
import Testing

@testable import SafelightFiles

@Suite struct FileSystemErrorTests {
  @Test(
    arguments: [
      (.write, ENOSPC, "/p/a.jpg could not be written: the disk is full."),
      (.create, EACCES, "/p/a.jpg could not be created: the folder may not be written."),
      (.open, EACCES, "/p/a.jpg could not be opened: permission is missing."),
      (.rename, EROFS, "/p/a.jpg could not be put into place: the disk is read-only."),
      (.create, ENOENT, "/p/a.jpg could not be created: the folder does not exist."),
      (.open, ENOENT, "/p/a.jpg does not exist."),
      (.unlink, ENOENT, "/p/a.jpg does not exist."),
      (.sync, EIO, "/p/a.jpg could not be flushed to the disk: the disk reported an error."),
    ] as [(FileSystem.Operation.Kind, Int32, String)])
  func aFailedOperationSaysWhatAndWhy(kind: FileSystem.Operation.Kind, reason: Int32, text: String)
  {
    #expect(FileSystemError(.init(kind, "/p/a.jpg"), errno: reason).description == text)
  }

  @Test(
    arguments: [
      ("/p/.safelight-12ab.render", "A new file in /p could not be written: the disk is full."),
      (
        ".safelight-12ab.record",
        "A new file in this folder could not be written: the disk is full."
      ),
    ])
  func hiddenFilesAreToldByTheirFolder(path: String, text: String) {
    #expect(FileSystemError(.init(.write, FilePath(path)), errno: ENOSPC).description == text)
  }

  @Test func aFileInTheWayOfAHiddenFolderIsNamed() {
    #expect(
      FileSystemError(.init(.openFolder, "p/.safelight-trash"), errno: ENOTDIR).description
        == "p/.safelight-trash could not be opened: it is not a folder.")
  }

  @Test(arguments: FileSystem.Operation.Kind.allCases)
  func everyOperationHasWordsForItsFailure(kind: FileSystem.Operation.Kind) {
    #expect(
      FileSystemError(.init(kind, "a"), errno: EXDEV).description.hasPrefix("a could not be "))
  }
}
