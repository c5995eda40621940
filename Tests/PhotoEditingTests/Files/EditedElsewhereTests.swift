import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

/// What Apple's Photos and Google Photos left beside photos.
@Suite struct EditedElsewhereTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func sidecar(_ adjustments: String) -> [UInt8] {
    let data = Data(
      #"{"adjustments":[\#(adjustments)],"metadata":{"orientation":1}}"#.utf8)
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>adjustmentFormatIdentifier</key><string>com.apple.photo</string>
      <key>adjustmentFormatVersion</key><string>1.4</string>
      <key>adjustmentData</key><data>\(data.base64EncodedString())</data>
      </dict></plist>
      """.utf8)
  }

  private let crop = #"{"identifier":"Crop","enabled":true,"settings":{"width":10}}"#
  private let noir = #"{"identifier":"Effect","settings":{"effectName":"3DNoir"}}"#

  private func applesPhoto() throws -> Photo {
    let photo = try folder.add("orientation/1.jpg", as: "IMG_1234.JPG")
    try folder.add("orientation/1.jpg", as: "IMG_E1234.JPG")
    folder.put(sidecar(crop + "," + noir), as: "IMG_1234.AAE")
    return photo
  }

  @Test func anEditOfApplesIsShownAndNothingIsWritten() async throws {
    let photo = try applesPhoto()
    let before = try folder.traces
    let state = try await editor.state(of: photo)
    let edit = try #require(state.foreignEdit)
    #expect(edit.description == "edited in Apple Photos: crop, Noir")
    #expect(edit.sidecar?.lastComponent == "IMG_1234.AAE")
    #expect(edit.render?.lastComponent == "IMG_E1234.JPG")
    #expect(state.edit == nil && !state.isEdited)
    try #expect(folder.traces == before)
  }

  @Test func aWalkTakesThePhotoAndNoRender() async throws {
    _ = try applesPhoto()
    try folder.add("orientation/1.jpg", as: "IMG_E77.JPG")
    try folder.add("orientation/1.jpg", as: "a.jpg")
    try folder.add("orientation/1.jpg", as: "a-edited.jpg")
    folder.put(Array("{}".utf8), as: "a.jpg.supplemental-metadata.json")
    let found = try PhotoEditing.PhotoFolder(folder.path)
    #expect(
      found.photos.compactMap(\.lastComponent) == ["IMG_1234.JPG", "IMG_E77.JPG", "a.jpg"])
    #expect(found.leftOut == 4)
    var recognizer = PhotoRecognizer()
    #expect(
      recognizer.part(folder.path.appending("IMG_E1234.JPG")) == .render(of: "IMG_1234.JPG"))
    #expect(recognizer.part(folder.path.appending("IMG_E77.JPG")) == nil)
    let skipped = try await editor.apply(
      .named("noir"), to: Photo(path: folder.path.appending("IMG_E1234.JPG")))
    #expect(skipped.status == .skipped)
  }

  @Test func aCheckListsThePhotoUntilItHasAnEditOfItsOwn() async throws {
    let photo = try applesPhoto()
    func findings() async throws -> [PhotoCheck] {
      let found = Found()
      try await editor.verify(contentsOf: folder.path) { found.add($0) }
      return found.checks
    }
    let checks = try await findings()
    #expect(checks.map(\.path) == [photo.path])
    #expect(checks.flatMap(\.notes).map(\.code) == ["edited-elsewhere"])
    #expect(
      checks.first?.notes.first?.description
        == "\(photo.path) was edited in Apple Photos: crop, Noir.")
    _ = try await editor.apply(.named("noir"), to: photo)
    let later = try await findings()
    #expect(later.map(\.path) == [photo.path] && later.flatMap(\.notes).isEmpty)
  }

  @Test func anEditAndARevertLeaveApplesFilesAlone() async throws {
    let photo = try applesPhoto()
    let before = try folder.traces
    _ = try await editor.apply(.named("noir"), to: photo)
    for name in before.keys { try #expect(folder.traces[name] == before[name]) }
    #expect(try await editor.state(of: photo).foreignEdit?.appleEdit?.summary == "crop, Noir")
    _ = try await editor.revertAssetContentToOriginal(photo)
    try #expect(folder.traces == before)
  }

  @Test func aSidecarWithTheNameOfARecordComesBack() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "IMG_1.JPG")
    folder.put(sidecar(crop), as: "IMG_1.JPG.aae")
    let bytes = folder.bytes("IMG_1.JPG.aae")
    #expect(try await editor.state(of: photo).foreignEdit?.appleEdit?.summary == "crop")
    _ = try await editor.apply(.named("noir"), to: photo)
    #expect(try await editor.state(of: photo).foreignEdit?.appleEdit?.summary == "crop")
    _ = try await editor.revertAssetContentToOriginal(photo)
    #expect(folder.bytes("IMG_1.JPG.aae") == bytes)
    #expect(folder.names == ["IMG_1.JPG", "IMG_1.JPG.aae"])
  }
}

/// The checks that were reported.
private final class Found: @unchecked Sendable {
  private let lock = NSLock()
  private var found: [PhotoCheck] = []

  func add(_ check: PhotoCheck) { lock.withLock { found.append(check) } }
  var checks: [PhotoCheck] { lock.withLock { found } }
}
