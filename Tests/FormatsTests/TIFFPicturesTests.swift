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

  @Test func whatIsCutOffIsNoPicture() {
    let file = bigTIFF(kind: 2)
    for length in 0..<file.count - 8 {
      #expect(pictures(Array(file.prefix(length)))?.photo == nil)
    }
    #expect(pictures(Array("no TIFF at all".utf8)) == nil)
  }
}
