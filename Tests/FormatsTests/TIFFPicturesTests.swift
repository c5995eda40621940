import Testing

@testable import SafelightFormats

@Suite struct TIFFPicturesTests {
  private func pictures(_ bytes: [UInt8]) -> TIFFPictures? {
    TIFFPictures { bytes.bytes(at: $0, count: $1) }
  }

  /// A BigTIFF with one page, whose kind and samples are numbers of eight bytes.
  private func bigTIFF(kind: Int) -> [UInt8] {
    func big(_ number: Int, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let entries =
      big(254, 2) + big(16, 2) + big(1, 8) + big(kind, 8) + big(258, 2) + big(3, 2) + big(3, 8)
      + big(8, 2) + big(8, 2) + big(8, 2) + big(0, 2)
    return Array("MM\0+".utf8) + big(8, 2) + big(0, 2) + big(16, 8) + big(2, 8) + entries
      + big(0, 8)
  }

  @Test func theDirectoryOfABigTIFFIsRead() throws {
    let photo = try #require(pictures(bigTIFF(kind: 2))?.photo)
    #expect(photo.numbers(258) == [8, 8, 8] && photo.number(254) == 2)
    #expect(photo.isFirst && !photo.isPart)
    #expect(pictures(bigTIFF(kind: 1))?.photo?.isPart == true)
  }

  @Test func directoriesThatLinkToEachOtherEnd() {
    // The directory at 8 links to itself, and names itself below itself.
    let loop: [UInt8] =
      Array("II*\0".utf8) + [8, 0, 0, 0] + [1, 0] + [0x4A, 1, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0]
      + [8, 0, 0, 0]
    #expect(pictures(loop)?.pictures.count == 1)
  }

  private func little(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// An entry of a directory of a TIFF.
  private func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
    little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
  }

  /// 64 pages with 32 pictures below each, whose directories lie over one another: each reads as 4,096 entries that
  /// name a maker somewhere in the file.
  @Test func directoriesThatOverlapCostABoundedAmountOfReading() throws {
    let (pages, children, entries) = (64, 32, 0x1000)
    let pageLength = 2 + 3 * 12 + 4
    let links = 8 + pages * pageLength
    let directories = links + pages * children * 4
    var file = Array("II*\0".utf8) + little(8, 4)
    for page in 0..<pages {
      file += little(3, 2) + entry(256, 4, 1, 100) + entry(257, 4, 1, 100)
      file += entry(330, 4, children, links + 4 * children * page)
      file += little(page + 1 < pages ? 8 + (page + 1) * pageLength : 0, 4)
    }
    for child in 0..<pages * children { file += little(directories + 12 * child, 4) }
    for _ in 0..<pages * children + entries + 4 {
      file += little(entries, 2) + little(271, 2) + little(2, 2) + little(256, 4) + little(256, 2)
    }
    var (reads, bytes) = (0, 0)
    let found = TIFFPictures { offset, count in
      reads += 1
      bytes += count
      return file.bytes(at: offset, count: count) ?? [UInt8](repeating: 0x20, count: count)
    }
    #expect(reads <= 1 << 14 && bytes <= 1 << 20, "\(reads) reads, \(bytes) bytes")
    #expect(found?.photo?.number(256) == 100)
  }

  /// A text of spaces says nothing and is looked at once, however often it is there.
  @Test func theFirstEntryOfATagCounts() throws {
    let blank = entry(271, 2, 256, 0x10_0000)
    let file =
      Array("II*\0".utf8) + little(8, 4) + little(1002, 2)
      + (0..<1000).flatMap { _ in blank } + entry(256, 3, 1, 7) + entry(256, 3, 1, 9) + little(0, 4)
    var reads = 0
    let found = TIFFPictures { offset, count in
      reads += 1
      return file.bytes(at: offset, count: count) ?? [UInt8](repeating: 0x20, count: count)
    }
    #expect(reads < 8 && found?.photo?.text(271) == nil && found?.photo?.numbers(256) == [7])
  }

  @Test func whatIsCutOffIsNoPicture() {
    let file = bigTIFF(kind: 2)
    for length in 0..<file.count - 8 {
      #expect(pictures(Array(file.prefix(length)))?.photo == nil)
    }
    #expect(pictures(Array("no TIFF at all".utf8)) == nil)
  }
}
