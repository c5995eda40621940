import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

/// A dry run reports what the call itself then reports, and changes nothing.
@Suite struct DryRunTests {
  /// A call that can be made as a dry run, on a photo in a state.
  struct Call: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The edits that the photo has, with a version saved before the last.
    var edits = ["noir", "sepia"]
    var prepare: @Sendable (PhotoFolder, Photo) async throws -> Void = { _, _ in }
    let run: @Sendable (Photo, _ to: FilePath, _ dryRun: Bool) async throws -> EditResult

    /// The same call on a photo that something else happened to.
    func after(
      _ prepare: @escaping @Sendable (PhotoFolder, Photo) async throws -> Void
    ) -> Call {
      var call = self
      call.prepare = prepare
      return call
    }
  }

  private static let editor = PhotoEditor.test()

  private static let output = RenderOutput(format: .png)

  /// Somebody retouches the render.
  @Sendable private static func retouch(_ folder: PhotoFolder, _ photo: Photo) throws {
    folder.put(try Fixtures.bytes("orientation/1.jpg"), as: "chart_edited.jpg")
  }

  private static let calls: [Call] = [
    Call(testDescription: "apply", edits: []) { photo, _, dryRun in
      try await editor.apply(.named("noir"), to: photo, dryRun: dryRun)
    },
    Call(testDescription: "apply on top") { photo, _, dryRun in
      try await editor.apply(.named("noir"), .adding, to: photo, dryRun: dryRun)
    },
    Call(testDescription: "apply the same") { photo, _, dryRun in
      try await editor.apply(.named("sepia"), to: photo, dryRun: dryRun)
    },
    Call(testDescription: "apply over a retouched render") { photo, _, dryRun in
      try await editor.apply(.named("noir"), to: photo, dryRun: dryRun)
    }.after(retouch),
    Call(testDescription: "apply to what is no picture", edits: []) { photo, _, dryRun in
      try await editor.apply(.named("noir"), to: photo, dryRun: dryRun)
    }.after { folder, _ in folder.put(Array("text".utf8), as: "chart.png") },
    Call(testDescription: "adjust") { photo, _, dryRun in
      try await editor.adjust(photo, dryRun: dryRun) { edit throws(AdjustmentError) in
        try edit.adjust(Adjustments.Saturation.self) { $0.amount = 0.2 }
      }
    },
    Call(testDescription: "take everything away", edits: ["noir"]) { photo, _, dryRun in
      try await editor.adjust(photo, dryRun: dryRun) { $0 = EditStack() }
    },
    Call(testDescription: "crop") { photo, _, dryRun in
      try await editor.crop(photo, to: .aspect(width: 1, height: 1, .center), dryRun: dryRun)
    },
    Call(testDescription: "undo") { photo, _, dryRun in
      try await editor.undo(photo, dryRun: dryRun)
    },
    Call(testDescription: "undo nothing", edits: []) { photo, _, dryRun in
      try await editor.undo(photo, dryRun: dryRun)
    },
    Call(testDescription: "undo over a retouched render") { photo, _, dryRun in
      try await editor.undo(photo, dryRun: dryRun)
    }.after(retouch),
    Call(testDescription: "redo") { photo, _, dryRun in
      try await editor.redo(photo, dryRun: dryRun)
    }.after { _, photo in try await editor.undo(photo, steps: 2) },
    Call(testDescription: "go to the photo without edits") { photo, _, dryRun in
      try await editor.goToStep(0, ofHistoryOf: photo, dryRun: dryRun)
    },
    Call(testDescription: "go to a step that is not there") { photo, _, dryRun in
      try await editor.goToStep(7, ofHistoryOf: photo, dryRun: dryRun)
    },
    Call(testDescription: "save a version") { photo, _, dryRun in
      try await editor.saveVersion(named: "new", of: photo, dryRun: dryRun)
    },
    Call(testDescription: "save a version over another") { photo, _, dryRun in
      try await editor.saveVersion(named: "Kept", of: photo, replacing: true, dryRun: dryRun)
    },
    Call(testDescription: "save a version under a name that is taken") { photo, _, dryRun in
      try await editor.saveVersion(named: "kept", of: photo, dryRun: dryRun)
    },
    Call(testDescription: "use a version") { photo, _, dryRun in
      try await editor.useVersion(named: "kept", of: photo, dryRun: dryRun)
    },
    Call(testDescription: "use a version without its render") { photo, _, dryRun in
      try await editor.useVersion(named: "kept", of: photo, dryRun: dryRun)
    }.after { folder, _ in folder.remove("chart_edited-kept.jpg") },
    Call(testDescription: "remove a version") { photo, _, dryRun in
      try await editor.removeVersion(named: "kept", of: photo, dryRun: dryRun)
    },
    Call(testDescription: "remove a version that is not there") { photo, _, dryRun in
      try await editor.removeVersion(named: "new", of: photo, dryRun: dryRun)
    },
    Call(testDescription: "revert", edits: ["noir"]) { photo, _, dryRun in
      try await editor.revertAssetContentToOriginal(photo, dryRun: dryRun)
    },
    Call(testDescription: "revert nothing", edits: []) { photo, _, dryRun in
      try await editor.revertAssetContentToOriginal(photo, dryRun: dryRun)
    },
    Call(testDescription: "revert and keep the render") { photo, _, dryRun in
      try await editor.revertAssetContentToOriginal(
        photo, keepingRender: true, droppingVersions: true, dryRun: dryRun)
    },
    Call(testDescription: "revert a photo with versions") { photo, _, dryRun in
      try await editor.revertAssetContentToOriginal(photo, dryRun: dryRun)
    },
    Call(testDescription: "revert a retouched render", edits: ["noir"]) { photo, _, dryRun in
      try await editor.revertAssetContentToOriginal(photo, dryRun: dryRun)
    }.after(retouch),
    Call(testDescription: "revert to another program's sidecar", edits: []) { photo, _, dryRun in
      try await editor.revertAssetContentToOriginal(photo, dryRun: dryRun)
    }.after { folder, photo in
      folder.put(try Fixtures.bytes("bad/apple.aae"), as: "chart.png.aae")
      try await editor.apply(.named("noir"), to: photo)
    },
    Call(testDescription: "render again") { photo, _, dryRun in
      try await editor.renderAgain(photo, dryRun: dryRun)
    }.after { folder, _ in folder.remove("chart_edited.jpg") },
    Call(testDescription: "render what is up to date") { photo, _, dryRun in
      try await editor.renderAgain(photo, dryRun: dryRun)
    },
    Call(testDescription: "render another program's edit again", edits: []) { photo, _, dryRun in
      try await editor.renderAgain(photo, dryRun: dryRun)
    }.after { folder, photo in
      try await ThirdParty.a.edit(photo, "a", render: ThirdParty.i1)
      folder.remove("chart_edited.jpg")
    },
    Call(testDescription: "edit a render") { photo, _, dryRun in
      let render = photo.path.removingLastComponent().appending("chart_edited.jpg")
      return try await editor.apply(.named("noir"), to: Photo(path: render), dryRun: dryRun)
    },
    Call(testDescription: "export") { photo, path, dryRun in
      try await editor.export(photo, to: path, as: output, dryRun: dryRun)
    },
    Call(testDescription: "export without the edit") { photo, path, dryRun in
      try await editor.export(photo, to: path, as: output, showingEdit: false, dryRun: dryRun)
    },
    Call(testDescription: "export over the photo") { photo, _, dryRun in
      try await editor.export(
        photo, to: photo.path, as: output, existing: .replaced, dryRun: dryRun)
    },
    Call(testDescription: "compare") { photo, path, dryRun in
      try await editor.exportComparison(of: photo, to: path, as: output, dryRun: dryRun)
    },
    Call(testDescription: "compare without an edit", edits: []) { photo, path, dryRun in
      try await editor.exportComparison(of: photo, to: path, as: output, dryRun: dryRun)
    },
    Call(testDescription: "a contact sheet") { photo, path, dryRun in
      try await editor.exportContactSheet(
        of: photo, with: Array(Filter.shipped.prefix(2)), to: path, as: output, dryRun: dryRun)
    },
  ]

  @Test(arguments: calls)
  func aDryRunReportsWhatTheCallReports(call: Call) async throws {
    let folder = PhotoFolder()
    let photo = try folder.add("gradients/chart.png")
    for (number, edit) in call.edits.enumerated() {
      try await Self.editor.apply(.named(edit), to: photo)
      if number == 0, call.edits.count > 1 {
        try await Self.editor.saveVersion(named: "kept", of: photo)
      }
    }
    try await call.prepare(folder, photo)
    let before = try folder.traces
    let path = folder.path.appending("out.png")

    let planned = await Self.outcome { try await call.run(photo, path, true) }
    try #expect(folder.traces == before)
    let done = await Self.outcome { try await call.run(photo, path, false) }
    #expect(planned == done)
  }

  @Test func aDryRunOfRelinkingReportsWhatRelinkingReports() async throws {
    let folder = PhotoFolder()
    let photo = try folder.add("gradients/chart.png")
    try await Self.editor.apply(.named("noir"), to: photo)
    let moved = folder.path.appending("moved.png")
    folder.put(try #require(folder.bytes("chart.png")), as: "moved.png")
    folder.remove("chart.png")
    let before = try folder.traces
    let planned = try await Self.editor.relinkings([folder.path], dryRun: true)
    try #expect(folder.traces == before)
    let done = try await Self.editor.relinkings([folder.path])
    #expect(planned == done)
    try #expect(done.first?.get().photo == moved)
  }

  private static func outcome(
    _ call: () async throws -> EditResult
  ) async -> Result<Reported, EditError> {
    do {
      return .success(Reported(try await call()))
    } catch {
      return .failure(error as? EditError ?? .unknownFilter("\(error)"))
    }
  }

  /// A result without what a decoder said, which may be about another test's photo.
  private struct Reported: Equatable {
    let status: EditResult.Status
    let rendered: FilePath?
    let record: FilePath?
    let warnings: [String]
    let step: Int?

    init(_ result: EditResult) {
      (status, rendered, record) = (result.status, result.rendered, result.record)
      (warnings, step) = (result.ownWarnings, result.step)
    }
  }
}
