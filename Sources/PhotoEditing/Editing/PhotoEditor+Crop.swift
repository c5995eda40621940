import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Crops a photo: renders it and stores the crop in shares of the picture, in place of the one
  /// that is there.
  ///
  /// The area is one of the photo as the rest of its edit turns and straightens it, uncropped.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - area: What to keep; `nil` takes the crop away.
  ///   - quality: 1 to 100, of the rendered JPEG.
  ///   - dryRun: Whether only to find out what would happen; nothing is rendered or written.
  /// - Throws: ``EditError/cropOutside(path:size:_:)`` when the area does not lie in the picture, or
  ///   another ``EditError``; the old edit stands then.
  @discardableResult
  public func crop(
    _ asset: Photo, to area: CropArea?, quality: Int = RenderOutput.standard.quality,
    dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await revise(asset, quality: quality, dryRun: dryRun) { edit, picture in
      try edit.adjust(Crop.self) { crop throws(AdjustmentError) in crop = Crop() }
      guard let area else { return }
      let size = try picture.size(with: edit)
      let crop: Crop
      do throws(AdjustmentError) {
        crop = try Crop(keeping: area, ofWidth: size.width, height: size.height)
      } catch {
        throw EditError.cropOutside(path: asset.path, size: size, error)
      }
      try edit.adjust(Crop.self) { $0 = crop }
    }
  }
}
