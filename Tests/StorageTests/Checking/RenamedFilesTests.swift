import Glibc
import SafelightMetadata
import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Photos that somebody renamed together with files of their edits.
@Suite struct RenamedFilesTests {
  private let folder = PhotoFolder()

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  /// Renames all files whose names begin so.
  private func rename(all stem: String, to other: String) {
    for name in folder.names where name.string.hasPrefix(stem) {
      let renamed = FilePath(other + name.string.dropFirst(stem.count))
      _ = Glibc.rename(path(name).string, path(renamed).string)
    }
  }

  /// A photo with a version and a base, renamed from `beach` to `shore` with all its files.
  private func renamed() throws -> PhotoFiles {
    try folder.edit("first", by: "com.example.other")
    try folder.saveVersion("warm")
    try folder.edit("second", base: .currentRender)
    rename(all: "beach", to: "shore")
    return PhotoFiles(path("shore.jpg"))
  }

  private static let all: [FilePath] = [
    "shore.jpg", "shore.jpg.aae", "shore_base.jpg", "shore_edited-warm.jpg", "shore_edited.jpg",
  ]

  private func isComplete(_ files: PhotoFiles) throws -> Bool {
    try files.reading(timeout: .zero) { snapshot in
      try snapshot.checkOriginal()
      let record = try #require(snapshot.record)
      return try record.files.count == 3
        && record.files.allSatisfy { try snapshot.condition(of: $0) == .asRecorded }
    }
  }

  @Test func filesUnderThePhotosNewNameAreItsFiles() throws {
    let files = try renamed()
    #expect(try isComplete(files))
    let snapshot = try files.read(timeout: .zero)
    #expect(snapshot.render == path("shore_edited.jpg"))
    #expect(snapshot.base == path("shore_base.jpg"))
    #expect(!snapshot.hasForeignNames)
    // What was only read stays as it is.
    #expect(folder.names == Self.all)
  }

  @Test func aBaseThatWasChangedIsTheRenamedPhotosBase() throws {
    let files = try renamed()
    folder.put("painted over", at: path("shore_base.jpg"))
    let snapshot = try files.read(timeout: .zero)
    let base = try #require(snapshot.record?.files.first { $0.role == .base })
    #expect(try snapshot.condition(of: base) == .changed)
    #expect(snapshot.base == path("shore_base.jpg"))
    let records = try FolderRecords(folder.path)
    #expect(records.membership(of: "shore_base.jpg")?.original == path("shore.jpg"))
  }

  @Test func photosWithOneStemKeepBasesOfOneContentApart() throws {
    folder.put("pixels of beach.jpg", at: path("beach.png"))
    try folder.edit("first", by: "com.example.other")
    try folder.edit("second", base: .currentRender)
    let bytes = try #require(folder.bytes(path("beach_base.jpg")))
    let record = try #require(folder.bytes(path("beach.jpg.aae")))
    let twin = String(decoding: record, as: UTF8.self)
      .replacing("beach_base.jpg", with: "beach.png_base.jpg")
      .replacing("beach_edited.jpg", with: "beach.png_edited.jpg")
      .replacing("<string>beach.jpg</string>", with: "<string>beach.png</string>")
    folder.put(twin, at: path("beach.png.aae"))
    folder.put(bytes, at: path("beach.png_base.jpg"))
    rename(all: "beach", to: "shore")
    let bases = try ["shore.jpg", "shore.png"].map { name in
      try PhotoFiles(path(FilePath(name))).read(timeout: .zero).base
    }
    #expect(bases == [path("shore_base.jpg"), path("shore.png_base.jpg")])
  }

  @Test func relinkingWritesTheNewNamesAndCopiesNothing() throws {
    let files = try renamed()
    let before = try #require(try FileSystem.real.status(of: path("shore_base.jpg")))
    let transaction = try files.begin(timeout: .zero)
    let move = try transaction.snapshot.editMove(from: nil)
    #expect(move.outcome == .moved && !move.isRenderMissing)
    #expect(try transaction.moveEdit(move) == nil)
    transaction.end()
    #expect(folder.names == Self.all)
    #expect(try FileSystem.real.status(of: path("shore_base.jpg")) == before)
    let record = try Record(parsing: try #require(folder.bytes(path("shore.jpg.aae"))))
    #expect(record.original?.name == "shore.jpg")
    #expect(
      record.files.map(\.file.name) == [
        "shore_edited.jpg", "shore_base.jpg", "shore_edited-warm.jpg",
      ]
    )
  }

  @Test func theNextEditReplacesTheRenamedRender() throws {
    let files = try renamed()
    let transaction = try files.begin(timeout: .zero)
    let render = try transaction.stageRender { try $0.write(Array("third".utf8)) }
    _ = try transaction.commit("third", rendered: render)
    transaction.end()
    #expect(folder.names == Self.all)
    #expect(folder.text("shore_edited.jpg") == "third")
    #expect(try isComplete(files))
  }

  @Test func versionsAndEditsGoWithTheirRenamedFiles() throws {
    let files = try renamed()
    var transaction = try files.begin(timeout: .zero)
    _ = try transaction.removeVersion(named: "warm")
    transaction.end()
    #expect(folder.names == Self.all.filter { $0 != "shore_edited-warm.jpg" })
    transaction = try files.begin(timeout: .zero)
    _ = try transaction.revert()
    transaction.end()
    #expect(folder.names == ["shore.jpg"])
  }

  @Test(arguments: [
    [("beach", "shore"), ("lake", "beach")], [("beach", "x"), ("lake", "beach"), ("x", "lake")],
  ])
  func photosRenamedInAChainOrExchangedKeepTheirFiles(steps: [(String, String)]) throws {
    func edit(_ name: FilePath) throws {
      let transaction = try PhotoFiles(path(name)).begin(timeout: .zero)
      let render = try transaction.stageRender { try $0.write(Array("render of \(name)".utf8)) }
      _ = try transaction.commit("\(name)", rendered: render)
      transaction.end()
    }
    folder.put("another photo", at: path("lake.jpg"))
    try edit("beach.jpg")
    try edit("lake.jpg")
    for (name, other) in steps { rename(all: name, to: other) }
    #expect(folder.text("beach_edited.jpg") == "render of lake.jpg")
    let names = folder.names
    let photos = names.filter { names.contains($0.suffixed(".aae")) }
    #expect(photos.count == 2)
    for name in photos { #expect(try isRecorded(name)) }
    let records = try FolderRecords(folder.path)
    #expect(records.membership(of: "beach_edited.jpg")?.original == path("beach.jpg"))
    for name in photos { try edit(name) }
    for name in photos { #expect(try isRecorded(name)) }
    #expect(folder.names == names)
  }

  private func isRecorded(_ name: FilePath) throws -> Bool {
    let snapshot = try PhotoFiles(path(name)).read(timeout: .zero)
    let stem = try #require(name.stem)
    let render = try #require(snapshot.record?.files.first)
    return try snapshot.render == path(stem.suffixed("_edited.jpg"))
      && snapshot.condition(of: render) == .asRecorded
  }

  @Test func anotherFileUnderTheNewNameIsNotTaken() throws {
    let files = try renamed()
    folder.put("second edited elsewhere", at: path("shore_edited.jpg"))
    let snapshot = try files.read(timeout: .zero)
    #expect(snapshot.render == nil)
    #expect(snapshot.base != nil)
  }

  @Test func theBaseOfAPhotoWithTheSameStemIsNotTaken() throws {
    let files = try renamed()
    // The same photo once more, whose record names the base.
    folder.put(try #require(folder.bytes(path("shore.jpg"))), at: path("shore.jpeg"))
    let transaction = try files.begin(timeout: .zero)
    _ = try transaction.moveEdit(try transaction.snapshot.editMove(from: nil))
    transaction.end()
    let old = String(decoding: folder.bytes(path("shore.jpg.aae")) ?? [], as: UTF8.self)
    folder.put(old.replacing("shore", with: "beach"), at: path("shore.jpeg.aae"))
    let twin = try PhotoFiles(path("shore.jpeg")).read(timeout: .zero)
    #expect(twin.base == nil)
  }

  @Test func foldersKnowRenamedFilesByNameAndContent() throws {
    _ = try renamed()
    let records = try FolderRecords(folder.path)
    for name in Self.all.dropFirst(2) {
      #expect(records.membership(of: name)?.original == path("shore.jpg"))
    }
    let contents = try #require(RecordedContents(recordAt: path("shore.jpg.aae"), .real))
    let original = OriginalReference(fileName: "other.jpg", sha256: "")
    func standing(_ name: FilePath, as other: FilePath? = nil) throws -> RecordedContents.Standing {
      try contents.standing(
        of: other ?? name, holding: FileSystem.real.digestOfFile(at: path(name)), rendered: original
      )
    }
    #expect(try standing("shore_base.jpg") == .member)
    #expect(try standing("shore_base.jpg", as: "lake_base.jpg") == .copy)
    folder.put("unknown", at: path("lake_edited.jpg"))
    #expect(try standing("lake_edited.jpg") == .unknown)
    // The render of an edit before.
    let earlier = SHA256.digest(of: Array("render of first".utf8))
    #expect(try contents.standing(of: "x", holding: earlier, rendered: original) == .copy)
  }

  @Test(arguments: [FaultInjection.Kind.crash, .ioErrorOnce, .diskFullOnce])
  func anEditThatMakesRoomIsAlwaysWholeSomewhere(kind: FaultInjection.Kind) throws {
    for step in 1... {
      let folder = PhotoFolder()
      try folder.edit("first", by: "com.example.other")
      try folder.saveVersion("warm")
      try folder.edit("second", base: .currentRender)
      let faults = FaultInjection(kind, at: step)
      let aside = try? PhotoFiles(folder.photo, fileSystem: faults.fileSystem)
        .begin(timeout: .zero).setAsideEdit()
      let contents = Set(
        folder.names.compactMap { folder.bytes(folder.path.appending($0)) }
          .map { SHA256.digest(of: $0) })
      let places: [FilePath] = ["beach.jpg", "beach-relinking.jpg"]
      let whole = try places.filter { name in
        let lost = try LostRecord.load(of: folder.path.appending(name), .real)
        guard let record = lost?.record else { return false }
        return record.files.allSatisfy { contents.contains($0.file.sha256) }
      }
      #expect(!whole.isEmpty, "step \(step)")
      if aside != nil { #expect(whole.contains("beach-relinking.jpg"), "step \(step)") }
      if !faults.wasReached {
        #expect(
          folder.names == [
            "beach-relinking.jpg.aae", "beach-relinking_base.jpg",
            "beach-relinking_edited-warm.jpg",
            "beach-relinking_edited.jpg", "beach.jpg",
          ])
        break
      }
    }
  }
}
