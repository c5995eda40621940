import FoundationEssentials
import Glibc

/// What an edit hands back: its adjustment data, and a JPEG of the result.
///
/// Write the finished JPEG, upright, to ``renderedContentURL``, set ``adjustmentData``, and give
/// the output to ``PhotoEditor/commit(_:)``.
public struct ContentEditingOutput: Sendable {
  /// The edit, under the editor's own format identifier. A commit without it is refused.
  public var adjustmentData: AdjustmentData?
  /// The program that made the edit, in reverse DNS order; stored with it.
  public var editorBundleIdentifier: String

  let input: ContentEditingInput
  private let folder: RenderedContentFolder

  /// Prepares an output for an input.
  ///
  /// - Parameters:
  ///   - input: What the edit started from.
  ///   - editorBundleIdentifier: The program that makes the edit, in reverse DNS order.
  /// - Throws: ``EditError/outputRefused(path:problem:)`` when no temporary folder can be made.
  public init(
    contentEditingInput input: ContentEditingInput,
    editorBundleIdentifier: String = "org.safelight.edit"
  ) throws(EditError) {
    self.input = input
    self.editorBundleIdentifier = editorBundleIdentifier
    guard let folder = RenderedContentFolder() else {
      throw .outputRefused(path: input.asset.path, problem: .noTemporaryFolder)
    }
    self.folder = folder
  }

  /// Where the rendered JPEG goes: a file of its own in a temporary folder, which disappears with
  /// the last copy of the output.
  public var renderedContentURL: URL { renderedContentPath.fileURL }

  /// The path of ``renderedContentURL``.
  public var renderedContentPath: FilePath { folder.path.appending("render.jpg") }
}

/// A temporary folder for one render, removed with its last owner.
private final class RenderedContentFolder: Sendable {
  let path: FilePath

  init?() {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(parent)/safelight-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = FilePath(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
  }

  deinit {
    try? FileManager.default.removeItem(at: path.fileURL)
  }
}
