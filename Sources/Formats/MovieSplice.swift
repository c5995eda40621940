/// Puts the frames of one movie into another one, which keeps everything else: sound, timed metadata, names and dates.
///
/// Source: ISO/IEC 14496-12; Apple, "QuickTime File Format".
package struct MovieSplice {
  private(set) var media: [UInt8] = []
  /// Where ``media`` begins in the file.
  private let start: Int
  /// The most bytes of samples: those of both movies. Only a damaged table that names the same bytes
  /// repeatedly needs more.
  private let most: Int

  /// The bytes of a movie with the frames of another.
  ///
  /// - Parameters:
  ///   - original: The movie that keeps all but its frames.
  ///   - rendered: The movie that has the new frames. Both count time in the same units.
  /// - Returns: `nil` when one of them is not whole, or has tables that cannot be followed.
  package static func bytes(of original: [UInt8], withVideoOf rendered: [UInt8]) -> [UInt8]? {
    original.withUnsafeBytes { original in
      rendered.withUnsafeBytes { rendered in
        let boxes = ISOMediaBox.list(original, 0..<original.count)
        // The samples of a movie in fragments are elsewhere.
        guard boxes.first(of: "moof") == nil, let movie = boxes.first(of: "moov"),
          let other = ISOMediaBox.list(rendered, 0..<rendered.count).first(of: "moov"),
          let video = ISOMediaBox.list(rendered, other.content)
            .first(where: { $0.isVideoTrack(rendered) })
        else { return nil }
        let type =
          boxes.first(of: "ftyp").map { Array(original[$0.start..<$0.content.upperBound]) }
          ?? box("ftyp", Array("qt  \0\0\0\0qt  ".utf8))
        var splice = MovieSplice(start: type.count + 8, most: original.count + rendered.count)
        var content: [UInt8] = []
        var isReplaced = false
        for child in ISOMediaBox.list(original, movie.content) {
          let range = child.start..<child.content.upperBound
          if child.type != ISOMediaBox.type("trak") {
            content += original[range]
          } else if !isReplaced, child.isVideoTrack(original) {
            guard let track = splice.track(video, rendered, inPlaceOf: child, original) else {
              return nil
            }
            content += track
            isReplaced = true
          } else {
            guard let track = splice.copy(range, of: original) else { return nil }
            content += track
          }
        }
        guard isReplaced, splice.isSmall else { return nil }
        // Names and packets beside the movie. A `meta` beside the movie is dropped, because its items name places in the
        // file.
        let others = boxes.filter {
          [ISOMediaBox.type("uuid"), ISOMediaBox.type("udta")].contains($0.type)
        }
        return type + box("mdat", splice.media) + box("moov", content)
          + others.flatMap { original[$0.start..<$0.content.upperBound] }
      }
    }
  }

  /// - Parameters:
  ///   - start: Where the samples begin in the new file.
  ///   - most: The most bytes of samples.
  init(start: Int, most: Int) { (self.start, self.most) = (start, most) }

  /// Whether all places in the file fit into four bytes.
  var isSmall: Bool { start + media.count < 1 << 31 }

  /// Takes the samples that were added last away again.
  mutating func removeMedia(from count: Int) { media.removeSubrange(count...) }

  /// A box with content.
  static func box(_ type: StaticString, _ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(uint32: content.count + 8)
    bytes.append(ascii: type)
    return bytes + content
  }

  /// The new video track, with the number, the references and the metadata of the track whose place it takes.
  private mutating func track(
    _ video: ISOMediaBox, _ rendered: UnsafeRawBufferPointer, inPlaceOf old: ISOMediaBox,
    _ original: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    let (new, before) = (
      ISOMediaBox.list(rendered, video.content), ISOMediaBox.list(original, old.content)
    )
    guard let header = new.first(of: "tkhd"), let oldHeader = before.first(of: "tkhd"),
      let media = new.first(of: "mdia"),
      let copied = copy(media.start..<media.content.upperBound, of: rendered)
    else { return nil }
    var head = Array(rendered[header.start..<header.content.upperBound])
    func number(_ version: UInt8?) -> Int { version == 1 ? 20 : 12 }
    let place = oldHeader.content.lowerBound
    guard let track = original.uint32(at: place + number(original.byte(at: place))) else {
      return nil
    }
    let offset = header.content.lowerBound - header.start
    head.set(uint32: track, at: offset + number(head.byte(at: offset)), .big)
    var content = head
    if let edits = new.first(of: "edts") {
      content += rendered[edits.start..<edits.content.upperBound]
    }
    // The new frames have another clean aperture, edits and samples.
    let replaced: Set = [
      ISOMediaBox.type("tkhd"), ISOMediaBox.type("edts"), ISOMediaBox.type("mdia"),
      ISOMediaBox.type("tapt"), ISOMediaBox.type("clip"), ISOMediaBox.type("matt"),
    ]
    let kept = before.filter { !replaced.contains($0.type) }
    for box in kept where box.type == ISOMediaBox.type("tref") {
      content += original[box.start..<box.content.upperBound]
    }
    content += copied
    for box in kept where box.type != ISOMediaBox.type("tref") {
      content += original[box.start..<box.content.upperBound]
    }
    return Self.box("trak", content)
  }

  /// A `trak` or `mdia` box whose samples were copied, with their new places.
  mutating func copy(
    _ range: Range<Int>, of bytes: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    var copied = Array(bytes[range])
    func children(_ box: ISOMediaBox) -> [ISOMediaBox] { ISOMediaBox.list(bytes, box.content) }
    guard let outer = ISOMediaBox.list(bytes, range).first else { return nil }
    let media =
      outer.type == ISOMediaBox.type("mdia")
      ? outer : children(outer).first(of: "mdia")
    guard let media, let information = children(media).first(of: "minf"),
      let table = children(information).first(of: "stbl"),
      // Places beside those of chunks, and samples in other files, cannot be followed.
      children(table).first(of: "saio") == nil, Self.isSelfContained(children(information), bytes),
      let chunks = ChunkTable(
        children(table), bytes,
        isSound: children(media).handler(bytes) == ISOMediaBox.type("soun"))
    else { return nil }
    for (chunk, length) in chunks.lengths.enumerated() {
      guard let offset = chunks.offset(of: chunk, bytes), length <= bytes.count - offset,
        self.media.count + length <= most
      else { return nil }
      let place = chunks.place(of: chunk) - range.lowerBound
      let new = start + append(bytes[offset..<offset + length])
      if chunks.isLong { copied.set(uint32: 0, at: place, .big) }
      copied.set(uint32: new, at: place + (chunks.isLong ? 4 : 0), .big)
    }
    return copied
  }

  /// Whether all samples of a track are in the movie's own file.
  private static func isSelfContained(
    _ information: [ISOMediaBox], _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    let data = information.first(of: "dinf").map { ISOMediaBox.list(bytes, $0.content) } ?? []
    guard let references = data.first(of: "dref"), references.content.count >= 8 else {
      return true
    }
    let entries = references.content.lowerBound + 8..<references.content.upperBound
    return ISOMediaBox.list(bytes, entries).allSatisfy {
      bytes.uint32(at: $0.content.lowerBound).map { $0 & 1 == 1 } == true
    }
  }

  /// Adds samples.
  ///
  /// - Returns: Where they begin in ``media``.
  private mutating func append(_ samples: Slice<UnsafeRawBufferPointer>) -> Int {
    defer { media += samples }
    return media.count
  }
}

/// Where the samples of a track are: in chunks, one behind the other.
private struct ChunkTable {
  /// The bytes of each chunk.
  private(set) var lengths: [Int] = []
  /// Whether offsets have eight bytes.
  let isLong: Bool
  private let offsets: Int

  private static let mostSamples = 4 << 20

  init?(_ boxes: [ISOMediaBox], _ bytes: UnsafeRawBufferPointer, isSound: Bool) {
    let short = boxes.first(of: "stco")
    guard let places = short ?? boxes.first(of: "co64"), let runs = boxes.first(of: "stsc"),
      let sizes = boxes.first(of: "stsz"),
      let count = bytes.uint32(at: places.content.lowerBound + 4),
      let runCount = bytes.uint32(at: runs.content.lowerBound + 4),
      let equal = bytes.uint32(at: sizes.content.lowerBound + 4),
      let sampleCount = bytes.uint32(at: sizes.content.lowerBound + 8),
      sampleCount <= Self.mostSamples || equal > 0, count <= Self.mostSamples
    else { return nil }
    isLong = short == nil
    offsets = places.content.lowerBound + 8
    guard offsets + count * (isLong ? 8 : 4) <= places.content.upperBound,
      runs.content.lowerBound + 8 + 12 * runCount <= runs.content.upperBound,
      runCount > 0 || count == 0
    else { return nil }
    // Old sound tracks count each value of a channel as a sample of one byte; their real sizes are in the description.
    if isSound, equal == 1 { return nil }
    var run = 0
    var sample = 0
    func first(_ run: Int) -> Int {
      run < runCount ? (bytes.uint32(at: runs.content.lowerBound + 8 + 12 * run) ?? 0) : Int.max
    }
    for chunk in 0..<count {
      while first(run + 1) <= chunk + 1 { run += 1 }
      guard let samples = bytes.uint32(at: runs.content.lowerBound + 12 + 12 * run),
        samples <= sampleCount - sample
      else { return nil }
      if equal > 0 {
        let (length, isTooLong) = samples.multipliedReportingOverflow(by: equal)
        if isTooLong || length > bytes.count { return nil }
        lengths.append(length)
      } else {
        var length = 0
        for index in sample..<sample + samples {
          guard let size = bytes.uint32(at: sizes.content.lowerBound + 12 + 4 * index) else {
            return nil
          }
          length += size
        }
        if length > bytes.count { return nil }
        lengths.append(length)
      }
      sample += samples
    }
  }

  /// Where the offset of a chunk stands.
  func place(of chunk: Int) -> Int { offsets + chunk * (isLong ? 8 : 4) }

  /// Where a chunk begins in the file.
  func offset(of chunk: Int, _ bytes: UnsafeRawBufferPointer) -> Int? {
    let place = place(of: chunk)
    guard isLong else { return bytes.uint32(at: place).flatMap { $0 <= bytes.count ? $0 : nil } }
    guard bytes.uint32(at: place) == 0 else { return nil }
    return bytes.uint32(at: place + 4).flatMap { $0 <= bytes.count ? $0 : nil }
  }
}
