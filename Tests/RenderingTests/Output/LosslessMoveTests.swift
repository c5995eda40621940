import Foundation
import SafelightAdjustments
import SafelightCTurboJPEG
import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

/// Turns, mirrors and crops that move coefficients.
@Suite struct LosslessMoveTests {
  /// Any orientation, turn, mirror, resolution of color, size and crop: the render has the original's coefficients exactly when
  /// it begins at borders of its blocks, and each of them is where it belongs.
  @Test func everyMoveKeepsEveryCoefficient() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var lossless = 0
    for _ in 0..<Rounds.count(150, long: 3000) {
      let original = TestJPEG(random: &random)
      var axes = Axes(orientation: original.orientation)
      let (rotate, flip) = Self.turn(&random)
      axes.apply(rotate, flip)
      let whole = axes.swaps ? original.size.turned : original.size
      let part = Self.part(of: whole, axes, original, &random)
      let edit = try EditStack([rotate, flip, Self.crop(part, of: whole)])
      let (jpeg, report) = try original.render(edit)
      let isAllowed =
        axes.begins(at: part, in: original)
        && axes.ends(part, of: whole, in: original)
        && (original.subsampling != TJSAMP_411 || !axes.swaps)
      let what: Comment = "seed \(seed): \(original), \(rotate), \(flip), \(part)"
      #expect(report.isLossless == isAllowed, what)
      #expect(report.pixelWidth == part.width && report.pixelHeight == part.height, what)
      guard isAllowed, report.isLossless else { continue }
      lossless += 1
      let (before, after) = (try Coefficients(original.bytes), try Coefficients(jpeg))
      #expect(after.planes.count == before.planes.count, what)
      for (index, plane) in after.planes.enumerated() {
        let blocks = axes.blocks(of: before.planes[index], shownAs: plane, from: part, in: original)
        #expect(plane.blocks == blocks, what)
      }
      #expect(JPEGCoding(PhotoBytes(jpeg))?.frame.isProgressive == original.isProgressive, what)
    }
    #expect(lossless > 40, "Both ways are tried.")
  }

  /// What is seen is what the usual way shows, but for the rounding of both decoders.
  @Test(arguments: 1...8)
  func thePixelsAreThoseOfTheUsualWay(orientation: Int) throws {
    for subsampling in [TJSAMP_444, TJSAMP_GRAY] {
      let original = TestJPEG(
        size: PixelSize(width: 64, height: 48), subsampling, orientation: orientation)
      var (rotate, crop) = (Rotate(), Crop())
      (rotate.amount, crop.width) = (.right, 0.5)
      for edit in [try EditStack([rotate]), try EditStack([rotate, crop])] {
        let (jpeg, report) = try original.render(edit)
        #expect(report.isLossless || edit.entries.count == 2)
        let moved = try TemporaryJPEG(jpeg)
        let (usual, lossless) = (try original.pixels(edit), try moved.pixels())
        // The usual way gives a crop of gray three channels.
        let step = usual.count / lossless.count
        // A transform of rows and then columns rounds otherwise than one of columns and then rows, by 1 in each
        // component, and blue has 1.77 of Cb.
        #expect(lossless.indices.allSatisfy { abs(usual[step * $0] - lossless[$0]) <= 3 })
      }
    }
  }

  // MARK: - Metadata

  @Test func metadataAreThoseOfEveryRender() throws {
    var rotate = Rotate()
    rotate.amount = .right
    let edit = try EditStack([rotate])
    let fixture = OpenFixture("exif-gps-makernote.jpg")
    let moved = try Self.rendered(fixture.source(), edit)
    let usual = try Self.rendered(
      fixture.source(), edit, as: RenderOutput(format: .jpeg, quality: 95, following: .chroma))
    #expect(moved.report.isLossless && !usual.report.isLossless)
    #expect(Self.header(moved.bytes) == Self.header(usual.bytes))
    #expect(moved.report.warnings.own == usual.report.warnings.own)
  }

  /// Profiles stay byte for byte. Adobe RGB that only the Exif names gets its profile, as in every render.
  @Test(arguments: [
    "profiles/p3.jpg", "profiles/adobe.jpg", "gradients/grey.jpg", "progressive.jpg",
  ])
  func colorsAreThoseOfEveryRender(name: String) throws {
    let fixture = OpenFixture(name)
    let moved = try Self.rendered(fixture.source(), EditStack())
    let usual = try Self.rendered(
      fixture.source(), EditStack(), as: RenderOutput(format: .jpeg, following: .chroma))
    #expect(moved.report.isLossless)
    #expect(
      CarriedMetadata(original: PhotoBytes(moved.bytes)).profile
        == CarriedMetadata(original: PhotoBytes(usual.bytes)).profile)
    let (before, after) = (
      try Coefficients(Data(contentsOf: Fixture.url(name))), try Coefficients(moved.bytes)
    )
    #expect(before.planes == after.planes)
  }

  private static func header(_ jpeg: Data) -> Data? {
    CodedPicture(jpeg: PhotoBytes(jpeg)).map { jpeg.prefix($0.range.lowerBound) }
  }

  // MARK: - The usual way

  @Test func otherEditsAndPhotosAreEncoded() throws {
    func isLossless(
      _ name: String, _ adjustments: [any Adjustment] = [], as output: RenderOutput = .standard
    ) throws -> Bool {
      let fixture = OpenFixture(name)
      return try Self.rendered(fixture.source(), EditStack(adjustments), as: output).report
        .isLossless
    }
    var (saturation, straighten, flip) = (Saturation(), Straighten(), Flip())
    (saturation.amount, straighten.amount, flip.vertical) = (20, 2, true)
    #expect(try isLossless("beach.jpg"))
    #expect(try !isLossless("beach.jpg", [saturation]))
    #expect(try !isLossless("beach.jpg", [straighten]))
    #expect(try !isLossless("cmyk.jpg"))
    #expect(try !isLossless("rgb.tif"))
    // A quality that was asked for counts.
    #expect(
      try !isLossless("beach.jpg", as: RenderOutput(format: .jpeg, quality: 95, following: .chroma))
    )
    #expect(try !isLossless("beach.jpg", as: RenderOutput(format: .jpeg)))
  }

  @Test func exportsSayWhyTheyAreEncoded() throws {
    let fixture = OpenFixture("beach.jpg")
    // libvips collects what decoders say for the whole process, in which other tests read damaged photos.
    func warnings(_ report: Renderer.Report) -> [RenderWarning] {
      report.warnings.filter { if case .decoder = $0 { false } else { true } }
    }
    var output = RenderOutput(format: .jpeg, quality: 60)
    output.lossless = true
    #expect(try Self.rendered(fixture.source(), EditStack(), as: output).report.isLossless)
    let color = try Self.rendered(fixture.source(), .saturation(10), as: output).report
    #expect(warnings(color) == [.encodedAgain(.edit)])
    var small = output
    small.longestSide = 50
    let reduced = try Self.rendered(fixture.source(), EditStack(), as: small).report
    #expect(warnings(reduced) == [.encodedAgain(.output)] && reduced.pixelWidth <= 50)
    var wide = output
    wide.profile = .displayP3
    #expect(
      try warnings(Self.rendered(fixture.source(), EditStack(), as: wide).report)
        == [.encodedAgain(.output)])
    var few = output
    few.mostBytes = 100_000
    let bounded = try Self.rendered(fixture.source(), EditStack(), as: few)
    #expect(warnings(bounded.report) == [.encodedAgain(.bytes)] && bounded.bytes.count <= 100_000)
    let photo = OpenFixture("rgb.tif")
    #expect(
      try Self.rendered(photo.source(), EditStack(), as: output).report.warnings
        .contains(.encodedAgain(.format)))
  }

  /// A damaged photo goes the way that judges damage.
  @Test func damagedPhotosAreDecoded() throws {
    let whole = try Data(contentsOf: Fixture.url("beach.jpg"))
    var rotate = Rotate()
    rotate.amount = .half
    var broken = whole
    // A code that no table has, in the middle of the scan.
    broken.replaceSubrange(whole.count / 2..<whole.count / 2 + 4, with: [0xFF, 0, 0xFF, 0xD9])
    for bytes in [broken, whole.prefix(whole.count / 2)] {
      let file = try TemporaryJPEG(bytes)
      let report = try file.render(EditStack([rotate]), allowsDamage: true).report
      #expect(!report.isLossless)
    }
    let cut = try TemporaryJPEG(whole.prefix(whole.count / 2))
    #expect(throws: RenderError.self) { try cut.render(EditStack([rotate])) }
  }

  // MARK: - Borders

  /// The nearest borders of all, by trying all.
  @Test func aCropMovesToTheNearestBorder() throws {
    for unit in [8, 16] {
      for side in 1...70 {
        for isReversed in [false, true] {
          let borders = BlockBorders(of: side, unit: unit, isReversed: isReversed)
          let all = (0..<side).filter { isReversed ? (side - $0) % unit == 0 : $0 % unit == 0 }
          #expect((0..<side).filter(borders.contains) == all)
          for count in [1, 7, 8, 16, side / 2, side - 1, side] where (1...side).contains(count) {
            for start in 0...(side - count) {
              let found = borders.nearest(to: start..<start + count)
              guard let nearest = all.map({ abs($0 - start) }).min() else {
                #expect(found == nil)
                continue
              }
              let range = try #require(found)
              #expect(all.contains(range.lowerBound) && abs(range.lowerBound - start) == nearest)
              let ends = (all + [side]).filter { $0 > range.lowerBound }
              #expect(ends.contains(range.upperBound) && borders.allow(range))
              let away = ends.map { abs($0 - start - count) }.min()
              #expect(abs(range.upperBound - start - count) == away)
            }
          }
        }
      }
    }
  }

  /// A crop that is moved as it says can be rendered without loss.
  @Test func aMovedCropIsLossless() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Rounds.count(60, long: 1000) {
      let original = TestJPEG(random: &random, sides: 20...70)
      guard original.subsampling != TJSAMP_411 else { continue }
      let (rotate, flip) = Self.turn(&random)
      let stack = try EditStack([rotate, flip])
      let photo = try OpenedPhoto(original.file.fixture.source())
      let whole = try photo.size(with: stack)
      let (left, top) = (
        Int.random(in: 0..<whole.width, using: &random),
        Int.random(in: 0..<whole.height, using: &random)
      )
      let width = Int.random(in: 1...whole.width - left, using: &random)
      let height = Int.random(in: 1...whole.height - top, using: &random)
      let wanted = (left: left, top: top, width: width, height: height)
      let (crop, move) = try photo.losslessCrop(nearest: Self.crop(wanted, of: whole), in: stack)
      try photo.checkLossless(EditStack([rotate, flip, crop]), as: .standard)
      let (_, report) = try original.render(EditStack([rotate, flip, crop]))
      #expect(report.isLossless, "seed \(seed)")
      #expect(
        report.pixelWidth == width - move.narrower && report.pixelHeight == height - move.lower)
      #expect(Int((crop.x * Double(whole.width)).rounded()) == left + move.right)
      #expect(Int((crop.y * Double(whole.height)).rounded()) == top + move.down)
    }
  }

  @Test func movesAreSaid() {
    #expect(CropMove(right: 0, down: 0, narrower: 0, lower: 0).sentence == nil)
    #expect(
      CropMove(right: -1, down: 5, narrower: 0, lower: 0).sentence
        == "The crop was moved by 1 pixel to the left and 5 pixels down, to begin and end at borders of the JPEG's blocks."
    )
    #expect(
      CropMove(right: 3, down: 0, narrower: 2, lower: 0).sentence
        == "The crop was moved by 3 pixels to the right and made 2 pixels narrower, to begin and end at borders of the JPEG's blocks."
    )
  }

  /// Real photos: a picture that is turned and turned back has the bytes of one that was not turned.
  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: SharedData.sample(in: ["photos", "orientation"], extensions: ["jpg"]))
  func realPhotosAreTurnedAndTurnedBack(name: String) throws {
    var (right, left) = (Rotate(), Rotate())
    (right.amount, left.amount) = (.right, .left)
    let fixture = OpenFixture(try SharedData.url(name))
    let photo = try OpenedPhoto(fixture.source())
    guard (try? photo.checkLossless(EditStack([right]), as: .standard)) != nil,
      (try? photo.checkLossless(EditStack(), as: .standard)) != nil
    else { return }
    let turned = try TemporaryJPEG(Self.rendered(fixture.source(), EditStack([right])).bytes)
    let (back, report) = try turned.render(EditStack([left]))
    let upright = try Self.rendered(fixture.source(), EditStack())
    #expect(report.isLossless && upright.report.isLossless)
    #expect(Self.coded(back) == Self.coded(upright.bytes))
  }

  private static func coded(_ jpeg: Data) -> Data? {
    CodedPicture(jpeg: PhotoBytes(jpeg)).map { jpeg.subdata(in: $0.range) }
  }

  // MARK: - Cases

  private static func turn(_ random: inout SeededGenerator) -> (Rotate, Flip) {
    var (rotate, flip) = (Rotate(), Flip())
    rotate.amount = QuarterTurns.allCases.randomElement(using: &random)!
    (flip.horizontal, flip.vertical) = (.random(using: &random), .random(using: &random))
    return (rotate, flip)
  }

  private static func crop(_ part: Part, of whole: PixelSize) -> Crop {
    let (wide, high) = (Double(whole.width), Double(whole.height))
    var crop = Crop()
    (crop.x, crop.y) = (Double(part.left) / wide, Double(part.top) / high)
    (crop.width, crop.height) = (Double(part.width) / wide, Double(part.height) / high)
    return crop
  }

  /// The whole picture, a part that begins at borders, or any part.
  private static func part(
    of whole: PixelSize, _ axes: Axes, _ original: TestJPEG, _ random: inout SeededGenerator
  ) -> Part {
    let kind = Int.random(in: 0...3, using: &random)
    guard kind > 0 else { return (0, 0, whole.width, whole.height) }
    func start(_ side: Int, _ isAllowed: (Int) -> Bool) -> Int {
      let places = Array(0..<side)
      return (kind < 3 ? places.filter(isAllowed) : places).randomElement(using: &random) ?? 0
    }
    let left = start(whole.width) { axes.begins(at: ($0, 0, 1, 1), in: original, .x) }
    let top = start(whole.height) { axes.begins(at: (0, $0, 1, 1), in: original, .y) }
    func end(_ start: Int, _ side: Int, _ isAllowed: (Int) -> Bool) -> Int {
      let places = Array(start + 1...side)
      return (kind < 3 ? places.filter { $0 == side || isAllowed($0) } : places)
        .randomElement(using: &random) ?? side
    }
    let right = end(left, whole.width) { axes.begins(at: ($0, 0, 1, 1), in: original, .x) }
    let bottom = end(top, whole.height) { axes.begins(at: (0, $0, 1, 1), in: original, .y) }
    return (left, top, right - left, bottom - top)
  }

  fileprivate static func rendered(
    _ source: PhotoSource, _ edit: EditStack, as output: RenderOutput = .standard
  ) throws -> (bytes: Data, report: Renderer.Report) {
    final class Collector { var bytes = Data() }
    let collector = Collector()
    let report = try Renderer().render(
      source, edit: edit, as: output,
      derivedFrom: OriginalReference(fileName: "x", sha256: String(repeating: "0", count: 64)),
      to: { collector.bytes.append(contentsOf: $0) })
    return (collector.bytes, report)
  }
}

private typealias Part = (left: Int, top: Int, width: Int, height: Int)

/// Which side of the stored picture each side of a turned one is, made of single turns and mirrors.
private struct Axes {
  enum Side { case x, y }
  /// The side of the turned picture along which the stored rows, and the stored columns, go, and whether backwards.
  var (x, y) = ((side: Side.x, isReversed: false), (side: Side.y, isReversed: false))

  var swaps: Bool { x.side == .y }

  init(orientation: Int) {
    // Exif 2.32, tag 274, as quarter turns clockwise and a mirror after them.
    let (turns, mirrors) = [
      (0, false), (0, true), (2, false), (2, true), (1, true), (1, false), (3, true), (3, false),
    ][orientation - 1]
    for _ in 0..<turns { turnRight() }
    if mirrors { mirror(.x) }
  }

  mutating func apply(_ rotate: Rotate, _ flip: Flip) {
    for _ in 0..<rotate.amount.rawValue / 90 { turnRight() }
    if flip.horizontal { mirror(.x) }
    if flip.vertical { mirror(.y) }
  }

  private mutating func turnRight() {
    func turned(_ axis: (side: Side, isReversed: Bool)) -> (side: Side, isReversed: Bool) {
      axis.side == .x ? (.y, axis.isReversed) : (.x, !axis.isReversed)
    }
    (x, y) = (turned(x), turned(y))
  }

  private mutating func mirror(_ side: Side) {
    if x.side == side { x.isReversed.toggle() }
    if y.side == side { y.isReversed.toggle() }
  }

  /// Where a part begins along the stored rows and columns: its first pixel, or the one behind its last.
  private func starts(_ part: Part, in original: TestJPEG) -> (x: Int, y: Int) {
    func start(_ axis: (side: Side, isReversed: Bool), _ side: Int) -> Int {
      let start = axis.side == .x ? part.left : part.top
      return axis.isReversed ? side - start : start
    }
    return (start(x, original.size.width), start(y, original.size.height))
  }

  /// Whether a part begins at borders along a side of the turned picture, or along both.
  func begins(at part: Part, in original: TestJPEG, _ side: Side? = nil) -> Bool {
    let (starts, unit) = (starts(part, in: original), original.unit)
    return (side != nil && side != x.side || starts.x % unit.width == 0)
      && (side != nil && side != y.side || starts.y % unit.height == 0)
  }

  /// Whether a part ends at borders, or where the turned picture ends.
  func ends(_ part: Part, of whole: PixelSize, in original: TestJPEG) -> Bool {
    let (right, bottom) = (part.left + part.width, part.top + part.height)
    return (right == whole.width || begins(at: (right, part.top, 1, 1), in: original, .x))
      && (bottom == whole.height || begins(at: (part.left, bottom, 1, 1), in: original, .y))
  }

  /// What the blocks of a turned component must be.
  func blocks(
    of plane: Coefficients.Plane, shownAs shown: Coefficients.Plane, from part: Part,
    in original: TestJPEG
  ) -> [[Int16]] {
    let starts = starts(part, in: original)
    // How many pixels a block of this component covers.
    let wide = original.unit.width / plane.factors.across
    let high = original.unit.height / plane.factors.down
    var blocks: [[Int16]] = []
    for row in 0..<shown.rows {
      for column in 0..<shown.columns {
        func place(_ axis: (side: Side, isReversed: Bool), _ start: Int) -> Int {
          let step = axis.side == .x ? column : row
          return axis.isReversed ? start - 1 - step : start + step
        }
        let (left, top) = (place(x, starts.x / wide), place(y, starts.y / high))
        guard (0..<plane.columns).contains(left), (0..<plane.rows).contains(top) else { return [] }
        let stored = plane.blocks[top * plane.columns + left]
        blocks.append(
          (0..<64).map { index in
            let (down, across) = (index / 8, index % 8)
            let u = x.side == .x ? across : down
            let v = y.side == .x ? across : down
            let isNegative = (x.isReversed && u % 2 == 1) != (y.isReversed && v % 2 == 1)
            return isNegative ? -stored[8 * v + u] : stored[8 * v + u]
          })
      }
    }
    return blocks
  }
}

/// The coefficients of a JPEG as libjpeg-turbo reads them.
private struct Coefficients {
  struct Plane: Equatable {
    var (columns, rows) = (0, 0)
    var factors = JPEGFrame.Blocks(across: 1, down: 1)
    /// Blocks of 64, row after row.
    var blocks: [[Int16]] = []
  }

  let planes: [Plane]

  init(_ jpeg: Data) throws {
    final class Collector { var planes: [Plane] = [] }
    let collector = Collector()
    let frame = try #require(JPEGCoding(PhotoBytes(jpeg))?.frame)
    let handle = try #require(tjInitTransform())
    defer { tjDestroy(handle) }
    var transform = tjtransform()
    transform.options = TJXOPT_NOOUTPUT | TJXOPT_COPYNONE
    transform.data = Unmanaged.passUnretained(collector).toOpaque()
    transform.customFilter = { coefficients, row, plane, component, _, transform in
      // Of components with several blocks in a unit, rows behind the picture come too.
      guard row.y < plane.h else { return 0 }
      let collector = Unmanaged<Collector>.fromOpaque(transform!.pointee.data).takeUnretainedValue()
      if collector.planes.count <= Int(component) { collector.planes.append(Plane()) }
      let columns = Int(row.w) / 8
      collector.planes[Int(component)].columns = columns
      collector.planes[Int(component)].rows = Int(plane.h) / 8
      for column in 0..<columns {
        collector.planes[Int(component)].blocks.append(
          (0..<64).map { coefficients![64 * column + $0] })
      }
      return 0
    }
    var (memory, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
    let result = jpeg.withUnsafeBytes {
      tjTransform(
        handle, $0.bindMemory(to: UInt8.self).baseAddress, UInt($0.count), 1, &memory, &count,
        &transform, 0)
    }
    #expect(result == 0)
    var planes = collector.planes
    for index in planes.indices {
      planes[index].factors =
        frame.components.count == 1 ? .init(across: 1, down: 1) : frame.components[index]
    }
    self.planes = planes
  }
}

/// A JPEG in a file that is removed in the end.
private final class TemporaryJPEG {
  let bytes: Data
  private let url: URL

  init(_ bytes: Data) throws {
    self.bytes = bytes
    url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jpg")
    try bytes.write(to: url)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var fixture: OpenFixture { OpenFixture(url) }

  func render(
    _ edit: EditStack, allowsDamage: Bool = false
  ) throws -> (bytes: Data, report: Renderer.Report) {
    let fixture = OpenFixture(url)
    return try LosslessMoveTests.rendered(fixture.source(allowsDamage: allowsDamage), edit)
  }

  func pixels(_ edit: EditStack = EditStack()) throws -> [Int] { try fixture.pixels(edit).codes }
}

/// A JPEG of noise that libjpeg-turbo made.
private struct TestJPEG: CustomStringConvertible {
  let size: PixelSize
  let subsampling: TJSAMP
  let orientation: Int
  let isProgressive: Bool
  let file: TemporaryJPEG

  var bytes: Data { file.bytes }
  var description: String {
    "\(size.width) × \(size.height), subsampling \(subsampling.rawValue), orientation \(orientation)"
  }

  /// Pixels of a coded unit. Source: ITU-T T.81, A.2.
  var unit: PixelSize {
    switch subsampling {
    case TJSAMP_420: PixelSize(width: 16, height: 16)
    case TJSAMP_422: PixelSize(width: 16, height: 8)
    case TJSAMP_440: PixelSize(width: 8, height: 16)
    case TJSAMP_411: PixelSize(width: 32, height: 8)
    default: PixelSize(width: 8, height: 8)
    }
  }

  init(random: inout SeededGenerator, sides: ClosedRange<Int> = 1...70) {
    // Half of the sides are whole units.
    func side() -> Int {
      let side = Int.random(in: sides, using: &random)
      return Bool.random(using: &random) ? side : max(side / 16 * 16, 16)
    }
    self.init(
      size: PixelSize(width: side(), height: side()),
      [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411, TJSAMP_GRAY]
        .randomElement(using: &random)!,
      orientation: .random(in: 1...8, using: &random), isProgressive: .random(using: &random),
      seed: random.next())
  }

  init(
    size: PixelSize, _ subsampling: TJSAMP, orientation: Int, isProgressive: Bool = false,
    seed: UInt64 = 1
  ) {
    (self.size, self.subsampling) = (size, subsampling)
    (self.orientation, self.isProgressive) = (orientation, isProgressive)
    var random = SeededGenerator(seed: seed)
    let pixels = (0..<3 * size.width * size.height).map { _ in
      UInt8.random(in: 60...190, using: &random)
    }
    let handle = tjInitCompress()!
    defer { tjDestroy(handle) }
    var (memory, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
    let result = tjCompress2(
      handle, pixels, Int32(size.width), 0, Int32(size.height), Int32(TJPF_RGB.rawValue), &memory,
      &count, Int32(subsampling.rawValue), 88, isProgressive ? TJFLAG_PROGRESSIVE : 0)
    precondition(result == 0)
    var bytes = Data(bytes: memory!, count: Int(count))
    tjFree(memory)
    // Exif with the orientation alone.
    let block: [UInt8] =
      Array("Exif\0\0MM\0*".utf8) + [
        0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation),
      ]
      + [UInt8](repeating: 0, count: 6)
    bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(block.count + 2)] + block, at: 2)
    file = try! TemporaryJPEG(bytes)
  }

  func render(_ edit: EditStack) throws -> (bytes: Data, report: Renderer.Report) {
    try file.render(edit)
  }

  func pixels(_ edit: EditStack) throws -> [Int] { try file.pixels(edit) }
}
