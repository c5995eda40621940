import SafelightAdjustments
import SafelightFiles
import SafelightMetadata

/// What other photo programs put beside a photo, by the files' names: Apple's sidecar, the picture that Apple or Google
/// rendered, Google's description.
package struct Companions: Sendable, Hashable {
  /// A program that edits photos and leaves its files beside them.
  package enum Maker: String, Sendable, Hashable {
    /// Apple's Photos and camera.
    case apple
    /// Google Photos, by Takeout.
    case google

    /// The format of its adjustment data. Google's are not in a Takeout, so its name is ours.
    package var formatIdentifier: String {
      switch self {
      case .apple: AppleEdit.photoFormat
      case .google: "com.google.photos"
      }
    }
  }

  /// Apple's sidecar with the present edit, `IMG_1234.AAE`.
  package var sidecar: FilePath?
  /// Apple's sidecar with what the camera itself did before any edit, `IMG_O1234.AAE`.
  package var originalSidecar: FilePath?
  /// The picture that the program rendered, `IMG_E1234.HEIC` or `IMG-edited.jpg`.
  package var render: FilePath?
  /// Who made ``render``.
  package var maker: Maker?
  /// Google's description of the photo, `IMG.jpg.supplemental-metadata.json`.
  package var description: FilePath?

  /// Nothing of other programs.
  package init() {}

  /// The names of all of them.
  package var names: [FilePath] {
    [sidecar, originalSidecar, render, description].compactMap(\.self)
  }

  /// Whether there is nothing of other programs.
  package var isEmpty: Bool { names.isEmpty }
}

/// The names in a folder, asked for what other programs put beside photos. No file is opened.
///
/// The names of one photo's companions are few and can be told from the photo's own, so each is looked up. In a folder that
/// has nothing of Apple or Google, nothing is.
package struct CompanionNames: Sendable {
  private let contains: @Sendable (FilePath) -> Bool
  private let mayHaveApples: Bool
  private let mayHaveGoogles: Bool

  /// The names of a folder that was listed.
  ///
  /// - Parameter isThere: Whether a name is among them.
  package init(
    _ names: some Sequence<FilePath>, isThere: @escaping @Sendable (FilePath) -> Bool
  ) {
    var (mayHaveApples, mayHaveGoogles) = (false, false)
    for name in names {
      if AppleNames.mayBeApples(name) { mayHaveApples = true }
      if TakeoutNames.mayBeDescription(name) { mayHaveGoogles = true }
    }
    (self.mayHaveApples, self.mayHaveGoogles) = (mayHaveApples, mayHaveGoogles)
    contains = isThere
  }

  /// The names of a folder that was listed.
  package init(_ names: some Sequence<FilePath>) {
    let known = Set(names)
    self.init(known) { known.contains($0) }
  }

  /// The names of a folder that is not listed: the disk is asked for each. For single photos.
  package init(in folder: FilePath, _ fileSystem: FileSystem) {
    (mayHaveApples, mayHaveGoogles) = (true, true)
    contains = { name in
      (try? fileSystem.kind(of: folder.appending(name))) == .file
    }
  }

  /// What other programs put beside the photo of a name.
  ///
  /// - Parameter own: The names of the files of Safelight's own edit, which other programs did not make.
  package func companions(of photo: FilePath, besides own: Set<FilePath> = []) -> Companions {
    var companions = Companions()
    func isRender(_ name: FilePath) -> Bool { !own.contains(name) && self.isRender(name) }
    if mayHaveApples {
      let names = AppleNames(photo)
      // Of `IMG_1234.HEIC` and `img_1234.jpg`, each has what is spelt like itself.
      func isOfPhoto(_ name: FilePath, _ photos: (FilePath) -> [FilePath]) -> Bool {
        AppleNames.areSpeltAlike(name, photo) || photos(name).first(where: contains) == photo
      }
      companions.sidecar = names.sidecars.first {
        contains($0) && isOfPhoto($0, AppleNames.originals(ofSidecar:))
      }
      companions.originalSidecar = names.originalSidecars.first {
        contains($0) && isOfPhoto($0, AppleNames.originals(ofOriginalSidecar:))
      }
      companions.render = names.renders.first {
        isRender($0) && isOfPhoto($0, AppleNames.originals(ofRender:))
      }
      if companions.render == nil, companions.sidecar != nil {
        companions.render = names.exportedRenders.first(where: isRender)
      }
      if companions.render != nil { companions.maker = .apple }
    }
    if mayHaveGoogles {
      companions.description = TakeoutNames.descriptions(of: photo).first(where: contains)
      if companions.description != nil, companions.render == nil {
        companions.render = TakeoutNames.renders(of: photo).first(where: isRender)
        if companions.render != nil { companions.maker = .google }
      }
    }
    return companions
  }

  /// The photo that a file of this name is another program's render of; `nil` for a photo of its own.
  ///
  /// A file that has an edit of Safelight's own counts as a photo.
  package func original(ofRender name: FilePath) -> FilePath? {
    guard mayHaveApples || mayHaveGoogles, isRender(name) else { return nil }
    if mayHaveApples {
      if let original = AppleNames.originals(ofRender: name).first(where: contains) {
        return original
      }
      let exported = AppleNames.originals(ofExportedRender: name).first { original in
        contains(original) && AppleNames(original).sidecars.contains(where: contains)
      }
      if let exported { return exported }
    }
    guard mayHaveGoogles else { return nil }
    return TakeoutNames.originals(ofRender: name).first { original in
      contains(original) && TakeoutNames.descriptions(of: original).contains(where: contains)
    }
  }

  /// The photo that a sidecar of Apple's is about; `nil` when it is not there.
  package func photo(ofSidecar name: FilePath) -> FilePath? {
    mayHaveApples ? AppleNames.originals(ofSidecar: name).first(where: contains) : nil
  }

  /// Whether a file of this name is Google's description of a photo.
  package func isDescription(_ name: FilePath) -> Bool {
    mayHaveGoogles && TakeoutNames.mayBeDescription(name)
  }

  /// Whether a name is one that other programs give to renders; if not, nothing needs to be looked up.
  package static func mayBeRender(_ name: FilePath) -> Bool {
    !AppleNames.originals(ofRender: name).isEmpty
      || !AppleNames.originals(ofExportedRender: name).isEmpty
      || !TakeoutNames.originals(ofRender: name).isEmpty
  }

  private func isRender(_ name: FilePath) -> Bool {
    contains(name) && !contains(name.suffixed(FileRole.sidecar.suffix))
  }
}

extension FilePath {
  /// The endings of photos, in small letters and capitals, this name's own first.
  func photoEndings() -> [String] {
    let own = self.extension
    return [own].compactMap(\.self) + PhotoFormat.endings.filter { $0 != own }
  }
}

extension PhotoFormat {
  /// The endings of the names of photos, in small letters and capitals; those that cameras give come first.
  static let endings: [String] = {
    let usual = ["heic", "jpg", "jpeg"]
    let others = allCases.flatMap { $0.file.fileExtensions }.filter { !usual.contains($0) }
    return (usual + others.sorted()).flatMap { [$0.uppercased(), $0] }
  }()
}
