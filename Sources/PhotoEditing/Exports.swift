// What a program that links PhotoEditing needs to name, and no more. Everything else of the modules
// below stays out of its way.
// The adjustments themselves, `Crop` and the others, are in `Adjustments`, so that they take no names away.

@_exported import protocol SafelightAdjustments.Adjustment
@_exported import struct SafelightAdjustments.AdjustmentData
@_exported import struct SafelightAdjustments.AdjustmentDescription
@_exported import enum SafelightAdjustments.AdjustmentError
@_exported import enum SafelightAdjustments.AdjustmentGroup
@_exported import struct SafelightAdjustments.AdjustmentPath
@_exported import enum SafelightAdjustments.Adjustments
@_exported import struct SafelightAdjustments.AppliedFilter
@_exported import enum SafelightAdjustments.CropArea
@_exported import enum SafelightAdjustments.CropGravity
@_exported import enum SafelightAdjustments.EditCopying
@_exported import struct SafelightAdjustments.EditStack
@_exported import struct SafelightAdjustments.Filter
@_exported import struct SafelightAdjustments.FormatVersion
@_exported import struct SafelightAdjustments.ParameterDescription
@_exported import enum SafelightAdjustments.ParameterProblem
@_exported import struct SafelightAdjustments.ParameterSetting
@_exported import enum SafelightAdjustments.ParameterUnit
@_exported import enum SafelightAdjustments.QuarterTurns
@_exported import struct SafelightAdjustments.StackEntry
@_exported import struct SafelightDarkroom.PhotoDarkroom
@_exported import struct SafelightFiles.FilePath
@_exported import struct SafelightFiles.FileSystemError
@_exported import struct SafelightFiles.FolderRules
@_exported import enum SafelightLookupTables.CubeFileProblem
@_exported import struct SafelightLookupTables.LookupTable
@_exported import enum SafelightLookupTables.LookupTableError
@_exported import enum SafelightMetadata.PhotoFormat
@_exported import struct SafelightMetadata.PlaceMapping
@_exported import enum SafelightRendering.AutomaticAdjustment
@_exported import struct SafelightRendering.AutomaticAdjustments
@_exported import struct SafelightRendering.ByteCount
@_exported import enum SafelightRendering.ComparisonArrangement
@_exported import enum SafelightRendering.GrayPlace
@_exported import struct SafelightRendering.MetadataText
@_exported import struct SafelightRendering.PhotoFacts
@_exported import struct SafelightRendering.PhotoHistogram
@_exported import struct SafelightRendering.PixelBox
@_exported import struct SafelightRendering.PixelSize
@_exported import enum SafelightRendering.RenderError
@_exported import struct SafelightRendering.RenderOutput
@_exported import enum SafelightRendering.RenderWarning
@_exported import enum SafelightStorage.RecordError
@_exported import enum SafelightStorage.StorageError
