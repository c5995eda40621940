import Foundation
import SafelightAdjustments
import SafelightMetadata
import SafelightVips

@testable import SafelightRendering

/// A picture that the renderer drew, decoded.
struct DrawnPicture {
  let width: Int
  let height: Int
  let profile: [UInt8]?
  let report: Renderer.Report
  /// 8-bit red, green and blue.
  private let pixels: [UInt8]

  /// Runs the renderer with an output of PNG and a sink.
  init(
    longestSide: Int?,
    _ draw: (RenderOutput, @escaping (UnsafeRawBufferPointer) -> Void) throws -> Renderer.Report
  ) throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("safelight-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    let collector = Collector()
    report = try draw(RenderOutput(format: .png, longestSide: longestSide)) {
      collector.data.append(contentsOf: $0)
    }
    try collector.data.write(to: file)
    let written = OpenFixture(file)
    let image = try Image.open(Source(written.file), as: .png)
    (width, height) = (image.width, image.height)
    profile = image.attachment(.profile)
    pixels = try image.pixelBytes()
  }

  private final class Collector { var data = Data() }

  /// The codes of a part, row after row.
  func codes(_ frame: PictureFrame) -> [Int] {
    var codes: [Int] = []
    for y in frame.top..<frame.bottom {
      let start = (y * width + frame.left) * 3
      codes += pixels[start..<(start + frame.width * 3)].map { Int($0) }
    }
    return codes
  }

  /// Whether a part has the codes of another picture at a place.
  ///
  /// A truth value, so that a failure does not print all codes.
  func hasCodes(_ codes: [Int], of place: PictureFrame, in part: PictureFrame) -> Bool {
    var expected: [Int] = []
    for y in part.top..<part.bottom {
      let start = ((y - place.top) * place.width + part.left - place.left) * 3
      expected += codes[start..<(start + part.width * 3)]
    }
    return codes.count == place.width * place.height * 3 && expected == self.codes(part)
  }

  /// Whether a part has anything but background.
  func hasInk(_ frame: PictureFrame) -> Bool {
    codes(frame).contains { $0 > Int(Canvas.background) + 100 }
  }
}

extension PictureFrame {
  /// Some columns of the frame.
  func columns(_ range: Range<Int>) -> PictureFrame {
    PictureFrame(left: left + range.lowerBound, top: top, width: range.count, height: height)
  }
}

extension OriginalReference {
  /// The original in the metadata of these pictures.
  static let test = OriginalReference(fileName: "a.jpg", sha256: String(repeating: "0", count: 64))
}

extension OpenFixture {
  /// The fixture before and after an edit.
  func comparison(
    _ edit: EditStack, _ arrangement: ComparisonArrangement = .automatic,
    longestSide: Int? = nil, label: String = "edited"
  ) throws -> DrawnPicture {
    let source = source()
    return try DrawnPicture(longestSide: longestSide) { output, sink in
      try Renderer().comparison(
        of: LabeledEdit(source, edit: EditStack(), label: "Original"),
        and: LabeledEdit(source, edit: edit, label: label), arrangement, as: output,
        derivedFrom: .test, to: sink)
    }
  }
}
