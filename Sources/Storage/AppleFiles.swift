import SafelightFiles

/// The names that Apple's Photos, the camera and osxphotos give to the files around a photo.
///
/// Beside `IMG_1234.HEIC` are `IMG_1234.AAE` with the edit, `IMG_E1234.HEIC` with the edited picture, and `IMG_O1234.AAE`
/// with what the camera itself did. osxphotos writes `IMG_1234.AAE` or `IMG_1234.HEIC.AAE`, and the edited picture as
/// `IMG_1234_edited.HEIC`. Capitals may be small letters, also in one of two names alone, as after a copy through a disk
/// without them.
struct AppleNames {
  private let photo: FilePath
  private let stem: FilePath

  /// The names around the photo of a name.
  init(_ photo: FilePath) {
    self.photo = photo
    stem = photo.stem ?? photo
  }

  private static let sidecarEndings = [".AAE", ".aae"]
  private static let exportMark = "_edited"

  /// The sidecars that the present edit may be in. The name of Safelight's own record, `IMG_1234.HEIC.aae`, is none of
  /// them: what that file says is known from reading it.
  var sidecars: [FilePath] {
    let short = stem.inBothLetters.flatMap { Self.sidecarEndings.map($0.suffixed) }
      .filter { $0 != photo.recordPath }
    return short + [photo.suffixed(".AAE")]
  }

  /// The sidecars that the camera's own edit may be in.
  var originalSidecars: [FilePath] {
    Self.marked(stem, "O").flatMap { stem in Self.sidecarEndings.map(stem.suffixed) }
  }

  /// The pictures that Apple may have rendered.
  var renders: [FilePath] {
    Self.marked(stem, "E").flatMap { stem in
      photo.photoEndings().map { stem.suffixed("." + $0) }
    }
  }

  /// The pictures that osxphotos may have written, where there is a sidecar of Apple's.
  var exportedRenders: [FilePath] {
    let stem = stem.suffixed(Self.exportMark)
    return photo.photoEndings().map { stem.suffixed("." + $0) }
  }

  /// The photos that a picture of this name may be Apple's render of.
  static func originals(ofRender name: FilePath) -> [FilePath] {
    name.stem.flatMap { unmarked($0, "E") }.map { photos($0, named: name) } ?? []
  }

  /// The photos that a sidecar of this name may be the camera's own of.
  static func originals(ofOriginalSidecar name: FilePath) -> [FilePath] {
    name.stem.flatMap { unmarked($0, "O") }.map { photos($0, named: $0) } ?? []
  }

  /// The photos that a picture of this name may be a render of which osxphotos wrote.
  static func originals(ofExportedRender name: FilePath) -> [FilePath] {
    let mark = Array(exportMark.utf8)
    guard let stem = name.stem, stem.bytes.count > mark.count,
      stem.bytes.suffix(mark.count).elementsEqual(mark)
    else { return [] }
    return photos(FilePath(bytes: stem.bytes.dropLast(mark.count)), named: name)
  }

  /// The photos that a sidecar of this name may be about.
  static func originals(ofSidecar name: FilePath) -> [FilePath] {
    guard let stem = name.stem else { return [] }
    // `IMG_1234.HEIC.AAE` has the photo's whole name.
    return [stem] + photos(stem, named: stem)
  }

  /// The photos of a stem, in either letters; those with the ending of a name come first.
  private static func photos(_ stem: FilePath, named name: FilePath) -> [FilePath] {
    stem.inBothLetters.flatMap { stem in name.photoEndings().map { stem.suffixed("." + $0) } }
  }

  /// Whether a file of this name shows that Apple's programs wrote into the folder.
  static func mayBeApples(_ name: FilePath) -> Bool {
    let ending = name.bytes.suffix(4)
    if ending.first == UInt8(ascii: "."),
      ending.dropFirst().elementsEqual("aae".utf8, by: { $0 | 0x20 == $1 })
    {
      return true
    }
    return name.stem.flatMap { unmarked($0, "E") } != nil
  }

  /// `IMG_E1234` for `IMG_1234`; none for names that no camera of Apple's gives.
  private static func marked(_ stem: FilePath, _ letter: Character) -> [FilePath] {
    guard let digit = stem.bytes.dropFirst(4).first, isDigit(digit) else { return [] }
    return stem.inBothLetters.flatMap { stem -> [FilePath] in
      guard let prefix = prefix(of: stem) else { return [] }
      let isSmall = prefix.first == UInt8(ascii: "i")
      let letters = isSmall ? [letter.lowercased(), String(letter)] : [String(letter)]
      return letters.map {
        FilePath(bytes: prefix + Array($0.utf8) + stem.bytes.dropFirst(prefix.count))
      }
    }
  }

  /// Whether two names have `IMG_` in the same letters, or not at all.
  static func areSpeltAlike(_ name: FilePath, _ other: FilePath) -> Bool {
    prefix(of: name) == prefix(of: other)
  }

  /// `IMG_1234` for `IMG_E1234`; `nil` for other names.
  private static func unmarked(_ stem: FilePath, _ letter: Character) -> FilePath? {
    guard let prefix = prefix(of: stem) else { return nil }
    let rest = stem.bytes.dropFirst(prefix.count)
    guard let mark = rest.first, let asked = letter.asciiValue, mark & 0xDF == asked,
      let digit = rest.dropFirst().first, isDigit(digit)
    else { return nil }
    return FilePath(bytes: prefix + rest.dropFirst())
  }

  /// `IMG_`, in the letters of the name.
  fileprivate static func prefix(of stem: FilePath) -> ArraySlice<UInt8>? {
    let prefix = stem.bytes.prefix(4)
    return prefix.elementsEqual("IMG_".utf8) || prefix.elementsEqual("img_".utf8) ? prefix : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension FilePath {
  /// `IMG_1234`, and then `img_1234`; any other name as it is.
  package var inBothLetters: [FilePath] {
    guard let prefix = AppleNames.prefix(of: self) else { return [self] }
    let other = prefix.first == UInt8(ascii: "i") ? "IMG_" : "img_"
    return [self, FilePath(bytes: Array(other.utf8) + bytes.dropFirst(prefix.count))]
  }
}
