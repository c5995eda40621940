import PhotoEditing

/// Something that is chosen to be loaded.
public enum SelectionItem: Sendable, Hashable {
  /// The asset of this local identifier.
  case identifier(String)
  /// An asset.
  case asset(Asset)
  /// A photo's file, in the library or not; it is shown with the edit that lies beside it.
  case file(FilePath)
}

/// Why a selection was not loaded: the one of its items that failed, and what was wrong with it.
public struct SelectionError: Error, Equatable {
  /// What can be wrong with an item.
  public enum Reason: Sendable, Equatable {
    /// It could not be fetched: there is no such asset, it does not show to this client, or its file
    /// is missing, unreadable or damaged. Leave it out, or mend it.
    case fetch(PhotoLibraryError)
    /// It is no photo that can be shown. Leave it out, or convert it.
    case type(RenderError)
    /// The task was cancelled while this item was loaded, or waited for its turn.
    case cancelled
  }

  /// Where it stands in the selection, from 0.
  public let index: Int
  /// The item.
  public let item: SelectionItem
  /// What was wrong.
  public let reason: Reason
}

extension SelectionError.Reason {
  init(_ error: PhotoLibraryError) {
    self =
      switch error {
      case .userCancelled: .cancelled
      case .editing(.render(_, let error)) where error.isAboutTheType: .type(error)
      default: .fetch(error)
      }
  }
}

extension SelectionError: CustomStringConvertible {
  /// What happened, in one sentence that names the item.
  public var description: String {
    let name =
      switch item {
      case .identifier(let identifier): identifier
      case .asset(let asset): asset.path.string
      case .file(let path): path.string
      }
    return switch reason {
    case .fetch(.editing(let error)): "Item \(index + 1) failed: \(error.description)"
    case .fetch(.identifierNotFound): "Item \(index + 1), \(name), is not in the library."
    case .fetch(.accessUserDenied), .fetch(.accessRestricted), .fetch(.accessNotDetermined):
      "Item \(index + 1), \(name), may not be seen."
    case .fetch(let error): "Item \(index + 1), \(name), could not be fetched: \(error.description)"
    case .type(let error): "Item \(index + 1), \(name), is no photo: \(error.description)"
    case .cancelled: "Loading was cancelled at item \(index + 1), \(name)."
    }
  }
}

extension RenderError {
  /// Whether the file is not of a kind that can be shown; otherwise it is, but something is wrong with
  /// it.
  fileprivate var isAboutTheType: Bool {
    switch self {
    case .empty, .notAPicture, .unsupportedFormat, .missingDecoder: true
    default: false
    }
  }
}
