import Foundation
import PhotoEditing
import PhotoLibraryKit

// The code of the table in ComingFromPhotoKit, line by line: that it compiles is the test, so this file sees
// no more than other programs do. `ComingFromPhotoKitTests` looks whether the table and this file agree.

func fetchesInTheTable() async throws {
  let library = try PhotoLibrary(at: "catalog")
  let options = FetchOptions()
  let photos = try Asset.fetchAssets(with: options)
  options.predicate = try FetchPredicate(format: "favorite = YES")
  options.sortDescriptors = [FetchSortDescriptor(key: "creationDate", ascending: false)]
  options.sortDescriptors = [FetchSortDescriptor(keyPath: \Asset.creationDate)]
  photos.enumerateObjects { asset, index, stop in stop = index == 9 }
  if let asset = photos.firstObject {
    if let index = photos.index(of: asset) { print(index) }
  }
  var predicates: [FetchPredicate] = []
  predicates.append(.all)
  let collections = try library.fetchTopLevelUserCollections()
  for collection in collections {
    if let album = collection as? AssetCollection { print(album.localizedTitle) }
  }
  let others = try library.fetchAssets(with: options)
  let chosen = try await library.requestLimitedSelection()
  print(others.count, chosen)
}

func changesInTheTable(of album: AssetCollection, _ asset: Asset, image: DisplayImage) async throws
{
  let library = PhotoLibrary.shared()
  try await library.performChanges {
    AssetCollectionChangeRequest(for: album).addAssets([asset])
    AssetCollectionChangeRequest(for: album).removeAssets(at: [0, 2])
    let request = AssetChangeRequest.creationRequestForAsset(from: image)
    request.location = Asset.Location(latitude: 47.4, longitude: 8.5)
  }
  let title: String = album.localizedTitle
  for change in try library.fetchPersistentChanges(since: library.currentChangeToken) {
    let added = try change.changeDetails(for: .asset)?.insertedLocalIdentifiers
    print(added?.count ?? 0, title)
  }
  let stored = try JSONEncoder().encode(library.currentChangeToken)
  print(stored.count)
}

func changesAreObservedInTheTable(_ change: Change, photos: FetchResult<Asset>) {
  guard let details = change.changeDetails(for: photos) else { return }
  let inserted: [Int]? = details.insertedIndexes
  print(inserted ?? [])
}

func picturesInTheTable(of asset: Asset, _ manager: ImageManager) async throws {
  let size = PixelSize(width: 400, height: 400)
  let image: DisplayImage = try await manager.requestImage(for: asset, targetSize: size)
  manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFit) { image, info in
    print(image?.width ?? 0, info.isDegraded, info.error ?? "no error")
  }
  print(image.width)
}

func editsInTheTable(of asset: Asset) async throws {
  let size = PixelSize(width: 400, height: 400)
  let input = try await asset.contentEditingInput()
  let output = ContentEditingOutput(contentEditingInput: input)
  try await output.renderContent(applying: Filter.named("noir").applied())
  let preview = try await input.displayImage(fitting: size)
  let url = try output.renderedContentURL(for: "public.jpeg")
  print(preview.height, url)
}

func errorsInTheTable(_ error: any Error) -> Bool {
  if case PhotoLibraryError.accessUserDenied = error { return true }
  return false
}
