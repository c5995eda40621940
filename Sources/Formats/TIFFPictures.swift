/// The pictures of a TIFF, as its directories describe them.
///
/// Reads TIFF, BigTIFF and the camera raw files that are built like them. Nothing is read but
/// directories and a few of their values: real files need some kilobytes, and a hostile file, whose directories
/// may overlap, makes it read a megabyte in 16,384 pieces and no more. ``PhotoBytes`` reads them once for each file
/// that is opened. Source: TIFF 6.0, sections 2 and 8; TIFF technical note 1 (directories below others); BigTIFF;
/// Adobe DNG 1.7.1.
package struct TIFFPictures: Sendable {
  /// Reads bytes of the file; `nil` when they are not all there.
  package typealias Read = (_ offset: Int, _ count: Int) -> [UInt8]?

  /// One directory.
  package struct Picture: Sendable {
    /// Where the directory is in the file.
    package let directory: Int
    /// The number of its page, from 0 on. A picture below a page has the page's number.
    package let page: Int
    /// Its place among the pictures below its page; `nil` for the page itself.
    package let child: Int?
    fileprivate var numbers: [Int: [Int]] = [:]
    fileprivate var fractions: [Int: [Double]] = [:]
    fileprivate var texts: [Int: String] = [:]

    /// The numbers that a tag has; empty when the directory does not have the tag.
    package func numbers(_ tag: Int) -> [Int] { numbers[tag] ?? [] }

    /// The first number that a tag has.
    package func number(_ tag: Int) -> Int? { numbers[tag]?.first }

    /// The fractions that a tag has; empty when the directory does not have the tag, or one of them is divided by zero.
    package func fractions(_ tag: Int) -> [Double] { fractions[tag] ?? [] }

    /// A text that a tag has, without spaces around it.
    package func text(_ tag: Int) -> String? { texts[tag] }

    /// Whether it is the file's first picture.
    package var isFirst: Bool { page == 0 && child == nil }

    /// Whether it calls itself a reduced picture, a mask or a map of depths of another picture.
    package var isPart: Bool { (number(254) ?? 0) & 0b1101 != 0 }
  }

  /// Pages in their order, each followed by the pictures below it.
  package private(set) var pictures: [Picture] = []
  let order: ByteOrder
  let isBig: Bool

  /// The picture that the file shows: its first, or when that is part of another one, the first that
  /// is none.
  package var photo: Picture? { pictures.first { !$0.isPart } ?? pictures.first }

  /// More than any camera's file or any scan has; further pages decide nothing.
  private static let (mostPages, mostChildren) = (64, 32)
  static let mostEntries = 4096
  /// What all directories of a file may cost, and what a read costs beside its bytes.
  private static let (mostCost, costOfRead) = (1 << 20, 64)
  /// Size, bits, compression, meaning, samples, kind; how samples are laid out; and those that tell a raw file.
  private static let numberTags: Set = [
    254, 256, 257, 258, 259, 262, 274, 277, 278, 279, 284, 317, 320, 322, 323, 330, 332, 338, 339,
    530, 50_706,
  ]
  /// Luma's coefficients, and the codes of black and white.
  private static let fractionTags: Set = [529, 532]
  /// Maker, model, and the model by which DNG files name a camera.
  private static let textTags: Set = [271, 272, 50_708]

  /// Reads the directories; `nil` when there is no TIFF header.
  package init?(_ readBytes: Read) {
    var cost = 0
    func read(_ offset: Int, _ count: Int) -> [UInt8]? {
      cost += count + Self.costOfRead
      return cost <= Self.mostCost ? readBytes(offset, count) : nil
    }
    guard let head = read(0, 8) else { return nil }
    // Olympus and Panasonic have numbers of their own in place of 42.
    if head.has("II*\0") || head.has("II+\0") || head.has("IIRO") || head.has("IIRS")
      || head.has("IIU\0")
    {
      order = .little
    } else if head.has("MM\0*") || head.has("MM\0+") || head.has("MMOR") {
      order = .big
    } else {
      return nil
    }
    isBig = head.has("II+\0") || head.has("MM\0+")
    guard
      var next = isBig
        ? read(8, 8).flatMap({ Self.offset($0, at: 0, order, isBig: true) })
        : head.uint32(at: 4, order)
    else { return nil }
    var seen: Set<Int> = []
    var page = 0
    while next >= 8, page < Self.mostPages, seen.insert(next).inserted,
      let (picture, following) = self.picture(at: next, page: page, child: nil, read)
    {
      pictures.append(picture)
      for (place, offset) in picture.numbers(330).prefix(Self.mostChildren).enumerated()
      where seen.insert(offset).inserted {
        if let child = self.picture(at: offset, page: page, child: place, read)?.picture {
          pictures.append(child)
        }
      }
      next = following
      page += 1
    }
  }

  /// Reads one directory, and where the next one is.
  private func picture(
    at offset: Int, page: Int, child: Int?, _ read: Read
  ) -> (picture: Picture, next: Int)? {
    let (countSize, entrySize, pointerSize) = isBig ? (8, 20, 8) : (2, 12, 4)
    guard let head = read(offset, countSize),
      let count = isBig
        ? Self.offset(head, at: 0, order, isBig: true) : head.uint16(at: 0, order),
      count < 1 << 20
    else { return nil }
    let start = offset + countSize
    // What there is of a directory that the file cuts off is not read.
    guard let entries = read(start, entrySize * min(count, Self.mostEntries)) else { return nil }
    var picture = Picture(directory: offset, page: page, child: child)
    // As in libtiff, the first entry of a tag counts, whatever it says.
    var seen: Set<Int> = []
    for position in stride(from: 0, to: entries.count, by: entrySize) {
      guard let tag = entries.uint16(at: position, order),
        Self.numberTags.contains(tag) || Self.fractionTags.contains(tag)
          || Self.textTags.contains(tag),
        seen.insert(tag).inserted,
        let type = entries.uint16(at: position + 2, order),
        let width = Self.fractionTags.contains(tag) ? type == 5 ? 8 : nil : Self.widths[type],
        let count = isBig
          ? Self.offset(entries, at: position + 4, order, isBig: true)
          : entries.uint32(at: position + 4, order)
      else { continue }
      let field = entrySize - pointerSize
      let length = width * min(count, 256)
      let values =
        width * count <= pointerSize
        ? entries.bytes(at: position + field, count: length)
        : Self.offset(entries, at: position + field, order, isBig: isBig)
          .flatMap { read($0, length) }
      guard let values else { continue }
      if Self.textTags.contains(tag) {
        let text = String(decoding: values.prefix { $0 != 0 }, as: UTF8.self)
        let letters = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        if !letters.isEmpty { picture.texts[tag] = String(letters) }
      } else if Self.fractionTags.contains(tag) {
        let numbers = stride(from: 0, to: values.count, by: 4).compactMap {
          values.uint32(at: $0, order)
        }
        picture.fractions[tag] = stride(from: 0, to: numbers.count - 1, by: 2).map {
          Double(numbers[$0]) / Double(numbers[$0 + 1])
        }
        if picture.fractions(tag).contains(where: { !$0.isFinite }) { picture.fractions[tag] = [] }
      } else {
        picture.numbers[tag] = stride(from: 0, to: values.count, by: width).compactMap { place in
          switch width {
          case 1: Int(values[place])
          case 2: values.uint16(at: place, order)
          case 4: values.uint32(at: place, order)
          default: Self.offset(values, at: place, order, isBig: true)
          }
        }
      }
    }
    let link = read(start + entrySize * count, pointerSize)
    return (picture, link.flatMap { Self.offset($0, at: 0, order, isBig: isBig) } ?? 0)
  }

  /// Bytes of one value of the types that are read: whole numbers and texts.
  private static let widths = [1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 8: 2, 9: 4, 13: 4, 16: 8, 18: 8]

  /// A place in the file; `nil` for one beyond 2 to the power of 48.
  static func offset(
    _ bytes: [UInt8], at place: Int, _ order: ByteOrder, isBig: Bool
  ) -> Int? {
    guard isBig else { return bytes.uint32(at: place, order) }
    guard let first = bytes.uint32(at: place, order),
      let second = bytes.uint32(at: place + 4, order)
    else { return nil }
    let (high, low) = order == .big ? (first, second) : (second, first)
    return high < 1 << 16 ? high << 32 | low : nil
  }
}
