import SafelightFormats

extension ExifBlock {
  /// Blanks the JPEGs that cameras keep in their notes as previews: they show the photo as it was taken. Nothing moves, so
  /// that what else is in the notes stays readable; ExifTool then finds as many zeros.
  ///
  /// A preview is found by its segments, whatever tag leads to it; one that is cut off stays, because nothing says where it
  /// would end. Source: ITU-T T.81, annex B.
  mutating func blankPreviews() {
    // Behind the last end of a picture no other one is looked for: hostile blocks have thousands of beginnings.
    guard
      let last = bytes.indices.dropLast().last(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9 }
      )
    else { return }
    var place = 0
    while place + 4 <= last {
      guard let end = endOfPicture(at: place) else {
        place += 1
        continue
      }
      for index in place..<end { bytes[index] = 0 }
      place = end
    }
  }

  /// The end of the JPEG that begins somewhere; `nil` where none does. Minolta's notes have another byte than 0xFF in front.
  private func endOfPicture(at start: Int) -> Int? {
    guard bytes[start + 1] == 0xD8, bytes[start + 2] == 0xFF, bytes[start + 3] >= 0xC0 else {
      return nil
    }
    var reader = JPEGReader(size: bytes.count, limit: 64)
    reader.offset = start + 2
    var hasFrame = false
    while let segment = reader.next({ place, count in
      place + count <= bytes.count ? Array(bytes[place..<(place + count)]) : nil
    }) {
      if segment.isFrame { hasFrame = true }
      guard segment.isScan else { continue }
      guard hasFrame else { return nil }
      // Coded pixels have no end-of-image marker but the last one.
      var place = reader.offset
      while place + 2 <= bytes.count {
        if bytes[place] == 0xFF, bytes[place + 1] == 0xD9 { return place + 2 }
        place += 1
      }
      return nil
    }
    return nil
  }
}
