import Darkroom
import PhotoLibraryKit

// PhotoLibraryKit brings the types in its own signatures, and no type of an edit: `Filter` and the others
// are Darkroom's.

let own: [Any] = [Crop(), Curve(), Exposure(), Filter(), Levels(), LookupTable(), Mix()]

func photo(of asset: Asset) -> Photo { asset.photo }

func largest(of assets: FetchResult<Asset>) -> (
  path: FilePath, format: PhotoFormat, size: PixelSize
)? {
  let found = assets.max { $0.pixelWidth * $0.pixelHeight < $1.pixelWidth * $1.pixelHeight }
  return found.map { ($0.path, $0.format, PixelSize(width: $0.pixelWidth, height: $0.pixelHeight)) }
}

func center(of asset: Asset, in manager: ImageManager) async throws -> DisplayImage {
  let options = ImageRequestOptions()
  options.resizeMode = .exact
  options.normalizedCropRect = NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
  return try await manager.requestImage(
    for: asset, targetSize: PixelSize(width: 100, height: 100), options: options)
}

func add(_ path: FilePath, as type: AssetResource.ResourceType, to request: AssetCreationRequest) {
  request.addResource(with: type, path: path)
}

func reason(_ error: PhotoLibraryError) -> EditError? {
  if case .editing(let error) = error { error } else { nil }
}

// A selection is loaded in both ways: together and one by one. Only an optimized build, such as programs
// ship, showed that one of them crashed.
let arguments = CommandLine.arguments.dropFirst().map { FilePath($0) }
let library = try PhotoLibrary(at: arguments[0])
let selection = arguments.dropFirst().map(SelectionItem.file)
let size = PixelSize(width: 100, height: 100)
let together = try await library.loadImages(for: selection, targetSize: size)
var oneByOne: [DisplayImage] = []
for try await image in library.selectedImages(for: selection, targetSize: size) {
  oneByOne.append(image)
}
precondition(together.count == selection.count && selection.count > 1)
precondition(together.map(\.width) == oneByOne.map(\.width))

print("library alone: \(own.count) names of edits are free")
