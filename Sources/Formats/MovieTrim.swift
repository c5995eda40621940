/// Plays only a part of a movie, and leaves its sound out. No frame is coded again.
///
/// What is trimmed is said by the edit lists of the tracks, so a frame may be cut off that later ones are decoded from. The
/// trimmed samples stay in the file; those of a sound that is left out do not.
///
/// Source: ISO/IEC 14496-12, 8.6.6 (`elst`); Apple, "QuickTime File Format".
package enum MovieTrim {
  /// The bytes of a movie of which less is played.
  ///
  /// The still-image time stays with its frame; where that frame is trimmed, it moves to the nearest end.
  ///
  /// - Parameters:
  ///   - original: The whole movie.
  ///   - start: Where it begins to play, in seconds of its present time.
  ///   - end: Where it ends; `nil` is its own end, and so is anything beyond it.
  ///   - isMuted: Whether its sound is left out.
  /// - Returns: `nil` when no frame is left, or the movie has tables that cannot be followed.
  package static func bytes(
    of original: [UInt8], from start: Double = 0, to end: Double? = nil, isMuted: Bool = false
  ) -> [UInt8]? {
    original.withUnsafeBytes { bytes in
      let boxes = ISOMediaBox.list(bytes, 0..<bytes.count)
      // The samples of a movie in fragments are elsewhere.
      guard boxes.first(of: "moof") == nil, let movie = boxes.first(of: "moov"),
        let header = ISOMediaBox.list(bytes, movie.content).first(of: "mvhd"),
        let times = MovieTimes(bytes, header), times.scale > 0, start >= 0,
        max(start, end ?? 0) < 1_000_000
      else { return nil }
      let first = Int((start * Double(times.scale)).rounded())
      let last = end.map { Int(($0 * Double(times.scale)).rounded()) } ?? Int.max
      guard first < last else { return nil }
      let part = start > 0 || end != nil ? first..<last : nil
      let type =
        boxes.first(of: "ftyp").map { Array(bytes[$0.start..<$0.content.upperBound]) } ?? []
      var splice = MovieSplice(start: type.count + 8, most: original.count)
      var content: [UInt8] = []
      var duration = 0
      var place: Int?
      var hasVideo = false
      for child in ISOMediaBox.list(bytes, movie.content) {
        let range = child.start..<child.content.upperBound
        guard child.type == ISOMediaBox.type("trak") else {
          if child.start == header.start { place = content.count }
          content += bytes[range]
          continue
        }
        if isMuted, child.isSoundTrack(bytes) { continue }
        let lengthBefore = splice.media.count
        guard let copied = splice.copy(range, of: bytes),
          let track = TrimmedTrack(copied, to: part, movieScale: times.scale)
        else { return nil }
        // A track of which nothing is left would be played whole.
        guard let kept = track.bytes else {
          splice.removeMedia(from: lengthBefore)
          continue
        }
        content += kept
        duration = max(duration, track.duration)
        hasVideo = hasVideo || child.isVideoTrack(bytes)
      }
      guard hasVideo, duration > 0, let place, splice.isSmall else { return nil }
      times.set(
        duration: duration, in: &content, at: place + header.content.lowerBound - header.start)
      let others = boxes.filter {
        [ISOMediaBox.type("uuid"), ISOMediaBox.type("udta")].contains($0.type)
      }
      return type + MovieSplice.box("mdat", splice.media) + MovieSplice.box("moov", content)
        + others.flatMap { bytes[$0.start..<$0.content.upperBound] }
    }
  }

  /// When the still was taken, in seconds of the trimmed movie.
  ///
  /// - Parameters:
  ///   - time: When it was taken, in seconds of the whole movie.
  ///   - start: Where the trimmed movie begins.
  ///   - end: Where it ends.
  package static func stillImageTime(_ time: Double, from start: Double, to end: Double) -> Double {
    min(max(time - start, 0), max(end - start, 0))
  }
}

/// What `mvhd`, `mdhd` and `tkhd` say of time.
private struct MovieTimes {
  /// Units for a second; of a `tkhd` the number of the track.
  let scale: Int
  /// In units; 0 when nobody knows.
  let duration: Int
  private let isLong: Bool
  /// Where the duration stands in the box's content.
  private let place: Int

  /// - Parameter isTrack: Whether the box is a `tkhd`, which has four bytes more before the duration.
  init?(_ bytes: UnsafeRawBufferPointer, _ box: ISOMediaBox, isTrack: Bool = false) {
    var fields = BoxFields(bytes, box.content)
    guard let version = fields.versionAndFlags()?.version else { return nil }
    isLong = version == 1
    let width = isLong ? 8 : 4
    guard fields.number(width) != nil, fields.number(width) != nil, let scale = fields.number(4),
      !isTrack || fields.number(4) != nil
    else { return nil }
    place = fields.rest.lowerBound - box.content.lowerBound
    guard fields.rest.count >= width else { return nil }
    self.scale = scale
    // All bits of a duration that nobody knows are set; of eight they are not read as a number.
    let number = fields.number(width) ?? 0
    duration = number == 0xFFFF_FFFF ? 0 : number
  }

  /// Writes another duration.
  ///
  /// - Parameter start: Where the box's content begins.
  func set(duration: Int, in bytes: inout [UInt8], at start: Int) {
    if isLong { bytes.set(uint32: duration >> 32, at: start + place, .big) }
    bytes.set(uint32: duration & 0xFFFF_FFFF, at: start + place + (isLong ? 4 : 0), .big)
  }
}

/// A `trak` box of which a part is played.
private struct TrimmedTrack {
  /// The box; `nil` when nothing of it is left.
  private(set) var bytes: [UInt8]?
  /// How long it plays, in units of the movie.
  private(set) var duration = 0

  /// One line of an edit list.
  private struct Edit {
    /// In units of the movie.
    var duration: Int
    /// Where it begins in the samples, in units of the track; `nil` where nothing is shown.
    var media: Int?
    /// How fast it plays; 16 bits behind the point.
    var rate: Int
  }

  /// - Parameters:
  ///   - track: The whole box.
  ///   - part: What is played, in units of the movie; `nil` for everything.
  /// - Returns: `nil` when the box cannot be read.
  init?(_ track: [UInt8], to part: Range<Int>?, movieScale: Int) {
    let made: (bytes: [UInt8]?, duration: Int)? = track.withUnsafeBytes { bytes in
      func children(_ box: ISOMediaBox?) -> [ISOMediaBox] {
        box.map { ISOMediaBox.list(bytes, $0.content) } ?? []
      }
      let parts = children(ISOMediaBox.list(bytes, 0..<bytes.count).first)
      let media = children(parts.first(of: "mdia"))
      guard let header = parts.first(of: "tkhd"),
        let times = MovieTimes(bytes, header, isTrack: true),
        let mediaTimes = media.first(of: "mdhd").flatMap({ MovieTimes(bytes, $0) }),
        mediaTimes.scale > 0
      else { return nil }
      let length = Int(
        (Double(mediaTimes.duration) * Double(movieScale) / Double(mediaTimes.scale)).rounded())
      var edits = [Edit(duration: length, media: 0, rate: 0x10000)]
      if let list = children(parts.first(of: "edts")).first(of: "elst") {
        guard let read = Self.edits(bytes, list) else { return nil }
        if !read.isEmpty { edits = read }
      }
      guard let part else {
        let duration = times.duration > 0 ? times.duration : edits.reduce(0) { $0 + $1.duration }
        return (Array(bytes), duration)
      }
      let samples = children(children(media.first(of: "minf")).first(of: "stbl"))
      let isStillTime = samples.first(of: "stsd").map {
        bytes.offset(of: "com.apple.quicktime.still-image-time", in: $0.content) != nil
      }
      edits =
        isStillTime == true
        ? Self.moved(edits, to: part) : Self.trimmed(edits, to: part, mediaTimes.scale, movieScale)
      guard edits.contains(where: { $0.media != nil }) else { return (nil, 0) }
      let duration = edits.reduce(0) { $0 + $1.duration }
      var content: [UInt8] = []
      for child in parts where child.type != ISOMediaBox.type("edts") {
        let start = content.count
        content += bytes[child.start..<child.content.upperBound]
        guard child.start == header.start else { continue }
        times.set(
          duration: duration, in: &content,
          at: start + header.content.lowerBound - header.start)
        content += MovieSplice.box("edts", MovieSplice.box("elst", Self.list(edits)))
      }
      return (MovieSplice.box("trak", content), duration)
    }
    guard let made else { return nil }
    (bytes, duration) = made
  }

  /// The lines of an edit list; `nil` when it cannot be read.
  private static func edits(_ bytes: UnsafeRawBufferPointer, _ box: ISOMediaBox) -> [Edit]? {
    var fields = BoxFields(bytes, box.content)
    guard let version = fields.versionAndFlags()?.version, let count = fields.number(4),
      count <= 1024
    else { return nil }
    let width = version == 1 ? 8 : 4
    var edits: [Edit] = []
    for _ in 0..<count {
      guard let duration = fields.number(width), duration < 1 << 40, fields.rest.count >= width + 4
      else { return nil }
      // A media time of -1 says that nothing is shown; a number of eight bytes with all bits set is not read as one.
      let place = fields.rest.lowerBound
      let isEmpty = (0..<width).allSatisfy { bytes.byte(at: place + $0) == 0xFF }
      var media: Int?
      if !isEmpty {
        guard let number = fields.number(width), number < 1 << 40 else { return nil }
        media = number
      } else {
        fields = BoxFields(bytes, place + width..<box.content.upperBound)
      }
      guard let rate = fields.number(4) else { return nil }
      edits.append(Edit(duration: duration, media: media, rate: rate))
    }
    return edits
  }

  /// The part of edits that is played.
  private static func trimmed(
    _ edits: [Edit], to part: Range<Int>, _ mediaScale: Int, _ movieScale: Int
  ) -> [Edit] {
    var result: [Edit] = []
    var time = 0
    for edit in edits {
      let whole = time..<time + edit.duration
      time = whole.upperBound
      let left = whole.clamped(to: part)
      guard !left.isEmpty else { continue }
      var new = edit
      new.duration = left.count
      if let media = edit.media {
        let skipped = Double(left.lowerBound - whole.lowerBound) * Double(edit.rate) / 0x10000
        new.media =
          media + Int((skipped * Double(mediaScale) / Double(movieScale)).rounded())
      }
      result.append(new)
    }
    return result
  }

  /// The edits of the track that marks the still by its first sample, which stays in the movie.
  private static func moved(_ edits: [Edit], to part: Range<Int>) -> [Edit] {
    guard let index = edits.firstIndex(where: { $0.media != nil }) else { return [] }
    let before = edits[..<index].reduce(0) { $0 + $1.duration }
    var mark = edits[index]
    mark.duration = max(min(mark.duration, part.count), 1)
    let last = part.upperBound == Int.max ? Int.max : part.count - mark.duration
    let time = min(max(before - part.lowerBound, 0), max(last, 0))
    return (time > 0 ? [Edit(duration: time, media: nil, rate: 0x10000)] : []) + [mark]
  }

  /// The content of an `elst` box.
  private static func list(_ edits: [Edit]) -> [UInt8] {
    let isLong = edits.contains { max($0.duration, $0.media ?? 0) >= 1 << 31 }
    var content: [UInt8] = []
    content.append(uint32: isLong ? 1 << 24 : 0)
    content.append(uint32: edits.count)
    for edit in edits {
      for number in [edit.duration, edit.media ?? -1] {
        if isLong { content.append(uint32: (number >> 32) & 0xFFFF_FFFF) }
        content.append(uint32: number & 0xFFFF_FFFF)
      }
      content.append(uint32: edit.rate)
    }
    return content
  }
}
