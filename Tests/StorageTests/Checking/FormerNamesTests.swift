import Glibc
import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Photos that were renamed or moved while a change of theirs was interrupted. Hidden files keep their names and their
/// folder then.
@Suite struct FormerNamesTests {
  /// Changes of each kind that replace, remove or add files.
  static let changes: [Change] = [
    .reapply, .reapplyOnNewBase, .reapplyDroppingBase, .revert, .undoTheFirst, .replaceVersion,
    .removeVersion,
  ]

  /// A folder in which a change was interrupted at a step; `nil` when there are no so many steps.
  ///
  /// - Parameter files: What is there before; by default what the change prepares.
  private func crashed(
    _ change: Change, at step: Int, _ files: [FilePath: [UInt8]]? = nil
  ) throws -> PhotoFolder? {
    let folder = PhotoFolder()
    for (name, bytes) in try files ?? change.preparedFiles() {
      folder.put(bytes, at: folder.path.appending(name))
    }
    let faults = FaultInjection(.crash, at: step)
    _ = try? change.run(folder, faults.fileSystem)
    return faults.wasReached ? folder : nil
  }

  /// Renames all files of the photo that are seen.
  private func rename(_ folder: PhotoFolder, into other: PhotoFolder? = nil, as stem: String) {
    for name in folder.names where name.string.hasPrefix("beach") {
      let renamed = FilePath(stem + name.string.dropFirst("beach".count))
      _ = Glibc.rename(
        folder.path.appending(name).string, (other ?? folder).path.appending(renamed).string)
    }
  }

  private func shore(_ names: [FilePath]) -> [FilePath] {
    names.map { FilePath($0.string.replacing("beach", with: "shore")) }
  }

  /// The names in a folder. Once a revert has removed the sidecar nothing leads to its hidden files any more; checks put
  /// these away.
  private func names(in folder: PhotoFolder) -> [FilePath] {
    let names = folder.names
    let isReverted = !names.contains { $0.string.hasSuffix(".aae") }
    return names.filter { !isReverted || HiddenFile($0) == nil }
  }

  @Test(arguments: changes)
  func whoeverComesFirstFinishesTheChangeUnderTheNewName(change: Change) throws {
    let (old, new) = (try change.old(), try change.new())
    let prepared = try change.preparedFiles()
    for step in 1... {
      guard let folder = try crashed(change, at: step, prepared) else { break }
      rename(folder, as: "shore")
      let files = PhotoFiles(folder.path.appending("shore.jpg"))
      let seen = try View(folder, of: files)
      #expect([old, new].contains(seen), "step \(step)")
      try files.begin(timeout: .zero).end()
      try #expect(View(folder, of: files) == seen, "after recovery from step \(step)")
      #expect(names(in: folder) == shore(seen.names), "after recovery from step \(step)")
      // Relinking writes the names that the files have.
      let transaction = try files.begin(timeout: .zero)
      _ = try transaction.moveEdit(transaction.snapshot.editMove(from: nil))
      transaction.end()
      try #expect(View(folder, of: files) == seen, "relinked after step \(step)")
      #expect(names(in: folder) == shore(seen.names), "relinked after step \(step)")
    }
  }

  @Test(arguments: [Change.reapply, .reapplyOnNewBase, .removeVersion])
  func relinkingFinishesTheChangeOfAPhotoThatWasMovedWithItsFiles(change: Change) throws {
    let (old, new) = (try change.old(), try change.new())
    let prepared = try change.preparedFiles()
    for step in 1... {
      guard let folder = try crashed(change, at: step, prepared) else { break }
      let isDecided = folder.hidden("pending") != nil
      let album = PhotoFolder("another.jpg")
      rename(folder, into: album, as: "beach")
      let photo = album.path.appending("beach.jpg")
      if isDecided { #expect(try PhotoFiles(photo).isFree(forEditOf: folder.photo, .real)) }
      let transaction = try PhotoFiles(photo).begin(timeout: .zero, former: folder.photo)
      let move = try transaction.snapshot.editMove(from: folder.photo)
      #expect(try transaction.moveEdit(move) == nil, "step \(step)")
      transaction.end()
      let seen = try View(album, of: PhotoFiles(photo))
      if isDecided { #expect(seen == new, "step \(step)") }
      #expect([old, new].contains(seen), "step \(step)")
      #expect(folder.names == [], "step \(step)")
      #expect(album.names == ["another.jpg"] + seen.names, "step \(step)")
    }
  }

  @Test func relinkingFinishesAFirstEditOfARenamedPhoto() throws {
    for step in 1... {
      guard let folder = try crashed(.apply, at: step) else { break }
      let isDecided = folder.hidden("pending") != nil
      rename(folder, as: "shore")
      let files = PhotoFiles(folder.path.appending("shore.jpg"))
      let transaction = try files.begin(timeout: .zero, former: folder.photo)
      _ = try transaction.moveEdit(transaction.snapshot.editMove(from: folder.photo))
      transaction.end()
      let seen = try View(folder, of: files)
      if isDecided { try #expect(seen == Change.apply.new(), "step \(step)") }
      // An empty claim on the name of the render may stay; checks remove it.
      let names = folder.names.filter { HiddenFile($0)?.kind != .claim }
      #expect(names == shore(seen.names), "step \(step)")
    }
  }

  @Test(arguments: [Change.reapply, .revert])
  func aPhotoThatTakesTheNameLeavesTheChangeToItsPhoto(change: Change) throws {
    for step in 1... {
      guard let folder = try crashed(change, at: step) else { break }
      let isDecided = folder.hidden("pending") != nil
      rename(folder, as: "shore")
      folder.put("another picture", at: folder.photo)
      #expect(try folder.files.read(timeout: .zero).record == nil, "step \(step)")
      let files = PhotoFiles(folder.path.appending("shore.jpg"))
      let seen = try View(folder, of: files)
      if isDecided { try #expect(seen == change.new(), "step \(step)") }
      try folder.edit("of another")
      try #expect(View(folder).edit == "of another", "step \(step)")
      try #expect(View(folder, of: files) == seen, "step \(step)")
      #expect(folder.names == View(edit: "x").names + shore(seen.names), "step \(step)")
    }
  }

  @Test func aSetThatGoesToTheTrashStaysTogetherWhateverInterruptsIt() throws {
    for step in 1... {
      let folder = PhotoFolder()
      for (name, bytes) in try MovedPhoto.renamed.preparedFiles() {
        folder.put(bytes, at: folder.path.appending(name))
      }
      unlink(folder.photo.string)
      let all = folder.names
      let faults = FaultInjection(.crash, at: step)
      let lost = try #require(try LostRecord.load(of: folder.photo, .real))
      _ = try? lost.putAway(faults.fileSystem)
      // The record goes last, so that a second run finds the rest.
      if let rest = try LostRecord.load(of: folder.photo, .real) {
        _ = try rest.putAway(.real)
      }
      #expect(folder.names == [FolderTrash.name], "step \(step)")
      let trash = folder.path.appending(FolderTrash.name)
      let sets = try FileSystem.real.names(in: trash)
      #expect(sets.count == 1, "step \(step)")
      for set in sets {
        let names = try FileSystem.real.names(in: trash.appending(set))
        #expect(names.sorted(by: <) == all, "step \(step)")
      }
      if !faults.wasReached { break }
    }
  }

  @Test func aChangeOfAPhotoThatIsGoneGoesToTheTrashWithAllItsFiles() throws {
    for step in 1... {
      guard let folder = try crashed(.reapplyOnNewBase, at: step) else { break }
      unlink(folder.photo.string)
      let lost = try #require(try LostRecord.load(of: folder.photo, .real))
      _ = try lost.putAway(.real)
      let names = folder.names.filter { HiddenFile($0)?.kind != .claim }
      #expect(names == [FolderTrash.name], "step \(step)")
    }
  }
}
