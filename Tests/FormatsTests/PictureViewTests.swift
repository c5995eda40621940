import Testing

@testable import SafelightFormats

@Suite struct PictureViewTests {
  private func big(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, 4) + Array(type.utf8) + content
  }

  /// A file whose picture (1) has two tiles (2, 3) and its transparency (4), and which also has a
  /// thumbnail (5), a gain map (6) that belongs to two pictures, an Exif block (7) that describes an
  /// item that is not there, and a group.
  ///
  /// - Parameters:
  ///   - longHeader: Whether the size of the `meta` box takes eight bytes.
  ///   - behind: What follows the pixels.
  ///   - twice: Entries of the list of items that are there once more, with another type, and boxes behind `iprp` and
  ///     `iloc` with their types.
  private func photo(
    longHeader: Bool = false, behind: [UInt8] = [], twice: Bool = false
  ) -> [UInt8] {
    let types = ["grid", "hvc1", "hvc1", "hvc1", "hvc1", "hvc1", "Exif"]
    var infe: [UInt8] = []
    for (index, type) in types.enumerated() {
      let isHidden: UInt8 = [2, 3].contains(index + 1) ? 1 : 0
      var entry: [UInt8] = [2, 0, 0, isHidden]
      entry += big(index + 1, 2)
      entry += [0, 0]
      entry += Array(type.utf8)
      entry.append(0)
      infe += box("infe", entry)
      if twice {
        entry.replaceSubrange(8..<12, with: Array("iovl".utf8))
        infe += box("infe", entry)
      }
    }
    var iref: [UInt8] = []
    let references: [(String, Int, [Int])] = [
      ("dimg", 1, [2, 3]), ("auxl", 4, [1, 6]), ("thmb", 5, [1]), ("auxl", 6, [1, 5]),
      ("cdsc", 7, [99]),
    ]
    for (type, from, targets) in references {
      var content = big(from, 2)
      content += big(targets.count, 2)
      for target in targets { content += big(target, 2) }
      iref += box(type, content)
    }
    let (alpha, gain) = ("mpeg:mpegB:cicp:systems:auxiliary:alpha", "com:apple:photo:2020:gain")
    var ipco: [UInt8] = box("ispe", [0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 32])
    ipco += box("hvcC", [1, 2, 3])
    ipco += box("auxC", [0, 0, 0, 0] + Array("urn:\(alpha)\0".utf8))
    ipco += box("auxC", [0, 0, 0, 0] + Array("urn:\(gain)\0".utf8))
    ipco += box("uuid", [UInt8](repeating: 7, count: 16))
    ipco += box("udes", [0, 0, 0, 0, 0])
    // The highest bit says that a reader must understand the property.
    let uses: [[UInt8]] = [
      [1, 5 | 0x80, 6], [2 | 0x80, 1], [2 | 0x80], [3 | 0x80], [1], [4], [],
    ]
    var ipma: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 7]
    for (index, use) in uses.enumerated() {
      ipma += big(index + 1, 2)
      ipma.append(UInt8(use.count))
      ipma += use
    }
    var iloc: [UInt8] = [1, 0, 0, 0, 0x44, 0x00, 0, 7]
    for item in 1...7 {
      iloc += big(item, 2)
      iloc += [0, item == 1 ? 1 : 0, 0, 0, 0, 1]
      iloc += big(item == 1 ? 0 : 5000, 4)
      iloc += big(4, 4)
    }
    var children: [UInt8] = box("hdlr", [0, 0, 0, 0])
    children += box("pitm", [0, 0, 0, 0, 0, 1])
    children += box("iinf", [0, 0, 0, 0, 0, twice ? 14 : 7] + infe)
    children += box("iref", [0, 0, 0, 0] + iref)
    children += box("iprp", box("ipco", ipco) + box("ipma", ipma))
    children += box("iloc", iloc)
    if twice {
      children += box("iprp", box("ipco", []) + box("ipma", [0, 0, 0, 0, 0, 0, 0, 0]))
      children += box("iloc", iloc.dropLast(4) + big(9, 4)) + box("pitm", [0, 0, 0, 0, 0, 5])
      children += box("iinf", [0, 0, 0, 0, 0, 0]) + box("iref", [0, 0, 0, 0])
    }
    children += box("grpl", box("altr", big(8, 4)))
    children += box("idat", Array("grid".utf8))
    children = [0, 0, 0, 0] + children
    var file: [UInt8] = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0])
    if longHeader {
      file += big(1, 4)
      file += Array("meta".utf8)
      file += big(16 + children.count, 8)
      file += children
    } else {
      file += box("meta", children)
    }
    file += box("mdat", [UInt8](repeating: 9, count: 5000))
    return file + behind
  }

  private func media(_ file: [UInt8]) -> ISOMediaFile? {
    ISOMediaFile { offset, count in
      offset >= 0 && offset <= file.count - count ? Array(file[offset..<(offset + count)]) : nil
    }
  }

  /// The file as a decoder sees it.
  private func view(_ file: [UInt8]) throws -> [UInt8] {
    let patch = try #require(media(file)?.pictureOnly(ofFile: file.count))
    var view = file
    view.replaceSubrange(patch.offset..<patch.offset + patch.bytes.count, with: patch.bytes)
    return view
  }

  @Test(arguments: [false, true]) func aDecoderMeetsThePictureAlone(longHeader: Bool) throws {
    let file = photo(longHeader: longHeader)
    let view = try view(file)
    #expect(view.count == file.count)
    let media = try #require(self.media(view))
    #expect(media.primaryItem == 1)
    #expect(media.items.map(\.id) == [1, 2, 3, 4])
    #expect(media.references.map(\.from) == [1, 4])
    #expect(media.references.map(\.to) == [[2, 3], [1]])
    // Tiles stay where they are in the file, and the grid inside of the box.
    #expect(media.ranges(of: 2) == [5000..<5004])
    #expect(media.content(of: 1) == Array("grid".utf8))
    #expect(media.content(of: 5) == nil && media.exifItem == nil)
    // A property that readers must understand stays, one that only describes goes.
    func types(_ item: Int) -> [Int] { media.properties(of: item).map(\.type) }
    #expect(types(1) == [ISOMediaBox.type("ispe"), ISOMediaBox.type("uuid")])
    #expect(types(2) == [ISOMediaBox.type("hvcC"), ISOMediaBox.type("ispe")])
    #expect(types(4) == [ISOMediaBox.type("auxC")])
    #expect(
      media.properties.map(\.type)
        == ["ispe", "hvcC", "auxC", "free", "uuid", "free"].map {
          (type: StaticString) in ISOMediaBox.type(type)
        })
  }

  /// As in libheif, the first counts.
  @Test func itemsAndBoxesThatAreThereTwiceAreLeftOut() throws {
    let view = try view(photo(twice: true))
    let (first, second) = (try #require(media(photo())), try #require(media(view)))
    #expect(second.items.map(\.id) == [1, 2, 3, 4] && second.primaryItem == 1)
    #expect(second.items.map(\.type) == first.items.prefix(4).map(\.type))
    #expect(second.ranges(of: 2) == [5000..<5004])
    #expect(second.properties(of: 2).map(\.type) == first.properties(of: 2).map(\.type))
    let types = second.bytes.withUnsafeBytes { ISOMediaBox.list($0, 4..<$0.count).map(\.type) }
    #expect(Set(types).count == types.count)
  }

  @Test func whatStandsBehindIsOneBox() throws {
    let view = try view(photo(behind: box("moov", [1, 2, 3]) + box("meta", [0, 0, 0, 0])))
    let types = view.withUnsafeBytes { ISOMediaBox.list($0, 0..<$0.count).map(\.type) }
    #expect(
      types == ["ftyp", "meta", "mdat"].map { (type: StaticString) in ISOMediaBox.type(type) })
  }

  @Test func aViewOfTheViewIsTheSame() throws {
    let once = try view(photo())
    #expect(try view(once) == once)
  }

  @Test func thePicturesAreCountedWithoutTheirParts() {
    #expect(media(photo())?.pictureCount == 1)
    #expect(media(photo())?.codedTypes == ["hvc1"])
  }

  /// Each byte of the boxes is changed once. Whatever comes of it, a view stays within the file, and
  /// there is nothing more to leave out of it.
  @Test func aDamagedBoxMakesASoundViewOrNone() throws {
    let file = photo()
    for place in 24..<(file.count - 5008) {
      for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
        var damaged = file
        damaged[place] = value
        guard let patch = media(damaged)?.pictureOnly(ofFile: damaged.count) else { continue }
        #expect(patch.offset >= 8 && patch.offset + patch.bytes.count <= damaged.count)
        damaged.replaceSubrange(
          patch.offset..<patch.offset + patch.bytes.count, with: patch.bytes)
        // The view is a file of its own, from which nothing more is to be left out.
        let view = try #require(media(damaged))
        #expect(view.pictureOnly(ofFile: damaged.count)?.bytes.count ?? 0 <= patch.bytes.count)
      }
    }
  }
}
