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
  init(
    _ output: FilePath, photos: [FilePath], as picture: RenderOutput, hasFormat: Bool,
    names: [FilePath]? = nil
  ) {
    let isFolder = output != "-" && (photos.count > 1 || output.isFolder)
    let ending = isFolder || output == "-" ? nil : output.extension?.lowercased()
    let named = ending.flatMap(Self.format(ofEnding:))
    var picture = picture
    if !hasFormat, let named { picture.format = named }
    self.output = picture
    paths = isFolder ? Self.names(of: photos, names, in: output, as: picture.format) : [output]
    if output == "-", photos.count > 1 {
      mismatch = "“-” is standard output, which takes one photo; name a folder for several."
    } else if isFolder, !output.isFolder {
      mismatch = "\(output) is not a folder: several photos need one, which must be there."
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
      if let wanted = names?[index] {
        let stem = folder.appending(wanted)
        var (path, number) = (stem.suffixed(".\(ownEnding)"), 2)
        while !taken.insert(path).inserted {
          path = stem.suffixed("-\(number).\(ownEnding)")
          number += 1
        }
        return path
      }
      // Two photos of the same stem, a.jpg and a.png, get their whole names. Photos of the same name
      // from several folders get a number.
      let stem = folder.appending(name.stem ?? name)
      var path = stem.suffixed(".\(ownEnding)")
      if taken.contains(path) { path = folder.appending(name).suffixed(".\(ownEnding)") }
      var number = 2
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
  /// Whether the path leads to a folder, symbolic links followed.
  fileprivate var isFolder: Bool {
    (try? FileSystem.real.kind(of: self, following: true)) == .folder
  }
}
