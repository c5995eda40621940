import PhotoEditing
import SafelightFiles

/// Where pictures of photos are written, and how.
struct RenderDestination: Sendable {
  /// The file for each photo, in the order given.
  let paths: [FilePath]
  /// How, in the format that the file's ending says where none was asked for.
  let output: RenderOutput
  var format: RenderOutput.Format { output.format }
  /// Why nothing can be written; `nil` when it can.
  let mismatch: String?

  /// - Parameters:
  ///   - output: A file for one photo, or a folder.
  ///   - picture: How the pictures are written.
  ///   - hasFormat: Whether the format was asked for; otherwise the file's ending says it.
  ///   - names: The name of each photo's file in the folder, without its ending; `nil` takes the photo's.
  ///   - isForSeveral: Whether there may be several photos another time, as in a folder. What is no file by its ending
  ///     then must be a folder.
  init(
    _ output: FilePath, photos: [FilePath], as picture: RenderOutput, hasFormat: Bool,
    names: [FilePath]? = nil, isForSeveral: Bool = false
  ) {
    let isFolder =
      output != "-"
      && (photos.count > 1 || output.isFolder || output.bytes.last == UInt8(ascii: "/")
        || isForSeveral
          && output.extension.flatMap { Self.format(ofEnding: $0.lowercased()) } == nil)
    let ending = isFolder || output == "-" ? nil : output.extension?.lowercased()
    let named = ending.flatMap(Self.format(ofEnding:))
    var picture = picture
    if !hasFormat, let named { picture.format = named }
    self.output = picture
    paths = isFolder ? Self.names(of: photos, names, in: output, as: picture.format) : [output]
    if output.isEmpty {
      mismatch = "The name of the file to write is empty."
    } else if output == "-", photos.count > 1 {
      mismatch = "“-” is standard output, which takes one photo; name a folder for several."
    } else if isFolder, !output.isFolder {
      mismatch =
        output.leadsSomewhere
        ? "\(output) is not a folder: several photos need one."
        : photos.count > 1
          ? "There is no folder \(output), and several photos need one: make it first."
          : "There is no folder \(output): make it, or name a picture such as \(output.withoutSlashes).jpg for one photo."
    } else if !isFolder, names != nil {
      mismatch = "--name and --keep-folders are for a folder; name one with --output."
    } else if let ending, named == nil, !hasFormat {
      mismatch =
        "No format has the ending “.\(ending)”: use .jpg, .png, .tif, .webp, .avif or .jxl."
    } else if let named, named != picture.format {
      mismatch =
        "\(output) has the ending of another format than \(picture.format.rawValue): change one of them."
    } else {
      mismatch = Self.contradiction(in: picture)
    }
  }

  /// The files of photos in a folder.
  private static func names(
    of photos: [FilePath], _ names: [FilePath]?, in folder: FilePath,
    as format: RenderOutput.Format
  ) -> [FilePath] {
    var taken: Set<FilePath> = []
    let ownEnding = format.fileExtension
    return photos.enumerated().map { index, photo in
      let name = photo.lastComponent ?? photo
      let stem = folder.withoutSlashes.appending(names?[index] ?? name.stem ?? name)
      // Two photos of the same stem, or of the same name in several folders, get numbers.
      var (path, number) = (stem.suffixed(".\(ownEnding)"), 2)
      while !taken.insert(path).inserted {
        path = stem.suffixed("-\(number).\(ownEnding)")
        number += 1
      }
      return path
    }
  }

  private static func format(ofEnding ending: String) -> RenderOutput.Format? {
    RenderOutput.Format.allCases.first { $0.file.endings.contains(ending) }
  }

  /// What is asked for and is not possible in the format of the file's ending; `nil` when all is.
  private static func contradiction(in picture: RenderOutput) -> String? {
    do throws(OperationError) {
      try picture.check()
      return nil
    } catch {
      return error.description
    }
  }
}

extension FilePath {
  /// The path without slashes at its end.
  fileprivate var withoutSlashes: FilePath {
    let end = bytes.lastIndex { $0 != UInt8(ascii: "/") }
    return FilePath(bytes: bytes.prefix(end.map { $0 + 1 } ?? 1))
  }

  /// Whether the path leads to a folder, symbolic links followed.
  fileprivate var isFolder: Bool {
    (try? FileSystem.real.kind(of: self, following: true)) == .folder
  }
}
