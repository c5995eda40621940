import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import SafelightFiles

/// Sidecars that are no records, each an error that names the file and changes nothing.
@Suite struct BadSidecarTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  enum Call: String, CaseIterable {
    case apply
    case dryRun
    case input
    case export
    case revert

    func run(_ photo: Photo, by editor: PhotoEditor, in folder: PhotoFolder) async throws {
      switch self {
      case .apply: _ = try await editor.apply(.named("noir"), to: photo)
      case .dryRun: _ = try await editor.apply(.named("noir"), to: photo, dryRun: true)
      case .input: _ = try await editor.contentEditingInput(for: photo)
      case .export:
        _ = try await editor.export(
          photo, to: folder.path.appending("out.png"), as: RenderOutput(format: .png))
      case .revert: _ = try await editor.revertAssetContentToOriginal(photo)
      }
    }
  }

  @Test(
    arguments: [
      ("sidecar-empty.aae", "cannot be read as a sidecar: it is empty."),
      ("sidecar-not-xml.aae", "cannot be read as a sidecar: line 1: "),
      ("sidecar-binary.aae", "it is a binary property list, and only the XML form is read."),
      ("sidecar-another-photo.aae", "belongs to another photo, which was called another.jpg."),
    ], Call.allCases)
  func aSidecarThatIsNoneOfThisPhotoIsAnError(sidecar: (String, String), call: Call) async throws {
    let photo = try folder.add("gradients/chart.png")
    try folder.add("bad/\(sidecar.0)", as: "chart.png.aae")
    let before = try folder.traces
    let error = await #expect(throws: EditError.self) {
      try await call.run(photo, by: editor, in: folder)
    }
    let path = folder.path.appending("chart.png.aae")
    #expect(error?.description.hasPrefix(path.string) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains(sidecar.1) == true, "\(error?.description ?? "")")
    try #expect(folder.traces == before)
  }

  @Test(arguments: Call.allCases)
  func aHugeSidecarIsAnErrorBeforeItIsRead(call: Call) async throws {
    let photo = try folder.add("gradients/chart.png")
    folder.put([], as: "chart.png.aae")
    let path = folder.path.appending("chart.png.aae")
    #expect(truncate(path.string, (64 << 20) + 1) == 0)
    let error = await #expect(throws: EditError.self) {
      try await call.run(photo, by: editor, in: folder)
    }
    #expect(
      error
        == .storage(.recordUnreadable(path, .tooLarge(size: 67_108_865, limit: 67_108_864))))
    #expect(folder.names == ["chart.png", "chart.png.aae"])
  }

  @Test(arguments: Call.allCases)
  func aRecordOfANewerFormIsAnError(call: Call) async throws {
    let photo = try folder.add("gradients/chart.png")
    _ = try await editor.apply(.named("noir"), to: photo)
    let text = try folder.text("chart.png.aae")
    let key = "<key>recordVersion</key>\n\t\t<integer>"
    #expect(text.contains(key + "1<"))
    folder.put(
      Array(text.replacing(key + "1<", with: key + "4<").utf8), as: "chart.png.aae")
    let before = try folder.traces
    await #expect(
      throws: EditError.storage(
        .recordUnreadable(folder.path.appending("chart.png.aae"), .newerVersion(4)))
    ) { try await call.run(photo, by: editor, in: folder) }
    try #expect(folder.traces == before)
  }

  @Test func aFolderInPlaceOfTheSidecarIsAnError() async throws {
    let photo = try folder.add("gradients/chart.png")
    let path = folder.path.appending("chart.png.aae")
    #expect(mkdir(path.string, 0o755) == 0)
    let error = await #expect(throws: EditError.self) {
      try await editor.apply(.named("noir"), to: photo)
    }
    #expect(
      error?.description == "\(photo.path): \(path) could not be opened: it is a folder.")
    #expect(folder.names == ["chart.png", "chart.png.aae"])
  }
}
