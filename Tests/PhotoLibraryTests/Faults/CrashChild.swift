import Foundation
import Glibc
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// The process that Tests/Crash/library.py kills, and the process that checks the library afterwards. Both run
/// only when `SAFELIGHT_CRASH_FOLDER` names a folder.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SAFELIGHT_CRASH_FOLDER"] != nil))
struct CrashChild {
  private let folder = FilePath(
    ProcessInfo.processInfo.environment["SAFELIGHT_CRASH_FOLDER"] ?? "")
  private var photos: FilePath { folder.appending("photos") }
  private var place: FilePath { folder.appending("library") }
  private var diary: CrashDiary { CrashDiary(folder.appending("diary")) }

  @Test func worksUntilItIsKilled() async throws {
    let seed = UInt64(ProcessInfo.processInfo.environment["SAFELIGHT_CRASH_SEED"] ?? "") ?? 0
    var generator = SeededGenerator(seed: seed)
    var library = try PhotoLibrary(at: place)
    for place in ["a", "b", "c"] { photos.appending(place).makeFolder() }
    diary.note("ready")
    try await library.add([photos])
    for round in 0... {
      let work = Work.allCases.randomElement(using: &generator)!
      diary.note("doing \(work.rawValue)")
      let place = photos.appending(["a", "b", "c"].randomElement(using: &generator)!)
      switch work {
      case .indexing:
        for number in 0..<60 {
          let name = "\(seed)-\(round)-\(number).jpg"
          // Half a file would be no photo, and its loss would not be found.
          let new = place.appending(".new")
          new.write(SmallJPEG(comment: name).bytes)
          rename(new.string, place.appending(name).string)
        }
        try await library.scan()
      case .moving:
        try moveSome(library, to: place, &generator)
        try await library.scan()
      case .rebuilding:
        // Seldom, because it takes longer than everything else.
        guard round % 3 == 0 else { continue }
        library = try await rebuilt(consume library)
      case .marking: try await mark(library, &generator)
      case .arranging: try await arrange(library, &generator)
      case .creating: try await create(library)
      case .trashing: try await trash(library, &generator)
      case .emptying: try await empty(library)
      }
    }
  }

  private enum Work: String, CaseIterable {
    case indexing, moving, rebuilding, marking, arranging, creating, trashing, emptying
  }

  private func rebuilt(_ library: consuming PhotoLibrary) async throws -> PhotoLibrary {
    _ = consume library
    return try await PhotoLibrary.rebuild(at: place)
  }

  /// Moves photos that are not in the trash; a file that is moved out of the trash is a new photo.
  private func moveSome(
    _ library: PhotoLibrary, to place: FilePath, _ generator: inout SeededGenerator
  ) throws {
    let from = photos.appending(["a", "b", "c"].randomElement(using: &generator)!)
    let files = try library.fetchAssets().map(\.path).filter { $0.isInside(from) }
    for file in files.shuffled(using: &generator).prefix(20) {
      guard let name = file.lastComponent else { continue }
      rename(file.string, place.appending(name).string)
    }
  }

  private func some(
    _ count: Int, of library: PhotoLibrary, _ generator: inout SeededGenerator
  ) throws -> [Asset] {
    Array(try library.fetchAssets().shuffled(using: &generator).prefix(count))
  }

  private func mark(_ library: PhotoLibrary, _ generator: inout SeededGenerator) async throws {
    let some = try some(3, of: library, &generator)
    let value = Bool.random(using: &generator)
    try await diary.doing(some.map { ("favorite", $0.localIdentifier, value) }) {
      try await library.performChanges {
        for asset in some { AssetChangeRequest(for: asset).isFavorite = value }
      }
    }
  }

  private func arrange(_ library: PhotoLibrary, _ generator: inout SeededGenerator) async throws {
    let some = try some(5, of: library, &generator)
    let album = Box("")
    let diary = diary
    try await library.performChanges {
      let request = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      request.addAssets(some)
      album.value = request.placeholderForCreatedAssetCollection.localIdentifier
      diary.note("begin album \(album.value) 1")
    }
    diary.note("done album \(album.value) 1")
    let made = try library.album(album.value)
    guard some.count > 2 else { return }
    try await library.performChanges {
      AssetCollectionChangeRequest(for: made).moveAssets(at: [some.count - 1], to: 0)
    }
  }

  private func create(_ library: PhotoLibrary) async throws {
    let source = FilePath(Fixture.url("orientation/1.jpg").path)
    let asset = Box("")
    let diary = diary
    try await library.performChanges {
      let request = AssetCreationRequest.creationRequestForAsset(fromImageAt: source)
      asset.value = request.placeholderForCreatedAsset.localIdentifier
      diary.note("begin asset \(asset.value) 1")
    }
    diary.note("done asset \(asset.value) 1")
  }

  private func trash(_ library: PhotoLibrary, _ generator: inout SeededGenerator) async throws {
    let some = try some(2, of: library, &generator)
    try await diary.doing(some.map { ("trashed", $0.localIdentifier, true) }) {
      try await library.performChanges { AssetChangeRequest.deleteAssets(some) }
    }
    guard let back = try library.trashedAssets().randomElement(using: &generator) else { return }
    try await diary.doing([("trashed", back.localIdentifier, false)]) {
      try await library.performChanges { AssetChangeRequest.restoreAssets([back]) }
    }
  }

  private func empty(_ library: PhotoLibrary) async throws {
    let gone = try library.trashedAssets()
    try await diary.doing(gone.map { ("emptied", $0.localIdentifier, true) }) {
      try await library.performChanges { AssetChangeRequest.emptyTrash() }
    }
  }

  @Test func whatIsLeftIsWhole() async throws {
    var contents: [String] = []
    do {
      let library = try PhotoLibrary(at: place)
      #expect(try await library.lines("PRAGMA integrity_check") == ["ok"])
      #expect(try await library.lines("PRAGMA foreign_key_check").isEmpty)
      try await diary.compare(with: library)
      try await library.scan()
      let (known, found) = (try await library.names, try onDisk)
      #expect(Set(known).symmetricDifference(found) == [])
      #expect(known.count == found.count)
      contents = try await library.contents
    }
    let rebuilt = try await PhotoLibrary.rebuild(at: place)
    let again = Set(try await rebuilt.contents)
    #expect(again.symmetricDifference(contents).sorted() == [])
    try await diary.begin(with: rebuilt)
  }

  /// The names of all photos that are not in a hidden folder.
  private var onDisk: [String] {
    get throws {
      var names: [String] = []
      for folder in [photos, place.appending("originals")] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.string)) ?? []
        names += paths.filter { path in
          path.hasSuffix(".jpg") && !path.split(separator: "/").contains { $0.hasPrefix(".") }
        }.map { ($0 as NSString).lastPathComponent }
      }
      return names.sorted()
    }
  }
}
