import Glibc
import SafelightTestSupport
import Synchronization
import Testing

@testable import SafelightFiles

@Suite struct ListingTests {
  @Test(arguments: [1, 2, 3, 7, 8, 100])
  func everyNameComesOnceAndInOrderHoweverSmallThePages(page: Int) throws {
    let folder = TemporaryFolder()
    for name in ["c", "a", "f", "B", "e", "d", "g.jpg", "\u{E9}"] as [FilePath] {
      folder.put("", at: name)
    }
    var names: [FilePath] = []
    try FileSystem.real.forEachNameInOrder(in: folder.path, page: page, where: \.isWanted) {
      names.append($0)
    }
    #expect(names == ["B", "a", "c", "e", "f", "g.jpg", "\u{E9}"])
  }

  @Test func aPageMoreIsAListingMore() throws {
    let folder = TemporaryFolder()
    for number in 0..<21 { folder.put("", at: FilePath("\(number)")) }
    let listings = Mutex(0)
    let fileSystem = FileSystem { operation in
      if operation.kind == .list { listings.withLock { $0 += 1 } }
      return nil
    }
    try fileSystem.forEachNameInOrder(in: folder.path, page: 10, where: \.isWanted) { _ in }
    #expect(listings.withLock { $0 } == 3)
  }

  @Test func foldersAreToldFromFilesAndLinks() throws {
    let folder = TemporaryFolder()
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
    #expect(throws: FileSystemError(.init(.list, missing), errno: ENOENT)) {
      try FileSystem.real.forEachEntry(in: missing) { _ in }
    }
  }
}

extension FolderEntry {
  fileprivate var isWanted: Bool { name != "d" }
}
