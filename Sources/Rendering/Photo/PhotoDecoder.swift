import FoundationEssentials
import SafelightFiles
import SafelightFormats
import SafelightMetadata
import SafelightVips

extension PhotoFormat {
  /// The table of the decoders. What is known of a format without one is in ``file``.
  var decoder: PhotoDecoder {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .tiff: .tiff
    case .webp: .webP
    case .heic: .heic
    case .avif: .avif
    }
  }

  /// The part of libvips that decodes, when it is loaded late.
  package var module: Renderer.Module? { decoder.module }
}

/// How photos of a format become pixels and facts: a row of ``PhotoFormat/decoder``.
struct PhotoDecoder: Sendable {
  /// The Debian package whose absence leaves libvips without the decoder.
  let package: String
  /// The part of libvips that decodes, when it is loaded late.
  var module: Renderer.Module?
  /// Whether the decoder makes halves, quarters and eighths faster than whole pictures.
  var shrinks = false

  /// The kind of a photo that the decoder does not read, by its header.
  var unsupported: @Sendable (PhotoBytes) -> UnsupportedPhoto? = { _ in nil }
  /// The kind of a photo that the decoder has refused; `nil` for a damaged one.
  var refused: @Sendable (PhotoBytes) -> UnsupportedPhoto? = { _ in nil }
  /// Corrects what the metadata and the decoder say of a photo by what only this format has.
  var facts: @Sendable (inout StoredFacts, PhotoFile, PictureFacts) -> Void = { _, _, _ in }
  /// Opens the picture as it is stored, to be read once from top to bottom.
  let picture: @Sendable (PhotoFile, _ shrink: Int) throws(VipsError) -> Picture
}

/// The open file of a photo, for its decoder.
struct PhotoFile: Sendable {
  let source: PhotoSource
  let bytes: PhotoBytes

  init(_ source: PhotoSource) {
    self.source = source
    let size = try? FileSystem.real.status(of: source.file).size
    bytes = PhotoBytes(source.file, size: Int(size ?? 0))
  }

  /// Lets libvips open the picture, which has no plane but the color.
  ///
  /// - Parameters:
  ///   - patch: What libvips reads in place of some of the file's bytes.
  ///   - page: Which picture of a TIFF.
  func picture(
    as format: Image.FileFormat, shrink: Int = 1, replacing patch: BytePatch? = nil,
    page: (number: Int, child: Int?)? = nil
  ) throws(VipsError) -> Picture {
    let file = try Source(
      source.file, isMapped: source.isMapped, replacing: patch.map { ($0.offset, $0.bytes) })
    return Picture(
      try Image.open(
        file, as: format, allowingDamage: source.allowsDamage, shrink: shrink, page: page))
  }
}

/// What a photo says about its pixels: how they are stored, and what they mean.
struct StoredFacts: Sendable {
  /// What turns the decoded pixels upright.
  var orientation: Orientation
  /// The number of pictures in the file.
  var pictures: Int
  /// Whether the photo is the first of them.
  var isFirstPicture = true
  /// What the layout of the pixels costs.
  var warnings: [RenderWarning] = []
  /// The colors that the file declares by numbers; `nil` when it declares none.
  let codedColor: CodedColor?
  /// Whether the samples of a TIFF are ICC Lab, photometric interpretation 9, which libvips does not
  /// know.
  var isICCLab = false
  /// How a JPEG was encoded; `nil` for other formats and damaged headers.
  var jpegCoding: JPEGCoding?
  /// What the camera chose and adjustments begin from.
  var asShot = AsShot()

  /// The facts that formats have in common.
  init(_ metadata: CarriedMetadata, _ decoded: PictureFacts) {
    // Only the metadata that a render carries decide, so that nothing turns the pixels once more: what a decoder finds in
    // a block that is too damaged to be carried does not count.
    orientation = Orientation(exif: metadata.exif?.orientation ?? 1)
    pictures = max(metadata.frameCount, decoded.pictures)
    codedColor = metadata.codedColor
  }
}

/// What the camera chose when it took a photo, where adjustments may change it afterwards. The formats of this version have
/// colors that are finished, and say nothing.
struct AsShot: Sendable, Hashable {
  /// The color temperature that is white, in kelvin.
  var temperature: Double?
  /// How far white lies from that temperature towards green, in the unit of `WhiteBalance`.
  var tint: Double?
}

// MARK: - The rows

extension PhotoDecoder {
  /// By libjpeg.
  static let jpeg = PhotoDecoder(
    package: "libvips42", shrinks: true,
    unsupported: { UnsupportedPhoto.jpeg($0) },
    facts: { facts, file, _ in facts.jpegCoding = JPEGCoding(file.bytes) },
    picture: { (file, shrink) throws(VipsError) in try file.picture(as: .jpeg, shrink: shrink) })

  /// By libpng.
  static let png = PhotoDecoder(
    package: "libvips42",
    picture: { (file, _) throws(VipsError) in try file.picture(as: .png) })

  /// By libwebp.
  static let webP = PhotoDecoder(
    package: "libvips42",
    picture: { (file, _) throws(VipsError) in try file.picture(as: .webp) })

  /// By libtiff. The photo is the first picture, or the first behind a thumbnail.
  static let tiff = PhotoDecoder(
    package: "libvips42",
    unsupported: { file in
      do throws(UnsupportedPhoto) {
        _ = try TIFFLayout(file)
        return nil
      } catch {
        return error
      }
    },
    facts: { facts, file, _ in
      guard let tiff = file.bytes.tiff, let photo = tiff.photo else { return }
      facts.orientation = Orientation(exif: photo.number(274) ?? 1)
      facts.pictures = tiff.pictures.count { !$0.isPart }
      guard let layout = try? TIFFLayout(file.bytes) else { return }
      facts.isICCLab = layout.isICCLab
      facts.warnings += layout.warnings
    },
    picture: { (file, _) throws(VipsError) in
      let photo = file.bytes.tiff?.photo
      let layout = try? TIFFLayout(file.bytes)
      var picture = try file.picture(
        as: .tiff, replacing: layout?.view,
        page: photo.flatMap { $0.isFirst ? nil : ($0.page, $0.child) })
      if let layout { picture.color = try layout.picture(of: picture.color) }
      return picture
    })

  /// By libheif with libde265.
  static let heic = heif(package: "libheif1 and libde265-0")

  /// By libheif with dav1d.
  static let avif = heif(package: "libheif1 and libdav1d6")

  private static func heif(package: String) -> PhotoDecoder {
    PhotoDecoder(
      package: package, module: .heif,
      refused: { UnsupportedPhoto.undecodedMedia(media($0), $0) },
      facts: { facts, file, _ in
        // The decoder sees a view of the file with one picture.
        if let media = media(file.bytes) {
          facts.pictures = max(media.pictureCount, media.frameCount, 1)
          facts.isFirstPicture = media.isPrimaryFirst
        }
        // libheif has turned the pixels as the file's boxes say. The EXIF tag is a copy and must not
        // turn them again (ISO/IEC 23008-12, annex A).
        facts.orientation = .upright
      },
      picture: { (file, _) throws(VipsError) in
        // The decoder meets nothing but the picture. Where the boxes do not say enough, it reads the
        // file as it is: the view makes more photos readable, and what keeps a decoder from harm is
        // the darkroom.
        let media = media(file.bytes)
        let view = media?.pictureOnly(ofFile: file.bytes.count)
        var picture = try file.picture(as: .heif, replacing: view)
        if media?.isPremultiplied == true, picture.color.hasAlpha {
          let bits = picture.color.number("heif-bitdepth") ?? 16
          picture.color = try picture.color.withStraightColors(bits: bits)
        }
        return picture
      })
  }

  static func media(_ header: PhotoBytes) -> ISOMediaFile? {
    ISOMediaFile { header.bytes(at: $0, count: $1) }
  }
}

// MARK: - Recognizing

extension PhotoFormat {
  /// What a header shows.
  package enum Recognition: Sendable, Equatable {
    /// A photo of a format that Safelight edits.
    case photo(PhotoFormat)
    /// A picture of a kind that Safelight does not edit, such as “a camera raw file”.
    case unsupported(String)
    /// Nothing that Safelight knows as a picture.
    case nothing

    /// Recognizes a file by its header.
    package init(_ header: PhotoBytes) {
      do throws(RenderError) {
        self = .photo(try PhotoFormat(header))
      } catch {
        self =
          if case .unsupportedFormat(let kind, _) = error { .unsupported(kind) } else { .nothing }
      }
    }
  }

  /// Recognizes a file by its header.
  ///
  /// - Throws: ``RenderError/unsupportedFormat(_:reason:)`` for pictures that Safelight does not
  ///   edit, ``RenderError/notAPicture`` for everything else, ``RenderError/empty``.
  init(_ header: PhotoBytes) throws(RenderError) {
    guard !header.beginning.isEmpty else { throw .empty }
    guard let format = PhotoFormat.recognized(in: header) else {
      throw UnsupportedPhoto.beginning(header)?.error ?? .notAPicture
    }
    self = format
  }
}
