import SafelightFormats

/// The video inside of a motion photo's file.
///
/// Makers say in several ways where it is. Each place counts only when a movie begins there, so that a photo whose
/// metadata are wrong has the video that is really in it, or none.
package struct ContainedVideo: Sendable, Hashable {
  /// The movie; its range is in the photo's file.
  package let movie: Movie
  /// When the still was taken, in seconds from the movie's beginning; `nil` when nothing says it.
  package let stillImageTime: Double?

  /// Finds the video; `nil` for a photo without one.
  package init?(in file: PhotoBytes) {
    guard let format = PhotoFormat.recognized(in: file), [.jpeg, .heic, .avif].contains(format)
    else { return nil }
    let packets = CarriedMetadata(original: file).xmpPackets.compactMap { XMPPacket($0) }
    let read: ISOMediaFile.Read = { file.bytes(at: $0, count: $1) }
    var found: Movie?
    for place in Self.places(in: file, packets, isJPEG: format == .jpeg) where found == nil {
      guard place.lowerBound > 0, file.has("ftyp", at: place.lowerBound + 4) else { continue }
      found = Movie(in: place, read)
    }
    if found == nil, format == .jpeg, let start = file.placeOfTrailingVideo {
      found = Movie(in: start..<file.count, read)
    }
    guard let found, found.video != nil else { return nil }
    movie = found
    let camera = XMPPacket.Namespace.camera
    let microseconds = packets.lazy.compactMap {
      $0.number(camera, "MotionPhotoPresentationTimestampUs")
        ?? $0.number(camera, "MicroVideoPresentationTimestampUs")
    }.first
    // -1 says that nobody knows.
    stillImageTime =
      microseconds.flatMap { $0 >= 0 && $0 < 1e12 ? $0 / 1e6 : nil } ?? found.stillImageTime
  }

  /// Whether a file says that it has a video, in a way that XMP does not: Samsung's trailer, or the box of HEIF.
  static func isNamed(in file: PhotoBytes) -> Bool {
    file.brands != nil && file.placeOfVideoBox != nil || file.placeOfSamsungVideo != nil
  }

  /// The places that the file names, the surest first. Sources: Android, "Motion Photo format" 1.0; Google's
  /// `MicroVideo` of 2017.
  private static func places(
    in file: PhotoBytes, _ packets: [XMPPacket], isJPEG: Bool
  ) -> [Range<Int>] {
    let offsets = packets.compactMap {
      $0.number(XMPPacket.Namespace.camera, "MicroVideoOffset")
    }.filter { $0 > 0 && $0 < Double(file.count) }.map { file.count - Int($0)..<file.count }
    return [isJPEG ? nil : file.placeOfVideoBox, file.placeOfSamsungVideo].compactMap(\.self)
      + packets.flatMap { $0.furtherPictures(ofFile: file.count) } + offsets
  }
}

extension PhotoBytes {
  /// The content of the `mpvd` box of a HEIF.
  var placeOfVideoBox: Range<Int>? {
    guard
      let place = ISOMediaFile.place(of: "mpvd", { bytes(at: $0, count: $1) })?.content,
      place.upperBound <= count
    else { return nil }
    return place
  }

  /// The block `MotionPhoto_Data` of Samsung's trailer.
  ///
  /// Each entry of its directory has a type, how far before the directory the block begins, and its length; the block
  /// has its type, the length of its name, the name and the data. Source: ExifTool's documentation of Samsung's trailer.
  var placeOfSamsungVideo: Range<Int>? {
    guard has("SEFT", at: count - 4), let length = uint32(at: count - 8, .little) else {
      return nil
    }
    let directory = count - 8 - length
    guard directory > 0, has("SEFH", at: directory),
      let entries = uint32(at: directory + 8, .little), entries <= 256, 12 + 12 * entries <= length
    else { return nil }
    for entry in 0..<entries {
      let place = directory + 12 + 12 * entry
      guard let back = uint32(at: place + 4, .little), let size = uint32(at: place + 8, .little),
        back <= directory, size <= back, size > 24
      else { continue }
      let block = directory - back
      if uint32(at: block + 4, .little) == 16, has("MotionPhoto_Data", at: block + 8) {
        return block + 24..<block + size
      }
    }
    return nil
  }

  /// Where a video behind the picture of a JPEG begins, as far as its first boxes tell.
  fileprivate var placeOfTrailingVideo: Int? {
    // Nearly every JPEG ends with its picture, and need not be read to its end.
    guard bytes(at: count - 2, count: 2) != [0xFF, 0xD9], let walk = JPEGSegments(self),
      let end = walk.endOfImage(in: self), end < count
    else { return nil }
    return JPEGTrailer.video(self, end..<count)
  }
}
