import PhotoEditing
import SafelightFiles

/// Where pictures of photos are written, and how.
struct RenderDestination: Sendable {
  /// The file for each photo, in the order given.
  let paths: [FilePath]
  /// How, in the format that the file's ending says where none was asked for.
  let output: RenderOutput
  var format: RenderOutput.Format { output.format }
  /// The edit that is shown in place of the photo's own; `nil` for none.
  var edit: EditRequest?
  /// Why nothing can be written; `nil` when it can.
  let mismatch: String?

  /// - Parameters:
  ///   - output: A file for one photo, or a folder.
  ///   - picture: How the pictures are written.
  ///   - hasFormat: Whether the format was asked for; otherwise the file's ending says it.
  ///   - names: The name of each photo's file in the folder, without its ending; `nil` takes the photo's.
  ///   - isForSeveral: Whether there may be several photos another time, as in a folder. What is no file by its ending
  ///     then must be a folder.
  ///   - keepsNumbers: Whether pictures that are there already say which photo has which number.
  init(
    _ output: FilePath, photos: [FilePath], as picture: RenderOutput, hasFormat: Bool,
    names: [FilePath]? = nil, isForSeveral: Bool = false, keepsNumbers: Bool = false
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
    paths =
      isFolder
      ? Self.names(
        of: photos, names, in: output, as: picture.format, keepsNumbers: keepsNumbers) : [output]
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

  /// The files of photos in a folder. Two photos of the same stem, or of the same name in several folders, get numbers.
  ///
  /// - Parameter keepsNumbers: Whether a photo whose picture is there keeps its number, whatever photos have come since.
  private static func names(
    of photos: [FilePath], _ names: [FilePath]?, in folder: FilePath,
    as format: RenderOutput.Format, keepsNumbers: Bool
  ) -> [FilePath] {
    let ending = format.fileExtension
    let stems = photos.enumerated().map { index, photo in
      let name = photo.lastComponent ?? photo
      return folder.withoutSlashes.appending(names?[index] ?? name.stem ?? name)
    }
    func path(_ index: Int, _ number: Int) -> FilePath {
      stems[index].suffixed(number == 1 ? ".\(ending)" : "-\(number).\(ending)")
    }
    var taken: Set<FilePath> = []
    var foreign: Set<FilePath> = []
    var found: [Int: FilePath] = [:]
    for (index, photo) in photos.enumerated() where keepsNumbers {
      search: for number in 1...9999 {
        let path = path(index, number)
        switch PictureOwner(of: path, from: photo) {
        case .another: foreign.insert(path)
        case .photo:
          if taken.insert(path).inserted { found[index] = path }
          break search
        case .nobody, .unknown: break search
        }
      }
    }
    return photos.indices.map { index in
      if let path = found[index] { return path }
      var number = 1
      while foreign.contains(path(index, number)) || !taken.insert(path(index, number)).inserted {
        number += 1
      }
      return path(index, number)
    }
  }

  /// The format that the ending of a file's name says; `nil` for a folder.
  static func format(ofFile path: FilePath) -> RenderOutput.Format? {
    path.isFolder ? nil : (path.extension?.lowercased()).flatMap(format(ofEnding:))
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
