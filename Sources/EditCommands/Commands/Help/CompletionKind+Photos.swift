import PhotoEditing
import SafelightArguments

extension CompletionKind {
  /// Photos, by the endings of their names, without renders and base photos where there are others.
  static let photos = file(extensions: endings, ignoring: renders)

  /// Photos, and the sidecars of their edits.
  static let photosAndSidecars = file(
    extensions: endings + ["aae"], ignoring: renders)

  private static let renders = ["_edited.jpg", "_edited-*.jpg", "_base.jpg"]

  private static let endings = [
    "jpg", "jpeg", "jpe", "png", "tif", "tiff", "webp", "heic", "heif", "hif", "avif",
  ]

  /// Filters by name, shipped and the user's own.
  static let filters = custom { _, _, _ in filterCandidates(Filter.shipped) + ownFilters }

  /// Filters by name, and the files that may stand in their place.
  static let filtersAndFiles = anyOf([filters, file(extensions: ["cube", "json", "png", "tif"])])

  /// The filters that the user saved.
  static let userFilters = custom { _, _, _ in ownFilters }

  /// Adjustments by id or by an option of `edit adjust`.
  static let adjustments = custom { _, _, _ in
    AdjustmentDescription.all.map { adjustment in
      CompletionCandidate(adjustment.id, adjustment.summary, section: adjustment.group.rawValue)
    }
  }

  /// Ids of adjustments with commas between, none twice.
  static let adjustmentList = custom { _, _, typed in
    let ids = typed.split(separator: ",", omittingEmptySubsequences: false).dropLast()
    let start = ids.map { $0 + "," }.joined()
    return AdjustmentDescription.all.filter { !ids.contains(Substring($0.id)) }.map { adjustment in
      CompletionCandidate(
        start + adjustment.id, adjustment.summary, section: adjustment.group.rawValue)
    }
  }

  private static var ownFilters: [CompletionCandidate] {
    // A folder that cannot be read offers nothing; “edit filters” says why.
    filterCandidates((try? CommandSurroundings.userFilters.list())?.filters ?? [], "own filters")
  }

  private static func filterCandidates(
    _ filters: [Filter], _ section: String = "filters"
  ) -> [CompletionCandidate] {
    filters.map { CompletionCandidate($0.name, $0.summary, section: section) }
  }
}
