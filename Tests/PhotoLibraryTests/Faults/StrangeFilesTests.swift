import Foundation
import Glibc
import Testing

@testable import PhotoEditing
@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// Pipes, folders, devices and symbolic links that have the names of a library's files. Each is an error that
/// names the file, and nothing waits for it.
@Suite(.timeLimit(.minutes(10))) struct StrangeFilesTests {
  enum Kind: CaseIterable {
    case pipe, folder, device, link, linkToItself

    func make(_ path: FilePath) -> Bool {
      path.withCString { name in
        switch self {
        case .pipe: mkfifo(name, 0o600)
        case .folder: mkdir(name, 0o700)
        // Only the superuser may make the device `/dev/zero`.
        case .device: mknod(name, S_IFCHR | 0o600, dev_t(1 << 8 | 5))
        case .link: symlink("victim", name)
        case .linkToItself: symlink(path.lastComponent?.string ?? "", name)
        }
      } == 0
    }
  }

  private let tree = PhotoTree()
  private var victim: FilePath { tree.library.appending("victim") }

  /// A library with one favorite whose file `name` is replaced; `nil` when the kind cannot be made here.
  private func replace(_ name: String, by kind: Kind) async throws -> FilePath? {
    tree.photo("a.jpg")
    do {
      let library = try tree.open()
      try await library.add([tree.photos])
      try await library.write("UPDATE asset SET favorite = 1")
      await library.finishExport()
    }
    victim.write(Array("mine".utf8))
    let file = tree.library.appending(FilePath(name))
    try FileSystem.real.unlink(file)
    return kind.make(file) ? file : nil
  }

  @Test(arguments: Kind.allCases)
  func asTheNewCatalogOfARebuild(kind: Kind) async throws {
    guard let file = try await replace("catalogue.rebuilt.sqlite", by: kind) else { return }
    #expect(throws: PhotoLibraryError.catalog(file, detail: "it is no ordinary file")) {
      try tree.open()
    }
  }

  @Test(
    arguments: ["catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm"], Kind.allCases)
  func asAFileOfSQLite(name: String, kind: Kind) async throws {
    guard let file = try await replace(name, by: kind) else { return }
    // Whoever packed a library would choose what a link in it leads to.
    let detail =
      [.link, .linkToItself].contains(kind)
      ? "it is a symbolic link, which no file of a library may be" : "it is no ordinary file"
    for readOnly in [false, true] {
      #expect(throws: PhotoLibraryError.catalog(file, detail: detail)) {
        try PhotoLibrary(at: tree.library, readOnly: readOnly)
      }
    }
    #expect(try FileSystem.real.contents(of: victim, limit: 100) == Array("mine".utf8))
  }

  @Test(arguments: ["catalogue.json", "catalogue.journal.ndjson"], Kind.allCases)
  func asAFileOfTheExport(name: String, kind: Kind) async throws {
    guard let file = try await replace(name, by: kind) else { return }
    do {
      let library = try tree.open()
      try await library.write("UPDATE asset SET hidden = 1")
      await library.finishExport()
      // The journal alone is written with each change.
      let isNamed = library.exportProblem?.contains(file.string) ?? false
      #expect(isNamed == name.contains("journal"))
      let problem = LibraryProblem(.exportUnreadable(detail: "it is no ordinary file"), file)
      #expect(try await library.verify().problems == [problem])
    }
    await #expect(throws: PhotoLibraryError.self) {
      try await PhotoLibrary.rebuild(at: tree.library)
    }
    #expect(try FileSystem.real.contents(of: victim, limit: 100) == Array("mine".utf8))
    let library = try tree.open()
    // The program removes no folder that it did not make.
    guard kind != .folder else {
      await #expect(throws: PhotoLibraryError.self) { try await library.verify(fixing: true) }
      return
    }
    #expect(try await library.verify(fixing: true).problems.isEmpty)
    #expect(file.status?.kind == .file)
  }

  @Test(arguments: Kind.allCases)
  func asAPictureOfTheCache(kind: Kind) throws {
    let cache = PictureDisk(in: tree.library)
    let key = PictureKey(digest: Digest(bytes: [UInt8](repeating: 7, count: 32)))
    let file = cache.path(of: key)
    file.removingLastComponent().makeFolder()
    guard kind.make(file) else { return }
    #expect(cache.image(for: key) == nil)
    cache.store(.plain([10, 20, 30]), for: key)
    #expect((cache.image(for: key) != nil) == (kind != .folder))
    cache.removeAll()
  }
}
