import PhotoEditing
import PhotoLibraryKit

// The catalog has a folder of its own; the photos stay where they are.
let library = try PhotoLibrary(at: "catalog")
try await library.add(["photos"])

let options = FetchOptions(
  predicate: .pixelWidth > .pixelHeight,
  sortDescriptors: [FetchSortDescriptor(.creationDate, ascending: false)])
let photos = try library.fetchAssets(with: options)

try await library.performChanges {
  let wall = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Wall")
  wall.addAssets(Array(photos))
  AssetChangeRequest(for: photos[0]).isFavorite = true
}

// Edits are those of PhotoEditing and lie in the sidecars; the library sees them there.
let favorites = FetchOptions(predicate: try FetchPredicate(format: "favorite = YES"))
for photo in try library.fetchAssets(with: favorites) {
  try await PhotoEditor().apply(Filter.named("noir").applied(), to: photo.photo)
}
try await library.scan()

// Pictures for the screen; the second time they come from a cache on the disk.
let request = ImageRequestOptions()
request.resizeMode = .fast
let pictures = try await library.loadImages(
  for: Array(photos), targetSize: PixelSize(width: 320, height: 320), options: request)
for picture in pictures { print("\(picture.width) × \(picture.height)") }
