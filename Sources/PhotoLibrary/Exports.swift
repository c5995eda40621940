// The types in the signatures of PhotoLibraryKit, which a program that links it has to name. A program that
// edits photos imports PhotoEditing, too.
@_exported import enum PhotoEditing.AssetPlaybackStyle
@_exported import struct PhotoEditing.AssetResource
@_exported import struct PhotoEditing.ContentEditingInput
@_exported import class PhotoEditing.ContentEditingInputRequestOptions
@_exported import class PhotoEditing.ContentEditingOutput
@_exported import struct PhotoEditing.DisplayImage
@_exported import enum PhotoEditing.EditError
@_exported import struct PhotoEditing.LivePhoto
@_exported import class PhotoEditing.LivePhotoEditingContext
@_exported import enum PhotoEditing.LivePhotoEditingError
@_exported import struct PhotoEditing.LivePhotoFrame
@_exported import struct PhotoEditing.NormalizedRect
@_exported import struct PhotoEditing.Photo
@_exported import struct PhotoEditing.PhotoVideo
@_exported import struct SafelightAdjustments.AdjustmentData
@_exported import struct SafelightDarkroom.PhotoDarkroom
@_exported import struct SafelightFiles.FilePath
@_exported import enum SafelightMetadata.PhotoFormat
@_exported import struct SafelightRendering.PixelSize
@_exported import enum SafelightRendering.RenderError
