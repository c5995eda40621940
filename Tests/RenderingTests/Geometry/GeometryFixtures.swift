import SafelightAdjustments

@testable import SafelightRendering
@testable import SafelightRenderingReference

extension OpenFixture {
  /// The fixture rendered without loss, as an array.
  func raster(of stack: EditStack) throws -> Raster {
    let (image, codes) = try pixels(stack)
    return Raster(width: image.width, height: image.height, codes: codes)
  }

  /// The fixture rendered without loss, as an array.
  func raster(_ adjustments: any Adjustment...) throws -> Raster {
    let (image, codes) = try pixels(EditStack(adjustments))
    return Raster(width: image.width, height: image.height, codes: codes)
  }

  /// The size of a render with a limit for the longer side.
  func previewSize(_ stack: EditStack, longestSide: Int) throws -> [Int] {
    let report = try Renderer().render(
      source(), edit: stack, as: RenderOutput(format: .png, longestSide: longestSide),
      derivedFrom: .init(fileName: name, sha256: ""), to: { _ in })
    return [report.pixelWidth, report.pixelHeight]
  }
}

extension Crop {
  /// The crop of a rectangle in shares.
  init(x: Double, y: Double, width: Double, height: Double) {
    self.init()
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

extension Straighten {
  init(_ degrees: Double) {
    self.init()
    amount = degrees
  }
}

extension Perspective {
  init(vertical: Double, horizontal: Double) {
    self.init()
    (self.vertical, self.horizontal) = (vertical, horizontal)
  }
}
