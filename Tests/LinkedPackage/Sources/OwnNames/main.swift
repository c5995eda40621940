import Arguments
import CSQLite
import Catalog
import Darkroom
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

// Darkroom's types, unless the module is said.
let types: [Any] = [
  Comparison(), Crop(), Curve(), Exposure(), JSONValue(), Lattice(), Levels(), Mix(), Parameter(),
  Saturation(), Share(), Darkroom.Filter(), Darkroom.LookupTable(),
]

var edit = EditStack()
try edit.adjust(Adjustments.Exposure.self) { $0.amount = 0.5 }
try edit.adjust(Adjustments.ToneCurve.self) {
  $0.all = Adjustments.ToneCurve.Curve([.init(0, 0.1), .init(1, 1)])
}
try edit.setFilter(PhotoEditing.Filter.named("noir").applied())
precondition(edit.entries.count == 3 && types.count == 13)

func photo(of asset: PhotoLibraryKit.Asset) -> PhotoEditing.Photo { asset.photo }

print(
  "own names: \(own.count) targets beside \(PhotoEditing.Photo.self), \(PhotoLibraryKit.Asset.self)"
)
