/// A QuickTime movie or an MP4: a file of its own, or a part of a photo's file.
///
/// Only the boxes that describe the movie are read, never its samples but the one that marks the still image.
/// Sources: ISO/IEC 14496-12; Apple, "QuickTime File Format".
package struct Movie: Sendable, Hashable {
  /// One of its tracks.
  package struct Track: Sendable, Hashable {
    /// What the samples of a track are.
    package enum Kind: Sendable, Hashable {
      case video, sound, metadata, other
    }

    /// Its number in the movie.
    package var number = 0
    package var kind = Kind.other
    /// The four letters of its coding, such as `avc1`; empty when the movie does not say.
    package var coding = ""
    package var sampleCount = 0
    /// Units of its own time for a second.
    package var timescale = 0
    /// Pixels of a coded frame; 0 for tracks without a picture.
    package var codedWidth = 0
    package var codedHeight = 0
    /// Quarter turns with the clock that the frames need to be upright, 0 to 3.
    package var quarterTurns = 0
  }

  /// Where it is in the file.
  package let range: Range<Int>
  /// Whether it is a QuickTime movie; otherwise it is an MP4.
  package let isQuickTime: Bool
  /// How long it plays, in seconds.
  package private(set) var duration = 0.0
  /// Units of its time for a second.
  package private(set) var timescale = 0
  package private(set) var tracks: [Track] = []
  /// What joins it with the still of a Live Photo; `nil` when it has none.
  package private(set) var contentIdentifier: String?
  /// When the still of a Live Photo was taken, in seconds from the movie's beginning; `nil` when nothing says it.
  package private(set) var stillImageTime: Double?

  /// The track whose frames are seen; `nil` for a movie without one.
  package var video: Track? { tracks.first { $0.kind == .video } }
  /// Whether it has sound.
  package var hasSound: Bool { tracks.contains { $0.kind == .sound } }
  /// Pixels from left to right and from top to bottom of the frames as they are shown; `nil` without a picture.
  package var size: (width: Int, height: Int)? {
    video.map {
      $0.quarterTurns % 2 == 0
        ? ($0.codedWidth, $0.codedHeight) : ($0.codedHeight, $0.codedWidth)
    }
  }

  /// The largest `moov` that is read: 16 MB, a movie of hours.
  private static let largestDescription = 16 << 20
  private static let mostTracks = 64
  /// The boxes that may stand beside each other in a movie. Whatever else follows is not the movie's.
  private static let outerBoxes: Set<Int> = Set(
    [
      ISOMediaBox.type("ftyp"), ISOMediaBox.type("wide"), ISOMediaBox.type("mdat"),
      ISOMediaBox.type("moov"), ISOMediaBox.type("free"), ISOMediaBox.type("skip"),
      ISOMediaBox.type("uuid"), ISOMediaBox.type("meta"), ISOMediaBox.type("moof"),
      ISOMediaBox.type("mfra"), ISOMediaBox.type("sidx"), ISOMediaBox.type("styp"),
      ISOMediaBox.type("pnot"), ISOMediaBox.type("udta"),
    ])

  /// Reads a movie that begins at an offset; `nil` when none does, or when it is cut short.
  ///
  /// - Parameters:
  ///   - part: From the movie's first byte to the last that may be the movie's.
  ///   - read: Reads bytes of the file.
  package init?(in part: Range<Int>, _ read: ISOMediaFile.Read) {
    var offset = part.lowerBound
    var description: Range<Int>?
    for _ in 0..<4096 {
      guard offset + 8 <= part.upperBound, let head = read(offset, 8),
        let type = head.uint32(at: 4), Self.outerBoxes.contains(type),
        var size = head.uint32(at: 0)
      else { break }
      var header = 8
      if size == 1 {
        guard let long = read(offset + 8, 8), let high = long.uint32(at: 0), high < 1 << 24,
          let low = long.uint32(at: 4)
        else { break }
        (size, header) = (high << 32 | low, 16)
      } else if size == 0 {
        size = part.upperBound - offset
      }
      guard size >= header, size <= part.upperBound - offset else { break }
      if type == ISOMediaBox.type("moov"), description == nil {
        description = offset + header..<offset + size
      }
      offset += size
    }
    guard let description, description.count <= Self.largestDescription,
      let bytes = read(description.lowerBound, description.count)
    else { return nil }
    range = part.lowerBound..<offset
    // The oldest movies of QuickTime have no brand.
    isQuickTime =
      read(part.lowerBound, 12).map { !$0.has("ftyp", at: 4) || $0.has("qt  ", at: 8) } ?? true
    bytes.withUnsafeBytes { bytes in
      let boxes = ISOMediaBox.list(bytes, 0..<bytes.count)
      var scale = 0
      if let box = boxes.first(of: "mvhd"), let header = TimeHeader(bytes, box) {
        scale = header.scale
        duration = header.seconds
        timescale = header.scale
      }
      for box in boxes.filter({ $0.type == ISOMediaBox.type("trak") }).prefix(Self.mostTracks) {
        let description = TrackDescription(bytes, box, movieScale: scale)
        tracks.append(description.track)
        if stillImageTime == nil { stillImageTime = description.stillImageTime }
      }
      let user = boxes.first(of: "udta").map { ISOMediaBox.list(bytes, $0.content) } ?? []
      for meta in (boxes + user) where meta.type == ISOMediaBox.type("meta") {
        if contentIdentifier == nil { contentIdentifier = Self.identifier(bytes, meta) }
      }
    }
    // In fragments the movie's header says no length; such a movie is none of a camera's photos.
    guard !tracks.isEmpty else { return nil }
  }

  /// The content identifier among the values of a `meta` box: `keys` has the names, and `ilst` the values by number.
  private static func identifier(_ bytes: UnsafeRawBufferPointer, _ meta: ISOMediaBox) -> String? {
    // QuickTime's box has no version; that of ISO media has one before its children.
    let start = meta.content.lowerBound
    let isFull = bytes.uint32(at: start + 4) != ISOMediaBox.type("hdlr")
    let boxes = ISOMediaBox.list(
      bytes, min(start + (isFull ? 4 : 0), meta.content.upperBound)..<meta.content.upperBound)
    guard let keys = boxes.first(of: "keys"), let list = boxes.first(of: "ilst"),
      keys.content.count > 8
    else { return nil }
    let names = ISOMediaBox.list(
      bytes, keys.content.lowerBound + 8..<keys.content.upperBound)
    let place = names.firstIndex {
      bytes.has("com.apple.quicktime.content.identifier", at: $0.content.lowerBound)
        && $0.content.count == 38
    }
    guard let place else { return nil }
    for item in ISOMediaBox.list(bytes, list.content) where item.type == place + 1 {
      guard let data = ISOMediaBox.list(bytes, item.content).first(of: "data"),
        (9...264).contains(data.content.count), bytes.uint32(at: data.content.lowerBound) == 1
      else { continue }
      return String(decoding: bytes[data.content.dropFirst(8)], as: UTF8.self)
    }
    return nil
  }
}

extension [ISOMediaBox] {
  /// The first box of a type.
  func first(of type: StaticString) -> ISOMediaBox? {
    first { $0.type == ISOMediaBox.type(type) }
  }

  /// What the samples of a track are, such as `vide`, as a number, by the boxes of its `mdia`; `nil` when none says it.
  func handler(_ bytes: UnsafeRawBufferPointer) -> Int? {
    first(of: "hdlr").flatMap { bytes.uint32(at: $0.content.lowerBound + 8) }
  }
}

extension ISOMediaBox {
  /// Whether it is a `trak` with frames.
  func isVideoTrack(_ bytes: UnsafeRawBufferPointer) -> Bool { isTrack(of: "vide", bytes) }

  /// Whether it is a `trak` with sound.
  func isSoundTrack(_ bytes: UnsafeRawBufferPointer) -> Bool { isTrack(of: "soun", bytes) }

  private func isTrack(of kind: StaticString, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard self.type == Self.type("trak"), let media = Self.list(bytes, content).first(of: "mdia")
    else {
      return false
    }
    return Self.list(bytes, media.content).handler(bytes) == Self.type(kind)
  }
}

/// What `mvhd` and `mdhd` begin with: units per second, and a duration in them.
private struct TimeHeader {
  let scale: Int
  let seconds: Double

  init?(_ bytes: UnsafeRawBufferPointer, _ box: ISOMediaBox) {
    var fields = BoxFields(bytes, box.content)
    guard let version = fields.versionAndFlags()?.version else { return nil }
    let width = version == 1 ? 8 : 4
    guard fields.number(width) != nil, fields.number(width) != nil, let scale = fields.number(4),
      scale > 0, let duration = fields.number(width)
    else { return nil }
    self.scale = scale
    // All bits of a duration that nobody knows are set.
    seconds = duration == 0xFFFF_FFFF ? 0 : Double(duration) / Double(scale)
  }
}

/// What a `trak` box says.
private struct TrackDescription {
  private(set) var track = Movie.Track()
  private(set) var stillImageTime: Double?

  init(_ bytes: UnsafeRawBufferPointer, _ box: ISOMediaBox, movieScale: Int) {
    func children(_ box: ISOMediaBox?) -> [ISOMediaBox] {
      box.map { ISOMediaBox.list(bytes, $0.content) } ?? []
    }
    let boxes = children(box)
    let media = children(boxes.first(of: "mdia"))
    let samples = children(children(media.first(of: "minf")).first(of: "stbl"))
    if let header = boxes.first(of: "tkhd") { read(header, bytes) }
    if let kind = media.handler(bytes) {
      switch kind {
      case ISOMediaBox.type("vide"): track.kind = .video
      case ISOMediaBox.type("soun"): track.kind = .sound
      case ISOMediaBox.type("meta"): track.kind = .metadata
      default: track.kind = .other
      }
    }
    if let box = media.first(of: "mdhd"), let header = TimeHeader(bytes, box) {
      track.timescale = header.scale
    }
    if let sizes = samples.first(of: "stsz") {
      track.sampleCount = bytes.uint32(at: sizes.content.lowerBound + 8) ?? 0
    }
    guard let table = samples.first(of: "stsd"), table.content.count > 8,
      let entry = ISOMediaBox.list(
        bytes, table.content.lowerBound + 8..<table.content.upperBound
      ).first
    else { return }
    let letters = withUnsafeBytes(of: UInt32(truncatingIfNeeded: entry.type).bigEndian, Array.init)
    track.coding = String(decoding: letters, as: UTF8.self)
    if track.kind == .video {
      track.codedWidth = bytes.uint16(at: entry.content.lowerBound + 24) ?? 0
      track.codedHeight = bytes.uint16(at: entry.content.lowerBound + 26) ?? 0
    }
    if entry.type == ISOMediaBox.type("mebx"),
      bytes.offset(of: "com.apple.quicktime.still-image-time", in: entry.content) != nil
    {
      stillImageTime = start(children(boxes.first(of: "edts")).first(of: "elst"), bytes, movieScale)
    }
  }

  private mutating func read(_ header: ISOMediaBox, _ bytes: UnsafeRawBufferPointer) {
    let start = header.content.lowerBound
    let isLong = bytes.byte(at: start) == 1
    track.number = bytes.uint32(at: start + (isLong ? 20 : 12)) ?? 0
    // A matrix of fixed numbers: a, b, u, c, d, v.
    let matrix = start + (isLong ? 52 : 40)
    func number(_ place: Int) -> Int32 {
      Int32(truncatingIfNeeded: bytes.uint32(at: matrix + 4 * place) ?? 0)
    }
    switch (number(0).signum(), number(1).signum(), number(3).signum(), number(4).signum()) {
    case (0, 1, -1, 0): track.quarterTurns = 1
    case (-1, 0, 0, -1): track.quarterTurns = 2
    case (0, -1, 1, 0): track.quarterTurns = 3
    default: break
    }
  }

  /// When the first sample is shown, by the empty edits before it.
  private func start(
    _ edits: ISOMediaBox?, _ bytes: UnsafeRawBufferPointer, _ scale: Int
  ) -> Double? {
    guard let edits, scale > 0 else { return 0 }
    var fields = BoxFields(bytes, edits.content)
    guard let version = fields.versionAndFlags()?.version, let count = fields.number(4) else {
      return nil
    }
    let width = version == 1 ? 8 : 4
    var time = 0
    for _ in 0..<min(count, 1024) {
      guard let duration = fields.number(width) else { return nil }
      let place = fields.rest.lowerBound
      let isEmpty = (0..<width).allSatisfy { bytes.byte(at: place + $0) == 0xFF }
      guard isEmpty else { return Double(time) / Double(scale) }
      // A media time of -1 says that nothing is shown; a number of eight bytes with all bits set is not read as one.
      fields = BoxFields(
        bytes, place + width + 4..<max(place + width + 4, edits.content.upperBound))
      time += duration
    }
    return nil
  }
}
