extension TIFFPictures {
  /// A view of the file in which a directory has other whole numbers in some tags, or lacks these tags.
  ///
  /// Decoders then read samples as they are stored, where they would take them for something else. Nothing of the file
  /// moves: the directory gets no longer, and what it needs less holds the numbers that do not fit an entry.
  /// Source: TIFF 6.0, section 2; BigTIFF.
  ///
  /// - Parameters:
  ///   - picture: The picture whose directory is another.
  ///   - tags: Numbers by tag, each below 65,536 or one below 2 to the power of 32; `nil` for tags to leave out.
  ///   - read: Reads bytes of the file; `nil` when they are not all there.
  /// - Returns: What to read in place of the directory; `nil` when it cannot be read or has no room.
  package func view(
    of picture: Picture, replacing tags: [Int: [Int]?], _ read: Read
  ) -> BytePatch? {
    let (countSize, entrySize, pointerSize) = isBig ? (8, 20, 8) : (2, 12, 4)
    guard let head = read(picture.directory, countSize),
      let count = isBig ? Self.offset(head, at: 0, order, isBig: true) : head.uint16(at: 0, order),
      (0...Self.mostEntries).contains(count),
      let old = read(picture.directory, countSize + entrySize * count + pointerSize)
    else { return nil }
    var entries: [(tag: Int, bytes: [UInt8])] = []
    for place in 0..<count {
      let start = countSize + entrySize * place
      guard let tag = old.uint16(at: start, order) else { return nil }
      if tags[tag] == nil { entries.append((tag, Array(old[start..<start + entrySize]))) }
    }
    let added = tags.compactMap { tag, numbers in numbers.map { (tag: tag, numbers: $0) } }
    let kept = countSize + entrySize * (entries.count + added.count)
    var values = kept + pointerSize
    var outside: [UInt8] = []
    for (tag, numbers) in added.sorted(by: { $0.tag < $1.tag }) {
      let type =
        numbers.allSatisfy { $0 < 256 } && numbers.count > 1
        ? 1 : numbers.allSatisfy { $0 < 65_536 } ? 3 : 4
      var entry: [UInt8] = []
      entry.append(uint16: tag, order)
      entry.append(uint16: type, order)
      append(numbers.count, to: &entry)
      var value: [UInt8] = []
      for number in numbers {
        switch type {
        case 1: value.append(UInt8(truncatingIfNeeded: number))
        case 3: value.append(uint16: number, order)
        default: value.append(uint32: number, order)
        }
      }
      if value.count > pointerSize {
        append(picture.directory + values, to: &entry)
        value += [UInt8](repeating: 0, count: value.count % 2)
        outside += value
        values += value.count
      } else {
        entry += value + [UInt8](repeating: 0, count: pointerSize - value.count)
      }
      entries.append((tag, entry))
    }
    guard values <= old.count else { return nil }
    var bytes: [UInt8] = []
    if isBig {
      append(entries.count, to: &bytes)
    } else {
      bytes.append(uint16: entries.count, order)
    }
    for entry in entries.sorted(by: { $0.tag < $1.tag }) { bytes += entry.bytes }
    bytes += old.suffix(pointerSize)
    bytes += outside
    bytes += [UInt8](repeating: 0, count: old.count - bytes.count)
    return BytePatch(offset: picture.directory, bytes: bytes)
  }

  /// Appends a count or a place, in the width that the file has for them.
  private func append(_ number: Int, to bytes: inout [UInt8]) {
    guard isBig else { return bytes.append(uint32: number, order) }
    let halves = [number >> 32, number & 0xFFFF_FFFF]
    for half in order == .big ? halves : halves.reversed() { bytes.append(uint32: half, order) }
  }
}
