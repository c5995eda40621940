import Arguments
import PhotoEditing

extension EditError {
  /// What happened and what can be done, in two sentences.
  var message: String { [description, advice].compactMap(\.self).joined(separator: " ") }

  /// What can be done; for a mistyped filter, the one that may have been meant.
  var advice: String? {
    guard case .unknownFilter(let name) = self,
      let near = nearest(to: name, among: Filter.shipped.map(\.name))
    else { return hint }
    return "Did you mean “\(near)”?"
  }
}
