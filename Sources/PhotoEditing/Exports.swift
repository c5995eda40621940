// Who links PhotoEditing needs no other import: these are the words that its own calls use.
@_exported import SafelightAdjustments

@_exported import enum SafelightFilters.ShippedFilters
@_exported import enum SafelightLookupTables.CubeFileProblem
@_exported import struct SafelightLookupTables.Lattice
@_exported import struct SafelightLookupTables.LookupTable
@_exported import enum SafelightLookupTables.LookupTableError
@_exported import struct SafelightMetadata.OriginalReference
@_exported import enum SafelightRendering.AutomaticAdjustment
@_exported import struct SafelightRendering.AutomaticAdjustments
@_exported import enum SafelightRendering.ComparisonArrangement
@_exported import struct SafelightRendering.PhotoFacts
@_exported import enum SafelightRendering.PhotoFormat
@_exported import struct SafelightRendering.PhotoHistogram
@_exported import enum SafelightRendering.RenderError
@_exported import struct SafelightRendering.RenderOutput
@_exported import enum SafelightRendering.RenderWarning
@_exported import struct SafelightRendering.Share
@_exported import struct SafelightStorage.FilePath
@_exported import struct SafelightStorage.FileSystemError
@_exported import enum SafelightStorage.RecordError
@_exported import enum SafelightStorage.StorageError
