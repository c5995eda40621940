/// A small QuickTime movie or MP4 of boxes that cameras write. Its frames cannot be decoded.
package struct SampleMovie {
  package var isQuickTime = true
  package var contentIdentifier: String?
  /// In milliseconds; `nil` leaves the track of timed metadata out.
  package var stillImageTime: Int?
  /// The four letters of the coding of its frames.
  package var coding = "avc1"
  /// In milliseconds.
  package var duration = 1500
  package var frameCount = 45
  /// Whether the frames are to be turned by a quarter with the clock.
  package var isTurned = false
  package var hasSound = true

  package init() {}

  package var bytes: [UInt8] {
    let brand = Array((isQuickTime ? "qt  " : "isom").utf8)
    return all(
      box("ftyp", all(brand, big(512, 4), brand)),
      box("mdat", [UInt8](repeating: 7, count: 64)), box("moov", moov))
  }

  private var moov: [UInt8] {
    var content = box("mvhd", all(big(0, 12), big(1000, 4), big(duration, 4), big(0, 80)))
    let frame = box(coding, all(big(0, 24), big(480, 2), big(360, 2), big(0, 50)))
    content += track(1, "vide", frame, count: frameCount)
    if hasSound { content += track(2, "soun", box("mp4a", big(0, 28)), count: 60) }
    if let stillImageTime {
      let name = Array("mdtacom.apple.quicktime.still-image-time".utf8)
      let keys = box("keys", box("\0\0\0\u{1}", box("keyd", name)))
      let nothing: [UInt8] = [255, 255, 255, 255]
      let list = all(
        big(0, 4), big(2, 4), big(stillImageTime, 4), nothing, big(0x10000, 4), big(1, 4),
        big(0, 4), big(0x10000, 4))
      let entry = box("mebx", all(big(0, 6), big(1, 2), keys))
      content += track(3, "meta", entry, count: 1, box("edts", box("elst", list)))
    }
    if let contentIdentifier { content += metadata(contentIdentifier) }
    return content
  }

  private func metadata(_ identifier: String) -> [UInt8] {
    let names = ["com.apple.quicktime.make", "com.apple.quicktime.content.identifier"]
    var keys = all(big(0, 4), big(names.count, 4))
    for name in names { keys += box("mdta", Array(name.utf8)) }
    var values: [UInt8] = []
    for (place, text) in ["Apple", identifier].enumerated() {
      let data = box("data", all(big(1, 4), big(0, 4), Array(text.utf8)))
      values += all(big(data.count + 8, 4), big(place + 1, 4), data)
    }
    let handler = box("hdlr", all(big(0, 8), Array("mdta".utf8), big(0, 14)))
    // QuickTime's box has no version, that of MP4 has one.
    let version: [UInt8] = isQuickTime ? [] : big(0, 4)
    return box("meta", all(version, handler, box("keys", keys), box("ilst", values)))
  }

  private func track(
    _ number: Int, _ kind: String, _ entry: [UInt8], count: Int, _ edits: [UInt8] = []
  ) -> [UInt8] {
    let upright = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]
    let turned = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x4000_0000]
    let matrix = isTurned && kind == "vide" ? turned : upright
    var header = all(
      big(7, 4), big(0, 8), big(number, 4), big(0, 4), big(duration, 4), big(0, 16))
    for element in matrix { header += big(element, 4) }
    header += big(0, 8)
    let description = box("stsd", all(big(0, 4), big(1, 4), entry))
    let sizes = box("stsz", all(big(0, 4), big(1, 4), big(count, 4)))
    let times = box("mdhd", all(big(0, 12), big(1000, 4), big(duration, 4), big(0, 4)))
    let handler = box(
      "hdlr", all(big(0, 4), Array("mhlr".utf8), Array(kind.utf8), big(0, 12)))
    let samples = box("minf", box("stbl", all(description, sizes)))
    return box(
      "trak", all(box("tkhd", header), edits, box("mdia", all(times, handler, samples))))
  }
}

/// A box of ISO media with content.
package func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
  all(big(content.count + 8, 4), Array(type.utf8), content)
}

private func all(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

private func big(_ number: Int, _ width: Int) -> [UInt8] {
  (0..<width).reversed().map { place in
    place < 8 ? UInt8(truncatingIfNeeded: number >> (8 * place)) : 0
  }
}

extension SampleMovie {
  /// A JPEG with Apple's maker notes, which name the video of a Live Photo, before all its other segments.
  ///
  /// - Parameters:
  ///   - jpeg: A JPEG without Exif.
  ///   - identifier: The content identifier.
  package static func still(_ jpeg: [UInt8], identifier: String) -> [UInt8] {
    let text: [UInt8] = Array(identifier.utf8) + [0]
    let notes = all(
      Array("Apple iOS\0".utf8), [0, 1], Array("MM".utf8), big(1, 2), big(17, 2), big(2, 2),
      big(text.count, 4), big(32, 4), big(0, 4), text)
    let make = Array("Apple\0".utf8)
    // Both directories, then the maker's name and the notes.
    let (exif, values) = (8 + 2 + 24 + 4, 8 + 30 + 18)
    let main = all(
      big(2, 2), big(0x10F, 2), big(2, 2), big(make.count, 4), big(values, 4), big(0x8769, 2),
      big(4, 2), big(1, 4), big(exif, 4), big(0, 4))
    let inner = all(
      big(1, 2), big(0x927C, 2), big(7, 2), big(notes.count, 4), big(values + make.count, 4),
      big(0, 4))
    let payload = all(
      Array("Exif\0\0".utf8), Array("MM\0*".utf8), big(8, 4), main, inner, make, notes)
    return all(
      [0xFF, 0xD8, 0xFF, 0xE1], big(payload.count + 2, 2), payload, Array(jpeg.dropFirst(2)))
  }

  /// A motion photo of Google's: a JPEG with a packet, and the video behind it.
  package static func motionPhoto(
    _ jpeg: [UInt8], video: [UInt8], padding: Int = 0, length: Int? = nil,
    microseconds: Int = 800_000
  ) -> [UInt8] {
    let packet = """
      http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/">\
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" \
      xmlns:Container="http://ns.google.com/photos/1.0/container/" \
      xmlns:Item="http://ns.google.com/photos/1.0/container/item/" GCamera:MotionPhoto="1" \
      GCamera:MotionPhotoPresentationTimestampUs="\(microseconds)"><Container:Directory><rdf:Seq>\
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary" \
      Item:Length="0" Item:Padding="\(padding)"/></rdf:li><rdf:li rdf:parseType="Resource">\
      <Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto" \
      Item:Length="\(length ?? video.count)" Item:Padding="0"/></rdf:li></rdf:Seq></Container:Directory>\
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    return all(
      [0xFF, 0xD8, 0xFF, 0xE1], big(packet.utf8.count + 2, 2), Array(packet.utf8),
      Array(jpeg.dropFirst(2)), [UInt8](repeating: 0, count: padding), video)
  }
}
