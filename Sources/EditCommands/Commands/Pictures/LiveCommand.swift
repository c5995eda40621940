import PhotoEditing
import SafelightArguments
import SafelightFiles

/// `edit live`: works with the videos of Live Photos and motion photos.
struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Work with the videos of Live Photos and motion photos.",
    discussion: """
      A Live Photo has its video in a file beside it: IMG_1.HEIC and IMG_1.MOV, with the same content \
      identifier in both, or with none in either. A motion photo has its video in its own file. “edit show” \
      says which video a photo has.

      Example:
        edit live export IMG_1.HEIC -o IMG_1-video.mov
        edit live export *.jpg -o videos/ --original
        edit live trim IMG_1.HEIC --from 0.5 --to 2
      """,
    subcommands: [
      ExportVideoCommand.self, TrimVideoCommand.self, MuteVideoCommand.self,
      UnmuteVideoCommand.self,
    ])
}

/// `edit live export`: writes the videos of photos to files of their own.
struct ExportVideoCommand: PhotoCommand {
  static let words = ["live", "export"]
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the videos of photos to files, with the photos' edits.",
    discussion: """
      Writes the video of a Live Photo or a motion photo with the edit that the photo has. Without an edit, \
      and with --original, the file is byte for byte what the camera made. The photo stays as it is.

      Example:
        edit live export PXL_1.MP.jpg -o PXL_1.mp4
        edit live export PXL_1.MP.jpg -o PXL_1-camera.mp4 --original
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, .mov or .mp4, or a folder for several.", valueName: "path"))
  var output: OutputPath?

  @Flag(help: "Write the video as the camera made it, without the edit.")
  var original = false

  @OptionGroup var whole: BatchWideOptions
  @OptionGroup var dryRun: DryRunOption

  func validate() throws {
    guard let output else { throw ValidationError("--output is missing: name a file or a folder.") }
    try output.checkIsFile()
  }

  /// Where the videos go: a file for one photo, or a folder.
  enum Destination: Sendable {
    case file(FilePath)
    case folder(FilePath)
  }

  func prepare(for photos: [FilePath]) throws -> Destination {
    let path = output?.path ?? ""
    let isFolder =
      photos.count > 1 || path.bytes.last == FilePath.slash
      || (try? FileSystem.real.kind(of: path, following: true)) == .folder
    if isFolder {
      guard (try? FileSystem.real.kind(of: path, following: true)) == .folder else {
        throw ValidationError("There is no folder \(path): make it first.")
      }
      return .folder(path)
    }
    guard ["mov", "mp4"].contains(path.extension?.lowercased()) else {
      throw ValidationError("\(path) has the ending of no video: use .mov or .mp4.")
    }
    return .file(path)
  }

  func work(on task: PhotoTask<Destination>) async throws(EditError) -> PhotoResult {
    let path: FilePath
    switch task.preparation {
    case .file(let file): path = file
    case .folder(let folder):
      guard let video = try await task.editor.video(of: task.photo) else {
        throw .noVideo(task.path)
      }
      let name = task.path.lastComponent ?? task.path
      path = folder.appending((name.stem ?? name).suffixed("." + video.fileExtension))
    }
    let export = try await task.editor.exportVideo(
      of: task.photo, to: path, original: original, dryRun: dryRun.isOn)
    let what = export.isEdited ? "its edited video" : "its video"
    return PhotoResult(
      status: EditResult.Status.rendered.rawValue,
      text: what + (dryRun.isOn ? " would be written to " : " is in ") + "\(path)",
      warnings: export.warnings,
      details: JSONValue.members([
        "written": path, "video": export.video.json(beside: task.path),
        "videoEdited": export.isEdited,
      ]) + dryRun.details)
  }
}

extension PhotoVideo {
  /// What people read of it, such as `Live Photo: IMG_1.MOV, 2.9 s, H.264, 1440 × 1080`.
  var text: String {
    let place =
      switch kind {
      case .live: "Live Photo: \(path.lastComponent ?? path)"
      case .motion: "motion photo: video inside"
      }
    let seconds = JSONValue.number((duration * 10).rounded() / 10).text
    return "\(place), \(seconds) s, \(codec), \(pixelWidth) × \(pixelHeight)"
  }

  func json(beside photo: FilePath) -> JSONValue {
    .object([
      "kind": kind.rawValue, "path": path.shown(beside: photo), "contentType": contentType,
      "codec": codec, "offset": byteRange.lowerBound, "bytes": byteRange.count,
      "pixelWidth": pixelWidth, "pixelHeight": pixelHeight, "frames": frameCount,
      "duration": duration, "sound": hasSound, "stillImageTime": stillImageTime,
      "contentIdentifier": contentIdentifier,
    ])
  }
}
