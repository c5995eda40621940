import FoundationEssentials
import SafelightFormats

/// The gain map of a render: a JPEG that stands behind the picture's own, with what its codes mean in both ways that
/// programs read, ISO 21496-1 and the `hdrgm` properties.
///
/// Sources: ISO 21496-1; Android, "Ultra HDR image format" 1.1; CIPA DC-007 (MPF), which lists both pictures.
package struct AttachedGainMap: Sendable {
  /// The map's file.
  package let jpeg: Data

  /// Gives a JPEG the metadata of a gain map.
  ///
  /// - Parameters:
  ///   - coded: A whole JPEG, which has no segment before its tables but JFIF's.
  ///   - meaning: What its codes mean; those of Apple's maps must have become stops before.
  ///   - profile: The profile of the brighter rendition, which some programs show the picture in; nil for the picture's.
  package init(coded: some Collection<UInt8>, meaning: GainMapMeaning, profile: [UInt8]? = nil) {
    let coded = [UInt8](coded)
    // Behind SOI and JFIF's segment.
    let isJFIF = coded.uint16(at: 2) == 0xFFE0
    let start = isJFIF ? 4 + (coded.uint16(at: 4) ?? 0) : 2
    var file = Array(coded.prefix(start))
    file.append(segment: 0xE1, header: CarriedMetadata.xmpHeader, payload: meaning.packet)
    file.append(segment: 0xE2, header: GainMapMeaning.isoHeader, payload: meaning.iso)
    if let profile { file += ICCSegments.segments(Data(profile)) }
    jpeg = Data(file + coded.dropFirst(start))
  }

  /// The map that stands behind the picture in a render, as it is; `nil` when it has none.
  ///
  /// - Parameter render: A JPEG that ``CarriedMetadata/header(size:baked:profile:colors:resolution:derivedFrom:moving:with:)``
  ///   began.
  package init?(behind render: PhotoBytes) {
    guard let map = CarriedMetadata(original: render).gainMap, case .part(let place) = map.place
    else { return nil }
    var jpeg = Data()
    guard render.copy(place, to: { jpeg.append(contentsOf: $0) }) else { return nil }
    self.jpeg = jpeg
  }

  /// The segment of a picture's own header that says that a map follows, in a version that all readers know.
  var mark: [UInt8] {
    var segment: [UInt8] = []
    segment.append(segment: 0xE2, header: GainMapMeaning.isoHeader, payload: [0, 0, 0, 0])
    return segment
  }
}

extension XMPPacket {
  /// The packet with the directory of a file that has a gain map behind its picture. It must have no other directory.
  ///
  /// - Parameter length: The bytes of the map's file.
  func naming(gainMapOf length: Int) -> [UInt8] {
    let rdf = prefix(of: self.rdf)
    return appending(
      """
      <\(rdf)Description \(rdf)about="\(about)" xmlns:hdrgm="\(Namespace.hdrgm)" \
      xmlns:Container="\(Namespace.container)" xmlns:Item="\(Namespace.containerItem)" \
      hdrgm:Version="1.0">
         <Container:Directory>
          <\(rdf)Seq>
           <\(rdf)li \(rdf)parseType="Resource">
            <Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/>
           </\(rdf)li>
           <\(rdf)li \(rdf)parseType="Resource">
            <Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="\(length)"/>
           </\(rdf)li>
          </\(rdf)Seq>
         </Container:Directory>
        </\(rdf)Description>
      """)
  }
}

extension CarriedMetadata {
  /// Warnings without those that do not hold for a picture that has the map, or was not to have it.
  func withoutGainMap(_ warnings: [MetadataWarning]) -> [MetadataWarning] {
    warnings.compactMap { warning in
      switch warning {
      case .gainMapNotCarried, .highDynamicRange: nil
      case .furtherImagesNotCarried(let count) where isGainMapListed:
        count > 1 ? .furtherImagesNotCarried(count: count - 1) : nil
      default: warning
      }
    }
  }
}
