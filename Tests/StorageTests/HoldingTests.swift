import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Changes that are made ready and wait.
@Suite struct HoldingTests {
  private let folder = PhotoFolder()

  private func hold(_ text: String) throws -> Transaction {
    let transaction = try folder.files.begin(timeout: .zero, holding: true)
    let render = try transaction.stageRender { try $0.write(Array("render of \(text)".utf8)) }
    _ = try transaction.commit(text, rendered: render)
    return transaction
  }

  @Test func aHeldChangeIsNotSeenUntilItIsMade() throws {
    try folder.edit("first")
    let transaction = try hold("second")
    #expect(transaction.holdsChange)
    #expect(folder.text("beach_edited.jpg") == "render of first")
    #expect(try transaction.makeHeldChange() == nil)
    #expect(!transaction.holdsChange)
    #expect(folder.text("beach_edited.jpg") == "render of second")
    transaction.end()
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func endingDropsWhatIsHeld() throws {
    let transaction = try hold("first")
    transaction.end()
    #expect(folder.names == ["beach.jpg"])
    #expect(throws: StorageError.self) { try transaction.makeHeldChange() }
  }

  @Test func nobodyElseGetsAtThePhotoMeanwhile() throws {
    let transaction = try hold("first")
    #expect(throws: StorageError.self) { try folder.files.begin(timeout: .zero) }
    transaction.end()
    try folder.files.begin(timeout: .zero).end()
  }

  @Test func aSidecarThatSomebodyChangedMeanwhileStays() throws {
    try folder.edit("first")
    let transaction = try hold("second")
    folder.put("somebody's", at: folder.sidecar)
    #expect(throws: StorageError.recordChanged(folder.sidecar)) {
      try transaction.makeHeldChange()
    }
    transaction.end()
    #expect(folder.text("beach.jpg.aae") == "somebody's")
    #expect(folder.text("beach_edited.jpg") == "render of first")
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  /// `beach.jpg` and `beach.png` would both have the render `beach_edited.jpg`.
  @Test func heldChangesOfPhotosWithOneStemDoNotMeet() throws {
    folder.put("another original", at: folder.path.appending("beach.png"))
    let other = PhotoFiles(folder.path.appending("beach.png"), fileSystem: .real)
    let first = try hold("first")
    let second = try other.begin(timeout: .zero, holding: true)
    let render = try second.stageRender { try $0.write(Array("render of second".utf8)) }
    let outcome = try second.commit("second", rendered: render)
    #expect(outcome.render == folder.path.appending("beach.png_edited.jpg"))
    #expect(try second.makeHeldChange() == nil)
    #expect(try first.makeHeldChange() == nil)
    first.end()
    second.end()
    #expect(folder.text("beach_edited.jpg") == "render of first")
    #expect(folder.text("beach.png_edited.jpg") == "render of second")
    #expect(
      folder.names == [
        "beach.jpg", "beach.jpg.aae", "beach.png", "beach.png.aae", "beach.png_edited.jpg",
        "beach_edited.jpg",
      ])
  }

  @Test func aClaimOnARendersNameThatWasLeftGoes() throws {
    let names = PhotoNames(folder.path.appending("beach_edited.jpg"))
    folder.put("", at: names.claim)
    folder.put("", at: PhotoNames(folder.photo).claim)
    try folder.edit("first")
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }
}
