import PhotoEditing
import SafelightFiles
import SafelightTestSupport

/// A Live Photo whose video can be decoded, and editors for it.
enum LivePair {
  /// What joins still and video.
  static let identifier = "A1B2C3D4-0001-4A00-8B00-000000009001"

  /// Puts `IMG_1.JPG` and `IMG_1.MOV`, which ffmpeg makes, into a folder.
  static func put(into folder: PhotoFolder) throws -> Photo {
    folder.put(
      SampleMovie.still(try Fixtures.bytes("beach.jpg"), identifier: identifier), as: "IMG_1.JPG")
    try FFmpeg.makeMovie(at: folder.path.appending("IMG_1.MOV").string, identifier: identifier)
    return Photo(path: folder.path.appending("IMG_1.JPG"))
  }

  /// An editor that looks for ffmpeg in some folders, with colons; `nil` are those of `PATH`.
  static func editor(path: String? = nil) -> PhotoEditor {
    var configuration = PhotoEditor.Configuration()
    configuration.now = { .test }
    configuration.searchPath = path
    return PhotoEditor(configuration)
  }
}
