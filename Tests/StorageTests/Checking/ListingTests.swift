import Glibc
import Synchronization
import Testing

@testable import SafelightStorage

@Suite struct ListingTests {
  @Test(arguments: [1, 2, 3, 7, 8, 100])
  func everyNameComesOnceAndInOrderHoweverSmallThePages(page: Int) throws {
    let folder = PhotoFolder("g.jpg")
    for name in ["c", "a", "f", "B", "e", "d", "\u{E9}"] {
      folder.put("", at: folder.path.appending(name))
    }
    var names: [FilePath] = []
    try FileSystem.real.forEachNameInOrder(in: folder.path, page: page, where: \.isWanted) {
      names.append($0)
    }
    #expect(names == ["B", "a", "c", "e", "f", "g.jpg", "\u{E9}"])
  }

  @Test func aPageMoreIsAListingMore() throws {
    let folder = PhotoFolder()
    for number in 0..<20 { folder.put("", at: folder.path.appending("\(number)")) }
    let listings = Mutex(0)
    let fileSystem = FileSystem { step in
      if step.kind == .list { listings.withLock { $0 += 1 } }
      return nil
    }
    try fileSystem.forEachNameInOrder(in: folder.path, page: 10, where: \.isWanted) { _ in }
    #expect(listings.withLock { $0 } == 3)
  }

  @Test func foldersAreToldFromFilesAndLinks() throws {
    let folder = PhotoFolder()
    let (inner, link) = (folder.path.appending("inner"), folder.path.appending("link"))
    mkdir(inner.string, 0o755)
    symlink(inner.string, link.string)
    var folders: [FilePath] = []
    try FileSystem.real.forEachEntry(in: folder.path) { entry in
      if entry.isFolder { folders.append(entry.name) }
    }
    #expect(folders == ["inner"])
  }

  @Test func aFolderThatIsMissingIsAnError() {
    let missing = FilePath("/nonexistent/folder")
    #expect(
      storageError { try FileSystem.real.forEachEntry(in: missing) { _ in } }
        == .fileSystem(FileSystemError(.init(.list, missing), errno: ENOENT)))
  }
}

extension FolderEntry {
  fileprivate var isWanted: Bool { name != "d" }
}
