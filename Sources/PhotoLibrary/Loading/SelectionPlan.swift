import FoundationEssentials
import Glibc
import PhotoEditing

/// A selection whose items are known, and how they are loaded.
struct SelectionPlan: Sendable {
  let items: [SelectionItem]
  let subjects: [ImageRequest.Subject]
  let source: ImageSource
  let recipe: ImageRecipe
  /// How many items are loaded or wait to be taken at once: enough to keep all cores busy, and no more
  /// pictures in memory than that.
  let window = 2 * max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)

  /// Looks the identifiers up, all in one fetch.
  ///
  /// - Throws: ``SelectionError`` for the first item that is not there.
  init(
    _ items: [SelectionItem], in library: PhotoLibrary, _ recipe: ImageRecipe
  ) throws(SelectionError) {
    self.items = items
    self.recipe = recipe
    source = ImageSource(library)
    subjects = try Self.subjects(of: items, in: library)
  }

  private static func subjects(
    of items: [SelectionItem], in library: PhotoLibrary
  ) throws(SelectionError) -> [ImageRequest.Subject] {
    let identifiers = Set(items.compactMap(\.identifier))
    var assets: [String: Asset] = [:]
    if !identifiers.isEmpty {
      do throws(PhotoLibraryError) {
        for asset in try library.fetchAssets(withLocalIdentifiers: Array(identifiers)) {
          assets[asset.localIdentifier] = asset
        }
      } catch {
        let index = items.firstIndex { $0.identifier != nil } ?? 0
        throw SelectionError(index: index, item: items[index], reason: .fetch(error))
      }
    }
    var subjects: [ImageRequest.Subject] = []
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
      return try await source.image(
        subjects[index], recipe, deliveryMode: .highQualityFormat)
    } catch {
      throw SelectionError(index: index, item: items[index], reason: .init(error))
    }
  }
}

extension SelectionItem {
  fileprivate var identifier: String? {
    if case .identifier(let identifier) = self { identifier } else { nil }
  }
}
