import Arguments
import CSQLite
import Catalog
import Files
import Filters
import Formats
import Metadata
import PhotoEditing
import PhotoLibraryKit
import Rendering
import Storage

// A program's own targets do not collide with Safelight's, and each type can be named by its module.

let own: [Any] = [
  OwnArguments(), OwnCSQLite(), OwnCatalog(), OwnFiles(), OwnFilters(), OwnFormats(), OwnMetadata(),
  OwnRendering(), OwnStorage(),
]

func photo(of asset: PhotoLibraryKit.Asset) -> PhotoEditing.Photo { asset.photo }

print(
  "own names: \(own.count) targets beside \(PhotoEditing.Photo.self), \(PhotoLibraryKit.Asset.self)"
)
