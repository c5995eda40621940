import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Changes that are made ready and wait.
@Suite struct HoldingTests {
  private let folder = PhotoFolder()

  private func hold(_ text: String) throws -> Transaction {
    let transaction = try folder.files.begin(timeout: .zero, holding: true)
    let render = try transaction.stageRender { try $0.write(Array("render of \(text)".utf8)) }
    _ = try transaction.commit(
      .test(text), editor: "org.safelight.tests", timestamp: .test, render: render,
      pixelWidth: 4, pixelHeight: 3, renderer: "tests 1")
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
}
