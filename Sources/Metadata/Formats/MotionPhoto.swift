import FoundationEssentials
import SafelightFormats

/// Puts a video behind a JPEG, which makes a motion photo of it.
///
/// Sources: Android, "Motion Photo format" 1.0; CIPA DC-007 (MPF), whose list has the pictures and not the video.
package enum MotionPhoto {
  /// The bytes of a JPEG with a video.
  ///
  /// - Parameters:
  ///   - jpeg: A whole JPEG with an XMP packet and without a video, with a gain map or without.
  ///   - video: The whole movie.
  ///   - mime: What kind of movie it is: `video/mp4` or `video/quicktime`.
  ///   - time: When the still was taken, in seconds from the movie's beginning; `nil` when nobody knows.
  /// - Returns: `nil` for a JPEG without a packet, or with one that has no room for what names the video.
  package static func bytes(
    of jpeg: [UInt8], with video: [UInt8], mime: String, stillImageTime time: Double?
  ) -> [UInt8]? {
    guard let walk = JPEGSegments(PhotoBytes(Data(jpeg))) else { return nil }
    let header = CarriedMetadata.xmpHeader
    func payload(_ segment: JPEGReader.Segment) -> ArraySlice<UInt8> { jpeg[segment.payload] }
    let found = walk.segments.first { $0.marker == 0xE1 && payload($0).starts(with: header) }
    guard let place = found?.payload,
      let packet = XMPPacket(jpeg[(place.lowerBound + header.count)..<place.upperBound])?
        .naming(videoOf: video.count, mime: mime, at: time),
      packet.count <= XMPPacket.largestPacket
    else { return nil }
    var segment: [UInt8] = []
    segment.append(segment: 0xE1, header: header, payload: packet)
    let old = place.lowerBound - 4..<place.upperBound
    let growth = segment.count - old.count
    var result = jpeg
    result.replaceSubrange(old, with: segment)
    // The list of pictures says how long the first one is; where the others are, it counts from itself.
    let list = walk.segments.first {
      $0.marker == 0xE2 && payload($0).starts(with: Array("MPF\0".utf8))
    }
    if let list = list?.payload,
      let index = MultiPictureIndex(Array(jpeg[list]), at: list.lowerBound), index.images.count > 1
    {
      var lengths = index.images.map(\.count)
      lengths[0] += growth
      let start = list.lowerBound - 4 + growth
      let new = MultiPictureIndex.segment(of: lengths, at: start)
      guard list.lowerBound > old.upperBound, new.count == list.count + 4 else { return nil }
      result.replaceSubrange(start..<start + new.count, with: new)
    }
    return result + video
  }
}

extension XMPPacket {
  /// The packet with what names a video behind the picture; it must name none yet. `nil` when its directory of further
  /// pictures cannot be read.
  fileprivate func naming(videoOf length: Int, mime: String, at time: Double?) -> [UInt8]? {
    let rdf = prefix(of: self.rdf)
    func item(_ semantic: String, _ mime: String, _ more: String = "") -> String {
      """
      <\(rdf)li \(rdf)parseType="Resource">
            <Container:Item xmlns:Container="\(Namespace.container)" xmlns:Item="\(Namespace.containerItem)" \
      Item:Semantic="\(semantic)" Item:Mime="\(mime)"\(more)/>
           </\(rdf)li>
      """
    }
    let video = item("MotionPhoto", mime, " Item:Length=\"\(length)\" Item:Padding=\"0\"")
    var packet = self
    var directory = ""
    if let present = properties(Namespace.container, "Directory").first {
      let list = tree.children(of: present).first { $0.namespace == Namespace.rdf }
      guard let end = list?.content?.upperBound else { return nil }
      var edits = TextEdits()
      edits.replace(end..<end, with: " \(video)\n    ")
      guard let changed = XMPPacket(edits.applied(to: bytes)) else { return nil }
      packet = changed
    } else {
      directory = """

           <Container:Directory xmlns:Container="\(Namespace.container)">
            <\(rdf)Seq>
             \(item("Primary", "image/jpeg"))
             \(video)
            </\(rdf)Seq>
           </Container:Directory>
        """
    }
    let microseconds = time.map { Int(($0 * 1e6).rounded()) } ?? -1
    return packet.appending(
      """
      <\(rdf)Description \(rdf)about="\(about)" xmlns:GCamera="\(Namespace.camera)" \
      GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" \
      GCamera:MotionPhotoPresentationTimestampUs="\(microseconds)">\(directory)
        </\(rdf)Description>
      """)
  }
}
