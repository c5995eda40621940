// What a program that links PhotoEditing needs to name, and no more. Everything else of the modules
// below stays out of its way.
// Adjustments has what an edit is made of, and all of it is for users.
@_exported import SafelightAdjustments

@_exported import struct SafelightDarkroom.PhotoDarkroom
@_exported import struct SafelightFiles.FilePath
@_exported import struct SafelightFiles.FileSystemError
@_exported import enum SafelightLookupTables.CubeFileProblem
@_exported import struct SafelightLookupTables.Lattice
@_exported import struct SafelightLookupTables.LookupTable
@_exported import enum SafelightLookupTables.LookupTableError
@_exported import enum SafelightRendering.AutomaticAdjustment
@_exported import struct SafelightRendering.AutomaticAdjustments
@_exported import enum SafelightRendering.ComparisonArrangement
@_exported import struct SafelightRendering.PhotoFacts
@_exported import enum SafelightRendering.PhotoFormat
@_exported import struct SafelightRendering.PhotoHistogram
@_exported import struct SafelightRendering.PixelSize
@_exported import enum SafelightRendering.RenderError
@_exported import struct SafelightRendering.RenderOutput
@_exported import enum SafelightRendering.RenderWarning
@_exported import struct SafelightRendering.Share
@_exported import enum SafelightStorage.RecordError
@_exported import enum SafelightStorage.StorageError
