import FoundationEssentials
import SafelightStorage

/// A named version of a photo: an edit that was kept, with a render of its own beside the original.
public struct PhotoVersion: Sendable {
  /// What it is called, in the case it was saved with.
  public let name: String
  /// The edit as it is stored.
  public let adjustmentData: AdjustmentData
  /// The edit read; `nil` when it is not Safelight's own or cannot be read.
  public let stack: EditStack?
  /// The program that made the edit, by bundle identifier; `nil` when not recorded.
  public let editor: String?
  /// When the edit was made; `nil` when not recorded.
  public let date: Date?
  /// Its rendered JPEG; `nil` when the file is missing.
  public let rendered: FilePath?
  /// Width and height of the render in pixels.
  public let renderSize: PixelSize
  /// Whether it is the photo's present edit.
  public let isPresent: Bool

  /// Whether a version may be called so: 1 to 64 letters without accents, digits, hyphens,
  /// underscores and dots, with no dot in front. Capital and small letters count as the same.
  public static func isName(_ text: String) -> Bool { RecordedVersion.isName(text) }
}

extension PhotoVersion {
  /// The versions of a photo, in the order in which they were saved.
  static func all(in snapshot: PhotoSnapshot) -> [PhotoVersion] {
    (snapshot.record?.versions ?? []).map { version in
      let data = version.adjustmentData
      return PhotoVersion(
        name: version.name, adjustmentData: data,
        stack: EditStack.canHandle(data) ? try? EditStack(data) : nil,
        editor: version.editorBundleID, date: version.timestamp,
        rendered: snapshot.path(of: .version(version.name)),
        renderSize: PixelSize(
          width: version.render.pixelWidth, height: version.render.pixelHeight),
        isPresent: snapshot.record?.isSaved(as: version) == true)
    }
  }
}

extension Record {
  /// Whether a version keeps the present edit with the pixels that it has now.
  func isSaved(as version: RecordedVersion) -> Bool {
    version.adjustmentData == adjustmentData
      && version.render.file.sha256 == render?.file.sha256
      && version.base?.sha256 == base?.sha256
  }
}
