import PhotoEditing

/// The pictures of a photo before and after its edit, for a report.
struct ReportPictures: Sendable, Equatable {
  /// The picture without the edit; `nil` when there is none.
  var before: FilePath?
  /// The picture with the edit.
  var after: FilePath?
  /// The filters that the photo has, for choosing among the report's entries.
  var filter: String?

  /// The longer side of the pictures, in pixels.
  static let longestSide = 1000

  /// Makes the pictures of a photo. Failures are ignored, because a report must not fail a photo.
  ///
  /// - Returns: What was made.
  func made(of photo: FilePath, by editor: PhotoEditor) async -> ReportPictures {
    let asset = Photo(path: photo)
    let output = RenderOutput(format: .jpeg, quality: 85, longestSide: Self.longestSide)
    func isWritten(_ path: FilePath?, showingEdit: Bool) async -> Bool {
      guard let path, Self.mayWrite(path) else { return false }
      let result = try? await editor.export(
        asset, to: path, as: output, showingEdit: showingEdit, existing: .replaced)
      return result != nil
    }
    let edit = try? await editor.state(of: asset).edit
    let isBefore = await isWritten(before, showingEdit: false)
    let isAfter = edit == nil ? false : await isWritten(after, showingEdit: true)
    let filters = edit?.stack?.entries.compactMap { ($0.adjustment as? AppliedFilter)?.name }
    return ReportPictures(
      before: isBefore ? before : nil, after: isAfter ? after : nil,
      filter: filters?.isEmpty == false ? filters?.joined(separator: ", ") : nil)
  }
}

extension ReportPictures {
  /// Whether nothing stands at a path but a picture of an earlier report.
  private static func mayWrite(_ path: FilePath) -> Bool {
    let rule = OutputRule()
    do {
      try rule.check(path, replacing: false) { try rule.original(of: path) != nil }
      return true
    } catch {
      return false
    }
  }
}
