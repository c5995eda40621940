import Photos

// Code that is shared with Apple's systems: it imports Photos alone, and uses the shared library, which is below
// XDG_DATA_HOME. Argument: a photo.

let url = URL(fileURLWithPath: CommandLine.arguments[1])
let status = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
precondition(status == .authorized)

try await PHPhotoLibrary.shared().performChanges {
  let request = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
  request?.isFavorite = true
}

let options = PHFetchOptions()
options.predicate = NSPredicate(format: "isFavorite == YES")
options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
let photos = PHAsset.fetchAssets(with: .image, options: options)
precondition(photos.count == 1)

let sizes = AsyncStream<PixelSize> { sizes in
  let options = PHImageRequestOptions()
  options.deliveryMode = .highQualityFormat
  options.resizeMode = .exact
  PHImageManager.default().requestImage(
    for: photos[0], targetSize: CGSize(width: 50, height: 50), contentMode: .aspectFill,
    options: options
  ) { image, info in
    precondition(info?[PHImageErrorKey] == nil)
    if let image = image { sizes.yield(image.size) }
    sizes.finish()
  }
}
for await size in sizes { precondition(size == PixelSize(width: 50, height: 50)) }

let resource = PHAssetResource.assetResources(for: photos[0])[0]
var bytes = Data()
for try await piece in PHAssetResourceManager.default().data(for: resource) { bytes.append(piece) }
let wanted = try Data(contentsOf: url)
precondition(bytes == wanted)
print("photos example: \(photos.count) photo, \(bytes.count) bytes")
