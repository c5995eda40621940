import FoundationEssentials
import PhotoEditing
import SafelightFiles

/// One item of a selection whose pictures are loaded.
///
/// ```swift
/// let items: [SelectionItem] = [.asset(asset), .file("beach.jpg")]
/// let images = try await library.loadImages(for: items)
/// ```
public enum SelectionItem: Sendable, Hashable {
  /// The asset with this local identifier.
  case identifier(String)
  /// An asset.
  case asset(Asset)
  /// A photo's file, in the library or not. The picture shows the edit in the sidecar beside it.
  case file(FilePath)
}

/// Why a selection was not loaded: the item that failed, and the reason.
public struct SelectionError: Error, Equatable {
  /// Why an item failed.
  public enum Reason: Sendable, Equatable {
    /// The item could not be fetched: the asset does not exist, this client may not see it, or its file
    /// is missing, unreadable or damaged. Leave the item out, or repair it.
    case fetch(PhotoLibraryError)
    /// The file is no photo that can be shown. Leave the item out, or convert it.
    case type(RenderError)
    /// The task was cancelled while this item was loading or waiting.
    case cancelled
  }

  /// The item's position in the selection, from 0.
  public let index: Int
  /// The item.
  public let item: SelectionItem
  /// Why the item failed.
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
      case .asset(let asset): asset.path.description
      case .file(let path): path.description
      }
    return switch reason {
    case .fetch(.editing(let error)): "Item \(index + 1) failed: \(error.description)"
    case .fetch(.identifierNotFound), .fetch(.objectOfAnotherLibrary):
      "Item \(index + 1), \(name), is not in the library."
    case .fetch(.accessUserDenied), .fetch(.accessRestricted), .fetch(.accessNotDetermined):
      "Item \(index + 1), \(name), may not be seen."
    case .fetch(let error): "Item \(index + 1), \(name), could not be fetched: \(error.description)"
    case .type(let error): "Item \(index + 1), \(name), is no photo: \(error.description)"
    case .cancelled: "Loading was cancelled at item \(index + 1), \(name)."
    }
  }
}

extension RenderError {
  /// Whether the file is of a kind that cannot be shown; otherwise a file of a good kind failed.
  fileprivate var isAboutTheType: Bool {
    switch self {
    case .empty, .notAPicture, .unsupportedFormat, .missingDecoder: true
    default: false
    }
  }
}

/// A selection whose items have been looked up, ready to be loaded.
struct SelectionPlan: Sendable {
  let items: [SelectionItem]
  let subjects: [PictureSubject]
  let source: ImageSource
  let request: PictureRequest
  /// How many items are loading or loaded at once: enough to keep all cores busy, and no more pictures
  /// in memory.
  let window = 2 * WorkQueue.cores

  /// Looks up all identifiers in one fetch.
  ///
  /// - Throws: ``SelectionError`` for the first item that does not exist.
  init(
    _ items: [SelectionItem], in library: PhotoLibrary, _ request: PictureRequest
  ) throws(SelectionError) {
    self.items = items
    self.request = request
    source = ImageSource(library)
    subjects = try Self.subjects(of: items, in: library)
  }

  private static func subjects(
    of items: [SelectionItem], in library: PhotoLibrary
  ) throws(SelectionError) -> [PictureSubject] {
    let identifiers = Set(items.compactMap(\.identifier))
    var assets: [String: Asset] = [:]
    if !identifiers.isEmpty {
      do throws(PhotoLibraryError) {
        for asset in try library.fetchAssets(withLocalIdentifiers: Array(identifiers))
          .allObjects()
        {
          assets[asset.localIdentifier] = asset
        }
      } catch {
        let index = items.firstIndex { $0.identifier != nil } ?? 0
        throw SelectionError(index: index, item: items[index], reason: .fetch(error))
      }
    }
    var subjects: [PictureSubject] = []
    for (index, item) in items.enumerated() {
      switch item {
      case .asset(let asset): subjects.append(.asset(asset))
      case .file(let path): subjects.append(.file(path))
      case .identifier(let identifier):
        guard let asset = assets[identifier] else {
          throw SelectionError(
            index: index, item: item, reason: .fetch(.identifierNotFound(identifier)))
        }
        subjects.append(.asset(asset))
      }
    }
    return subjects
  }

  /// Loads one item.
  func load(_ index: Int) async throws(SelectionError) -> DisplayImage {
    do {
      return try await source.image(subjects[index], request)
    } catch {
      throw SelectionError(index: index, item: items[index], reason: .init(error))
    }
  }
}

extension SelectionItem {
  /// The item with an absolute path: the program may change its current folder while pictures load.
  var absolute: SelectionItem {
    if case .file(let path) = self { .file(path.absolute) } else { self }
  }

  fileprivate var identifier: String? {
    if case .identifier(let identifier) = self { identifier } else { nil }
  }
}
