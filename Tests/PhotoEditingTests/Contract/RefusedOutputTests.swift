import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

/// Outputs that a commit refuses, leaving everything as it was.
@Suite struct RefusedOutputTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  /// What an output lacks.
  struct Flaw: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var data: AdjustmentData? = ThirdParty.a.data("good")
    var render: String? = ThirdParty.i1
    let isExpected: @Sendable (EditError.OutputProblem) -> Bool

    static let all = [
      Flaw(testDescription: "no data", data: nil) { $0 == .noAdjustmentData },
      Flaw(testDescription: "empty data", data: ThirdParty.a.data("")) { $0 == .noAdjustmentData },
      Flaw(testDescription: "more than 8 MiB of data", data: .filler(8 << 20 | 1)) {
        $0 == .adjustmentDataTooLarge(8_388_609)
      },
      Flaw(testDescription: "no identifier", data: ThirdParty(identifier: "").data("good")) {
        $0 == .noFormat
      },
      Flaw(testDescription: "no version", data: ThirdParty.a.data("good", version: "")) {
        $0 == .noFormat
      },
      Flaw(testDescription: "no render", render: nil) { $0 == .noRender },
      Flaw(testDescription: "empty render", render: "bad/empty.jpg") { $0 == .noRender },
      Flaw(testDescription: "text as render", render: "bad/text.jpg") {
        $0 == .badRender(.notAPicture)
      },
      Flaw(testDescription: "truncated render", render: "bad/truncated.jpg") {
        if case .badRender(.damaged) = $0 { true } else { false }
      },
      Flaw(testDescription: "PNG as render", render: "gradients/chart.png") {
        if case .badRender(.unsupportedFormat("PNG", _)) = $0 { true } else { false }
      },
      Flaw(testDescription: "render lying down", render: "orientation/6.jpg") {
        $0 == .badRender(.notUpright(orientation: 6))
      },
      Flaw(testDescription: "render of too many pixels", render: "bad/huge-header.jpg") {
        if case .badRender(.tooManyPixels) = $0 { true } else { false }
      },
    ]
  }

  @Test(arguments: Flaw.all, [false, true])
  func nothingChangesWhenAnOutputIsRefused(flaw: Flaw, isEdited: Bool) async throws {
    let photo = try folder.add("beach.jpg")
    if isEdited { _ = try await editor.apply(.named("noir"), to: photo) }
    let before = try folder.traces
    let input = try await ThirdParty.a.input(photo)
    let output = ContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = flaw.data
    if let render = flaw.render {
      try Data(Fixtures.bytes(render)).write(to: output.renderedContentURL)
    }

    let error = await #expect(throws: EditError.self) { try await editor.commit(output) }
    guard case .outputRefused(photo.path, let problem) = error else {
      Issue.record("Unexpected: \(error.map { "\($0)" } ?? "no error")")
      return
    }
    #expect(flaw.isExpected(problem), "\(problem)")
    #expect(error?.description.hasPrefix("The edit of \(photo.path) was refused: ") == true)
    #expect(error?.code == "output-refused")
    try #expect(folder.traces == before)
  }

  @Test func eightMebibytesOfDataAreTaken() async throws {
    let photo = try folder.add("orientation/1.jpg")
    let input = try await ThirdParty.a.input(photo)
    _ = try await editor.commit(
      ThirdParty.a.output(for: input, .filler(8 << 20), render: ThirdParty.i1))
    try #expect(Sidecar(folder, "1.jpg.aae").data?.count == 8 << 20)
  }

  @Test func anIdentifierThatNoSidecarCanCarryIsRefused() async throws {
    let photo = try folder.add("beach.jpg")
    let before = try folder.traces
    let input = try await ThirdParty.a.input(photo)
    let output = try ThirdParty.a.output(
      for: input, ThirdParty(identifier: "com.example.\u{7}").data("x"), render: ThirdParty.i1)
    await #expect(throws: EditError.storage(.unwritableText("com.example.\u{7}"))) {
      try await editor.commit(output)
    }
    try #expect(folder.traces == before)
  }

  /// What somebody else does to the photo between input and output.
  enum Meanwhile: String, CaseIterable {
    case edit
    case secondEdit
    case sameEdit
    case revert
    case anotherOriginal
  }

  @Test(arguments: Meanwhile.allCases)
  func anOutputForAnOlderStateOfThePhotoIsRefused(meanwhile: Meanwhile) async throws {
    let photo = try folder.add("beach.jpg")
    if [.secondEdit, .sameEdit, .revert].contains(meanwhile) {
      try await ThirdParty.b.edit(photo, "first", render: ThirdParty.i2)
    }
    let input = try await ThirdParty.a.input(photo)
    switch meanwhile {
    case .edit: _ = try await editor.apply(.named("noir"), to: photo)
    case .secondEdit: try await ThirdParty.b.edit(photo, "second", render: ThirdParty.i3)
    case .sameEdit: try await ThirdParty.b.edit(photo, "first", render: ThirdParty.i3)
    case .revert: _ = try await editor.revertAssetContentToOriginal(photo)
    case .anotherOriginal: try folder.add("progressive.jpg", as: "beach.jpg")
    }
    let before = try folder.traces

    let output = try ThirdParty.a.output(
      for: input, ThirdParty.a.data("late"), render: ThirdParty.i1)
    let error = await #expect(throws: EditError.self) { try await editor.commit(output) }
    #expect(error == .inputOutdated(photo.path))
    #expect(error?.code == "input-outdated")
    try #expect(folder.traces == before)
  }

  @Test func oneInputServesOneCommit() async throws {
    let photo = try folder.add("beach.jpg")
    let input = try await ThirdParty.a.input(photo)
    let output = try ThirdParty.a.output(
      for: input, ThirdParty.a.data("once"), render: ThirdParty.i1)
    _ = try await editor.commit(output)
    await #expect(throws: EditError.inputOutdated(photo.path)) { try await editor.commit(output) }
  }
}

extension AdjustmentData {
  /// An edit of so many bytes.
  fileprivate static func filler(_ count: Int) -> AdjustmentData {
    AdjustmentData(
      formatIdentifier: "com.example.a", formatVersion: "1.0",
      data: Data(repeating: 7, count: count))
  }
}
