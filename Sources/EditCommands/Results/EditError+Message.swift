import PhotoEditing
import SafelightArguments

extension EditError {
  /// What happened and what can be done, in two sentences.
  var message: String { [description, advice].compactMap(\.self).joined(separator: " ") }

  /// What can be done on the command line; for a mistyped filter, the one that may have been meant.
  var advice: String? {
    switch self {
    case .unknownFilter(let name):
      nearest(to: name, among: Self.filterNames).map { "Did you mean “\($0)”?" } ?? hint
    case .unusableLookupTable(let path, .notHald):
      // Who forgets the filter gets here with the first photo.
      """
      If it is a photo, put a filter before it, as in “edit apply noir \(path)”; a HaldCLUT needs \
      its own size.
      """
    case .storage(.versionMissing(_, let name, let present)):
      nearest(to: name, among: present).map { "Did you mean “\($0)”?" } ?? hint
    default: hint
    }
  }

  /// The names of all filters; when the user's cannot be read, of those that ship.
  private static var filterNames: [String] {
    let own = try? CommandSurroundings.userFilters.list().filters
    return (Filter.shipped + (own ?? [])).map(\.name)
  }
}
