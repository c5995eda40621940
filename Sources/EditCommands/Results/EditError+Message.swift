import Arguments
import PhotoEditing

extension EditError {
  /// What happened and what can be done, in two sentences.
  var message: String { [description, advice].compactMap(\.self).joined(separator: " ") }

  /// What can be done; for a mistyped filter, the one that may have been meant.
  var advice: String? {
    guard case .unknownFilter(let name) = self,
      let near = nearest(to: name, among: Self.filterNames)
    else { return hint }
    return "Did you mean “\(near)”?"
  }

  /// The names of all filters; when the user's cannot be read, of those that ship.
  private static var filterNames: [String] {
    let own = try? CommandSurroundings.userFilters.list().filters
    return (Filter.shipped + (own ?? [])).map(\.name)
  }
}
