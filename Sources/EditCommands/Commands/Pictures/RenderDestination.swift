import PhotoEditing
import SafelightFiles

/// Where `edit render` writes each photo, and in which format.
struct RenderDestination: Sendable {
  /// The file for each photo, in the order given.
  let paths: [FilePath]
  let format: RenderOutput.Format
  /// Why nothing can be written; `nil` when it can.
  let mismatch: String?

  /// - Parameters:
  ///   - output: A file for one photo, or a folder.
  ///   - format: The format asked for; `nil` leaves it to the file's ending.
  init(_ output: FilePath, photos: [FilePath], format: RenderOutput.Format?) {
    if output == "-" {
      paths = [output]
      self.format = format ?? .jpeg
      mismatch =
        photos.count > 1
        ? "“-” is standard output, which takes one photo; name a folder for several." : nil
      return
    }
    let isFolder = photos.count > 1 || output.isFolder
    let ending = isFolder ? nil : output.extension?.lowercased()
    let named = ending.flatMap(Self.format(ofEnding:))
    self.format = format ?? named ?? .jpeg
    if !isFolder {
      paths = [output]
      if let ending, named == nil, format == nil {
        mismatch = "No format has the ending “.\(ending)”: use .jpg, .png, .tif or .webp."
      } else if let format, let named, format != named {
        mismatch =
          "\(output) has the ending of another format than \(format.rawValue): change one of them."
      } else {
        mismatch = nil
      }
      return
    }
    var taken: Set<FilePath> = []
    let ownEnding = self.format.fileExtension
    paths = photos.map { photo in
      let name = photo.lastComponent ?? photo
      // Two photos of the same stem, a.jpg and a.png, get their whole names. Photos of the same name
      // from several folders get a number.
      let stem = output.appending(name.stem ?? name)
      var path = stem.suffixed(".\(ownEnding)")
      if taken.contains(path) { path = output.appending(name).suffixed(".\(ownEnding)") }
      var number = 2
      while !taken.insert(path).inserted {
        path = stem.suffixed("-\(number).\(ownEnding)")
        number += 1
      }
      return path
    }
    mismatch =
      output.isFolder
      ? nil : "\(output) is not a folder: several photos need one, which must be there."
  }

  private static func format(ofEnding ending: String) -> RenderOutput.Format? {
    switch ending {
    case "jpg", "jpeg", "jpe": .jpeg
    case "png": .png
    case "tif", "tiff": .tiff
    case "webp": .webp
    default: nil
    }
  }
}

extension FilePath {
  /// Whether the path leads to a folder, symbolic links followed.
  fileprivate var isFolder: Bool {
    (try? FileSystem.real.kind(of: self, following: true)) == .folder
  }
}
