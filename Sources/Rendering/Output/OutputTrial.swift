import SafelightAdjustments
import SafelightVips

extension RenderOutput {
  /// Whether it names files, or a text to draw, which may not do for a picture.
  package var needsTrial: Bool { hasWatermark || profile.attachment != nil }

  /// The profile that lcms2 converts to; `nil` for the photo's own, and for plain ones, where only the absolute intent is
  /// not what Safelight's own way gives.
  var convertedProfile: OutputAttachment? {
    if intent != .absolute, profile.coding != nil { return nil }
    return profile.attachment
      ?? profile.bytes.map { OutputAttachment(name: "itself", bytes: $0) }
  }
}

/// Finding out what rendering would refuse, without the picture.
extension Renderer {
  /// Throws what keeps every picture from being written as an output asks.
  ///
  /// - Throws: ``RenderError``, as rendering does.
  package func tryOutput(_ output: RenderOutput) throws {
    do {
      // As long a line as a watermark may have fits here.
      let size = PixelSize(width: 4096, height: 256)
      let gray = [UInt8](repeating: 128, count: 3 * size.width * size.height)
      var picture = RenderedPicture(
        try Image.fromMemory(
          gray, width: size.width, height: size.height, bands: 3, format: .uint8))
      picture.isGray = true
      let conversion = try output.convertedProfile.map {
        try picture.conversion(from: .sRGB, to: $0, for: output)
      }
      guard output.hasWatermark else { return }
      _ = try Watermark(
        output, on: size, in: output.profile.coding ?? .sRGB, converted: conversion)
    } catch let error as VipsError {
      throw RenderError.failed(detail: error.description)
    }
  }

  /// Throws what keeps a photo's picture from being written as an output asks: by a small picture with the watermark of
  /// the large one.
  ///
  /// - Throws: ``RenderError`` or `CancellationError`, as rendering does.
  package func tryOutput(
    _ output: RenderOutput, of opened: OpenedPhoto, edit stack: EditStack,
    cancellation: RenderCancellation? = nil
  ) throws {
    let asked = try RenderPlan(stack)
    let (plan, scale) = try asked.sized(for: output, of: opened.uprightSize)
    let size = plan.size(of: opened.uprightSize.scaled(by: scale), scale: scale)
    var small = RenderOutput(format: output.format, longestSide: 64)
    (small.profile, small.intent, small.blackPoint) = (
      output.profile, output.intent, output.blackPoint
    )
    do {
      let finished = try finished(opened, asked, as: small, cancellation: cancellation)
      guard output.hasWatermark else { return }
      _ = try finished.watermark(of: output, on: size)
    } catch let error as VipsError {
      throw RenderError(error, decoding: opened.format)
    }
  }
}
