import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

/// Pictures of edits that are no photo's edit yet.
@Suite struct ContentRenderingTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test func aFilterIsShownWithoutACommit() async throws {
    let photo = try folder.add("beach.jpg")
    let before = try folder.traces
    let input = try await editor.contentEditingInput(for: photo)
    let plain = try await input.displayImage()
    #expect(plain.size == input.pixelSize)
    let noir = try await input.displayImage(applying: Filter.named("noir").applied())
    #expect(noir.size == plain.size && noir != plain)
    // Black and white: all three codes of each pixel are equal.
    let pixels = noir.pixels
    var colored = 0
    for place in stride(from: 0, to: pixels.count, by: 3)
    where pixels[place] != pixels[place + 1] || pixels[place] != pixels[place + 2] {
      colored += 1
    }
    #expect(colored == 0)
    let small = try await input.displayImage(
      applying: Filter.named("noir").applied(), fitting: PixelSize(width: 60, height: 60))
    #expect(max(small.width, small.height) == 60)
    try #expect(folder.traces == before)
  }

  /// Photos that lie on their side are shown upright, and an edit of geometry has its size.
  @Test func picturesAreUpright() async throws {
    let input = try await editor.contentEditingInput(for: folder.add("orientation/6.jpg"))
    #expect(try await input.displayImage().size == PixelSize(width: 96, height: 64))
    var turned = EditStack()
    try turned.adjust(Adjustments.Rotate.self) { $0.amount = .right }
    #expect(
      try await input.displayImage(applying: turned).size == PixelSize(width: 64, height: 96))
  }

  /// The picture in memory is the picture that the commit makes, but for the loss of the JPEG: codes of the
  /// render at quality 100 differ by rounding in YCbCr alone, by 1 to 2 in the mean of a channel at most.
  @Test func theRenderIsTheSamePicture() async throws {
    let photo = try folder.add("beach.jpg")
    let input = try await editor.contentEditingInput(for: photo)
    let edit = EditStack.sepia
    let shown = try await input.displayImage(applying: edit)
    let output = ContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = ThirdParty.a.data("sepia")
    try Data("in the way".utf8).write(to: output.renderedContentURL)
    try await output.renderContent(applying: edit, quality: 100)
    try await editor.commit(output)
    let render = try await editor.contentEditingInput(for: photo)
    #expect(render.fullSizeImagePath.lastComponent == "beach_edited.jpg")
    let committed = try await render.displayImage()
    #expect(committed.size == shown.size)
    let difference = zip(shown.pixels, committed.pixels).map { abs(Int($0) - Int($1)) }
    #expect(Double(difference.reduce(0, +)) / Double(difference.count) < 2)
    // The temporary folder has the render alone.
    let names = try FileManager.default.contentsOfDirectory(
      atPath: output.renderedContentURL.deletingLastPathComponent().path)
    #expect(names == ["render.jpg"])
  }

  @Test func theRenderOfAFilterCanBeCommitted() async throws {
    let photo = try folder.add("beach.jpg")
    let input = try await editor.contentEditingInput(for: photo)
    let output = ContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = ThirdParty.a.data("fade")
    try await output.renderContent(applying: Filter.named("fade").applied(intensity: 0.5))
    #expect(try await editor.commit(output).status == .edited)
    #expect(try await editor.state(of: photo).warnings.isEmpty)
  }

  @Test func impossibleSizesAndOutputsWithoutAnInputAreErrors() async throws {
    let input = try await editor.contentEditingInput(for: folder.add("beach.jpg"))
    for size in [PixelSize(width: 0, height: 9), PixelSize(width: 9, height: -1)] {
      await #expect(throws: EditError.self) { _ = try await input.displayImage(fitting: size) }
    }
    let output = ContentEditingOutput(createdPhoto: "new")
    let refusal = EditError.outputRefused(path: output.renderedContentPath, problem: .noInput)
    await #expect(throws: refusal) { try await output.renderContent(applying: EditStack()) }
    await #expect(throws: refusal) {
      try await output.renderContent(applying: Filter.named("noir").applied())
    }
  }
}

extension EditStack {
  fileprivate static var sepia: EditStack {
    var stack = EditStack()
    try? stack.setFilter(Filter.named("sepia").applied())
    return stack
  }
}
