// Who links PhotoEditing needs no other import: these are the words that its own calls use.
@_exported import Adjustments

@_exported import enum Filters.ShippedFilters
@_exported import enum LookupTables.CubeFileProblem
@_exported import struct LookupTables.Lattice
@_exported import struct LookupTables.LookupTable
@_exported import enum LookupTables.LookupTableError
@_exported import struct Metadata.OriginalReference
@_exported import enum Rendering.AutomaticAdjustment
@_exported import struct Rendering.AutomaticAdjustments
@_exported import enum Rendering.ComparisonArrangement
@_exported import struct Rendering.PhotoFacts
@_exported import enum Rendering.PhotoFormat
@_exported import struct Rendering.PhotoHistogram
@_exported import enum Rendering.RenderError
@_exported import struct Rendering.RenderOutput
@_exported import enum Rendering.RenderWarning
@_exported import struct Rendering.Share
@_exported import struct Storage.FilePath
@_exported import struct Storage.FileSystemError
@_exported import enum Storage.RecordError
@_exported import enum Storage.StorageError
