import Foundation
import Glibc
import PhotoEditing
import SafelightFiles
import SafelightFormats
import SafelightTestSupport
import Testing

/// Photos that are no files of a folder, rendered with edits that are data.
@Suite struct PhotoDataTests {
  private let folder = PhotoFolder()

  private func request(_ json: String) throws -> EditRequest {
    try EditRequest(json: JSONValue(parsing: Array(json.utf8)))
  }

  private static let edits = [
    "{}", #"{"filter": "noir", "intensity": 0.6}"#,
    #"{"values": {"exposure": 0.5, "saturation": 20}, "crop": {"aspect": "1:1"}}"#,
    #"{"rotate": 90, "straighten": 3}"#, #"{"auto": {"tone": true, "whiteBalance": true}}"#,
    #"{"adjustments": [{"id": "exposure", "amount": 1}]}"#,
  ]

  /// The picture of bytes is, byte for byte, the export of a photo with the same edit.
  @Test(arguments: edits) func aPictureOfBytesIsTheExportOfAFile(edit: String) async throws {
    let request = try request(edit)
    let bytes = try Fixtures.bytes("beach.jpg")
    folder.put(bytes, as: "beach.jpg")
    let photo = Photo(path: folder.path.appending("beach.jpg"))
    let editor = PhotoEditor()
    if !request.operations.isEmpty { try await editor.perform(request.operations, on: photo) }
    let output = RenderOutput(format: .png, longestSide: 300)
    let committed = folder.path.appending("committed.png")
    try await editor.export(photo, to: committed, as: output)
    let shown = folder.path.appending("shown.png")
    try await editor.export(photo, to: shown, as: output, edit: request)

    let before = try folder.traces
    let data = try PhotoData(bytes, name: "beach.jpg")
    let picture = try await editor.render(data, edit: request, as: output)
    #expect(try pixels(picture.bytes) == pixels(folder.bytes("committed.png")))
    #expect(try pixels(picture.bytes) == pixels(folder.bytes("shown.png")))
    let kept = request.operations.isEmpty ? EditStack() : try await editor.edit(of: photo)
    #expect(picture.edit.adjustmentData == kept.adjustmentData)
    // What came back gives the same again, without a look at the photo.
    let again = try await editor.render(
      data, edit: EditRequest([.replace(with: picture.edit)]), as: output)
    #expect(
      again.bytes == picture.bytes && again.edit.adjustmentData == picture.edit.adjustmentData)
    #expect(try folder.traces == before)
  }

  /// The compressed pixels of a PNG, which has the place of an exported file in its metadata besides.
  private func pixels(_ png: [UInt8]?) throws -> [UInt8] {
    let png = try #require(png)
    var (place, pixels) = (8, [UInt8]())
    while place + 12 <= png.count {
      let count = png[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
      if png[(place + 4)..<(place + 8)].elementsEqual("IDAT".utf8) {
        pixels += png[(place + 8)..<(place + 8 + count)]
      }
      place += 12 + count
    }
    #expect(!pixels.isEmpty)
    return pixels
  }

  @Test func aDescriptorStaysTheCallers() async throws {
    let bytes = try Fixtures.bytes("orientation/6.jpg")
    let path = folder.path.appending("6.jpg")
    folder.put(bytes, as: "6.jpg")
    let file = Glibc.open(path.string, O_RDONLY)
    defer { close(file) }
    lseek(file, 100, SEEK_SET)
    let photo = try PhotoData(descriptor: file, name: "6.jpg")
    let picture = try await PhotoEditor().render(photo, edit: request(#"{"filter": "noir"}"#))
    let other = try await PhotoEditor().render(
      PhotoData(bytes, name: "6.jpg"), edit: request(#"{"filter": "noir"}"#))
    #expect(picture.bytes == other.bytes && lseek(file, 0, SEEK_CUR) == 100)
  }

  @Test func aPipeIsReadToItsEnd() async throws {
    let bytes = try Fixtures.bytes("orientation/6.jpg")
    let pipe = Pipe()
    let writer = Thread {
      pipe.fileHandleForWriting.write(Data(bytes))
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    let photo = try PhotoData(
      descriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe")
    let picture = try await PhotoEditor().render(photo)
    #expect((picture.pixelWidth, picture.pixelHeight).0 > 0)
    #expect(picture.bytes.starts(with: [0xFF, 0xD8]))
  }

  @Test func whatIsNoPhotoIsSaidUnderItsName() async throws {
    let photo = try PhotoData(Array("no photo".utf8), name: "upload 7")
    let error = await #expect(throws: EditError.self) { try await PhotoEditor().render(photo) }
    #expect(error?.description.contains("upload 7") == true)
    #expect(throws: EditError.self) { try PhotoData(descriptor: -1) }
  }

  @Test(arguments: [
    (#"{"fltr": "noir"}"#, "An edit has no “fltr”."),
    (#"{"crop": 5}"#, "“crop” must be an object."),
    (#"{"values": {"exposure": 50}}"#, "“exposure” takes -5 to 5"), ("[]", "An edit is an object"),
    (#"{"intensity": 0.5}"#, "apply needs"),
  ])
  func whatIsNoEditIsRefused(json: String, words: String) throws {
    let error = #expect(throws: OperationError.self) { try request(json) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func anEditHasManyNames() async throws {
    folder.put(try Fixtures.bytes("beach.jpg"), as: "beach.jpg")
    let photo = Photo(path: folder.path.appending("beach.jpg"))
    try await PhotoEditor().apply(.named("noir"), to: photo)
    let sidecar = try EditRequest(named: folder.path.appending("beach.jpg.aae").string)
    #expect(sidecar.operations == [.replace(with: try await PhotoEditor().edit(of: photo))])
    let json = folder.path.appending("edit.json")
    folder.put(Array(#"{"values": {"exposure": 1}}"#.utf8), as: "edit.json")
    #expect(
      try EditRequest(named: json.string) == EditRequest(named: #" {"values": {"exposure": 1}}"#))
    #expect(try EditRequest(named: "noir").operations.map(\.name) == ["apply"])
    #expect(throws: EditError.self) { try EditRequest(named: "nowhere.json") }
    folder.put(Array("{".utf8), as: "broken.aae")
    #expect(throws: EditError.self) {
      try EditRequest(named: folder.path.appending("broken.aae").string)
    }
  }

  /// The schema knows every member that is read, and every value by its option.
  @Test func theSchemaSaysAll() throws {
    let properties = try #require(EditRequest.schema["properties"])
    let names = Set((properties.members ?? []).map(\.key))
    #expect(names.isSuperset(of: ["filter", "intensity", "values", "crop", "auto", "adjustments"]))
    let values = properties["values"]?["properties"]?.members ?? []
    let options = AdjustmentDescription.all.flatMap(\.parameters).compactMap(\.option)
    #expect(Set(values.map(\.key)) == Set(options))
    #expect(properties["values"]?["properties"]?["exposure"]?["maximum"]?.number == 5)
  }
}
