import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Photos with a known fault, made from the beach, and pictures that have none.
@Suite struct AutomaticTests {
  private func found(
    _ kinds: Set<AutomaticAdjustment>, in photo: borrowing OpenFixture,
    edit: EditStack = EditStack()
  ) throws -> (values: [String: Double], notes: [String]) {
    let found = try Renderer().automaticAdjustments(kinds, for: photo.source(), edit: edit)
    let values = found.settings.map { ($0.parameter.option ?? "", $0.value.number ?? .nan) }
    return (Dictionary(uniqueKeysWithValues: values), found.notes)
  }

  /// What is found in a small beach after adjustments.
  private func found(
    _ kinds: Set<AutomaticAdjustment>, after adjustments: any Adjustment...
  ) throws -> (values: [String: Double], notes: [String]) {
    let bytes = try OpenFixture("beach.jpg").render(EditStack(adjustments), longestSide: 500).bytes
    return try TemporaryFile.holding(bytes) { try found(kinds, in: $0) }
  }

  private func picture(
    width: Int = 120, height: Int = 80, _ pixel: (Int, Int) -> [UInt8]
  ) throws -> ReducedPicture {
    var planes = [[Float]](repeating: [], count: 3)
    for y in 0..<height {
      for x in 0..<width {
        for (channel, code) in pixel(x, y).enumerated() {
          planes[channel].append(Float(code) / 255)
        }
      }
    }
    return ReducedPicture(planes: planes, width: width, height: height, factor: 1)
  }

  @Test(arguments: [-6.5, -2, 0, 1, 3, 5.5])
  func aTiltedHorizonIsFound(degrees: Double) throws {
    let (values, notes) = try found([.straighten], after: Straighten(degrees))
    #expect(abs(try #require(values["straighten"]) + degrees) <= 0.2)
    #expect(notes.isEmpty)
  }

  @Test func moreThanTenDegreesAreTakenAsIntended() throws {
    let (values, notes) = try found([.straighten], after: Straighten(14))
    #expect(values["straighten"] == nil, "An angle that was set by hand stays.")
    #expect(notes == ["No clear horizon or upright was found to straighten by."])
  }

  /// The angle is that of the picture as it stands: a quarter turn keeps it, a mirror changes its
  /// side.
  @Test func turnsAndMirrorsCount() throws {
    let bytes = try OpenFixture("beach.jpg").render(EditStack([Straighten(3)]), longestSide: 500)
      .bytes
    var (rotate, flip) = (Rotate(), Flip())
    rotate.amount = .right
    flip.horizontal = true
    try TemporaryFile.holding(bytes) { photo in
      let plain = try #require(try found([.straighten], in: photo).values["straighten"])
      let turned = try found([.straighten], in: photo, edit: EditStack([rotate]))
      #expect(turned.values["straighten"] == plain)
      let mirrored = try found([.straighten], in: photo, edit: EditStack([rotate, flip]))
      #expect(mirrored.values["straighten"] == -plain)
    }
  }

  /// Posts that lean by some degrees, at places from 0 to 1.
  private func posts(at places: [Double], leaning degrees: [Double]) throws -> ReducedPicture {
    try picture(width: 400, height: 300) { x, y in
      // Smooth edges have a direction.
      let light = zip(places, degrees).map { place, lean in
        let middle = place * 400 + (Double(y) - 150) * tan(lean * .pi / 180)
        return min(max((abs(Double(x) - middle) - 5) / 2, 0), 1)
      }
      return [UInt8](repeating: UInt8(30 + 160 * light.min()!), count: 3)
    }
  }

  /// Uprights converge when the camera looks up; the picture is not tilted.
  @Test(arguments: [
    ([0.85], [8.0]), ([0.2], [-6]), ([0.2, 0.8], [-6, 6]), ([0.7, 0.8], [4, 4]),
  ])
  func perspectiveTurnsNothing(places: [Double], degrees: [Double]) throws {
    #expect(try AutomaticStraighten(posts(at: places, leaning: degrees)).angle == nil)
  }

  @Test func uprightsOnBothSidesOrInTheMiddleTurn() throws {
    for places in [[0.5], [0.2, 0.8], [0.1, 0.45, 0.9]] {
      let posts = try posts(at: places, leaning: places.map { _ in 3 })
      #expect(abs(abs(try #require(AutomaticStraighten(posts).angle)) - 3) <= 0.2)
    }
  }

  @Test func noiseHasNoAngle() throws {
    var random = SeededGenerator(seed: 8)
    let noise = try picture { _, _ in
      [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: 3)
    }
    #expect(AutomaticStraighten(noise).angle == nil)
  }

  /// At least two fifths of a cast are removed, and hardly anything where there is no cast. The
  /// beach itself is slightly warm.
  @Test(arguments: [(9000.0, 0.0), (5000, 0), (7500, -15), (6500, 20), (6500, 0)])
  func aCastIsTakenBack(temperature: Double, tint: Double) throws {
    func shift(_ balance: WhiteBalance) throws -> (mired: Double, tint: Double) {
      let (values, _) = try found([.whiteBalance], after: balance)
      let mired = 1e6 / (try #require(values["temperature"])) - 1e6 / 6500
      return (mired, try #require(values["tint"]))
    }
    var balance = WhiteBalance()
    let own = try shift(balance)
    (balance.temperature, balance.tint) = (temperature, tint)
    let chosen = try shift(balance)
    let cast = 1e6 / temperature - 1e6 / 6500
    if cast != 0 {
      let share = (own.mired - chosen.mired) / cast
      #expect(share > 0.4 && share < 1.1)
    } else {
      #expect(abs(chosen.mired - own.mired) < 8 && abs(own.mired) < 8)
    }
    #expect(abs(chosen.tint + 0.75 * tint) < 8)
  }

  /// A photo with a color on the left and one on the right.
  private func halves(_ left: [UInt8], _ right: [UInt8]) throws -> [UInt8] {
    final class Collector { var bytes: [UInt8] = [] }
    let codes = (0..<(240 * 160)).flatMap { $0 % 240 < 120 ? left : right }
    let image = try Image.fromMemory(codes, width: 240, height: 160, bands: 3, format: .uint8)
    let collector = Collector()
    try image.writePNG(to: Target { collector.bytes += $0 })
    return collector.bytes
  }

  /// The formula of white balance alone makes the color of the place gray, whatever else is there.
  @Test(arguments: [[200, 170, 140], [150, 160, 190], [90, 100, 80], [128, 128, 128]])
  func aPickedPlaceBecomesGray(color: [UInt8]) throws {
    var (rotate, crop, warm) = (Rotate(), Crop(), WhiteBalance())
    rotate.amount = .right
    (crop.x, crop.width) = (0.25, 0.5)
    warm.temperature = 9000
    let places: [(GrayPlace, [any Adjustment])] = [
      (.point(x: 0.25, y: 0.5), []), (.point(x: 0, y: 0), [warm]),
      (.area(x: 0.1, y: 0.1, width: 0.35, height: 0.8), [Levels.flat]),
      // What is on the left comes to the top.
      (.point(x: 0.9, y: 0.2), [rotate, warm]), (.point(x: 0.3, y: 0.5), [crop]),
    ]
    try TemporaryFile.holding(halves(color, [60, 200, 60])) { photo in
      for (place, edit) in places {
        let found = try Renderer().automaticAdjustments(
          [.whiteBalance], for: photo.source(), edit: EditStack(edit), gray: place)
        let values = found.settings.map { $0.value.number ?? .nan }
        #expect(found.notes.isEmpty && values.count == 2)
        let balanced = ReferenceWhiteBalance.balanced(
          color.map { Double($0) / 255 }, temperature: values[0], tint: values[1])
        #expect(balanced.max()! - balanced.min()! < 0.002, "\(place)")
      }
    }
  }

  @Test(arguments: [[1, 1, 1], [250, 20, 20]])
  func aPlaceThatNoLightMakesGrayIsToldOf(color: [UInt8]) throws {
    try TemporaryFile.holding(halves([128, 128, 128], color)) { photo in
      let found = try Renderer().automaticAdjustments(
        [.whiteBalance], for: photo.source(), edit: EditStack(), gray: .point(x: 0.75, y: 0.5))
      #expect(found.settings.isEmpty, "A white balance that was set by hand stays.")
      #expect(found.notes == ["The place is too dark or too colorful to be gray."])
    }
  }

  /// A wall of one color keeps its color.
  @Test(arguments: [[165, 60, 45], [60, 110, 60], [40, 70, 190], [200, 30, 30]])
  func aColoredWallKeepsItsColor(color: [Int]) throws {
    var random = SeededGenerator(seed: 2)
    let wall = try picture { x, y in
      let share =
        (y % 10 == 0 || (x + y / 10 * 7) % 20 == 0 ? 0.75 : 1)
        * Double.random(in: 0.9...1.1, using: &random)
      return color.map { UInt8(min(Double($0) * share, 255)) }
    }
    let light = AutomaticWhiteBalance(wall).adjustment
    var changed = wall
    let context = StepContext(size: PixelSize(width: wall.width, height: wall.height), scale: 1)
    changed.apply(light.colorSteps(in: context))
    func spread(_ picture: ReducedPicture) -> Float {
      let means = picture.planes.map { $0.reduce(0, +) / Float($0.count) }
      return means.max()! - means.min()!
    }
    #expect(spread(changed) > 0.8 * spread(wall))
  }

  /// Strong colors beside gray surfaces, in a light: shaded red, orange or rose over most of the
  /// picture, and gray cards.
  private func cards(beside color: [Double], in light: WhiteBalance) throws -> ReducedPicture {
    var random = SeededGenerator(seed: 4)
    var cards = try picture(width: 240, height: 160) { x, y in
      let isGray = x % 80 < 30 && y % 80 < 40
      let shade = (0.6 + 0.4 * sin(Double(x + y) / 9)) * Double.random(in: 0.94...1, using: &random)
      return (isGray ? [170.0, 170, 170] : color).map { UInt8($0 * shade) }
    }
    cards.apply(light.colorSteps(in: Self.context(cards)))
    return cards
  }

  private static func context(_ picture: ReducedPicture) -> StepContext {
    StepContext(size: PixelSize(width: picture.width, height: picture.height), scale: 1)
  }

  /// a* and b* of the mean of the cards' middle.
  private func chroma(ofCards picture: ReducedPicture) -> (a: Double, b: Double) {
    let pixels = picture.planes[0].indices.filter { index in
      (6..<24).contains(index % picture.width % 80) && (6..<34).contains(index / picture.width % 80)
    }
    let light = picture.planes.map { plane in
      pixels.reduce(0) { $0 + SRGBTransfer.linear(Double(plane[$1])) } / Double(pixels.count)
    }
    return GrayPixels.chroma(light)
  }

  @Test(arguments: [[205.0, 30, 35], [220, 90, 30], [190, 60, 110], [150, 20, 20]])
  func neutralSurfacesStayNeutralBesideStrongReds(color: [Double]) throws {
    var cards = try cards(beside: color, in: WhiteBalance())
    let before = chroma(ofCards: cards)
    cards.apply(AutomaticWhiteBalance(cards).adjustment.colorSteps(in: Self.context(cards)))
    let after = chroma(ofCards: cards)
    #expect(abs(after.a - before.a) < 1 && abs(after.b - before.b) < 1)
  }

  /// Beside strong reds, too, at least two fifths of the color of a light are removed.
  @Test(arguments: [(8500.0, 0.0), (5300, 0), (6500, -15), (6500, 15)])
  func aCastOnNeutralSurfacesIsFound(temperature: Double, tint: Double) throws {
    var light = WhiteBalance()
    (light.temperature, light.tint) = (temperature, tint)
    var cards = try cards(beside: [205, 30, 35], in: light)
    let before = chroma(ofCards: cards)
    cards.apply(AutomaticWhiteBalance(cards).adjustment.colorSteps(in: Self.context(cards)))
    let after = chroma(ofCards: cards)
    let (cast, left) = (hypot(before.a, before.b), hypot(after.a, after.b))
    #expect(cast > 2.5 && left < 0.6 * cast)
  }

  @Test func aWellExposedPhotoHardlyChanges() throws {
    let (values, _) = try found([.tone], in: OpenFixture("beach.jpg"))
    #expect(values["exposure"] == 0 && values["shadows"] == 0 && values["levels-white"] == 255)
    #expect(try #require(values["levels-black"]) <= 12)
  }

  /// A dark face before bright surroundings: it gets lighter, also where the window is blown.
  @Test(arguments: [190.0, 225, 255], [45.0, 70])
  func aBacklitFaceGetsLighter(window: Double, face: Double) throws {
    let scene = try picture(width: 240, height: 160) { x, y in
      let isFace = hypot(Double(x - 120), Double(y - 90)) < 62
      let shade = 1 + 0.1 * sin(Double(x) / 7) * cos(Double(y) / 5)
      let color = isFace ? [face, face * 0.8, face * 0.65] : [window, window, window]
      return color.map { UInt8(min($0 * shade, 255)) }
    }
    let tone = AutomaticTone(scene)
    #expect(tone.local.shadows > 5 && tone.exposure.amount >= 0)
    var changed = scene
    let context = Self.context(scene)
    changed.apply(tone.exposure.colorSteps(in: context))
    changed.apply(tone.local.colorSteps(in: context, guidedBy: changed))
    changed.apply(tone.levels.colorSteps(in: context))
    let middle = 90 * 240 + 120
    #expect(changed.luma.values[middle] > scene.luma.values[middle] * 1.02)
  }

  /// Whatever the photo lacks, no parameter stands at its limit.
  @Test(arguments: [-3.0, -1.5, 0])
  func noParameterStandsAtItsLimit(stops: Double) throws {
    var exposure = Exposure()
    exposure.amount = stops
    let (values, _) = try found([.tone], after: exposure, Levels.flat)
    let limits = ["exposure": 2, "shadows": 25, "levels-black": 255, "levels-white": 255.1]
    #expect(values.count == limits.count)
    for (option, limit) in limits {
      #expect(abs(try #require(values[option])) < limit, "\(option)")
    }
  }

  @Test(arguments: [-3.0, -2, -1.5])
  func aDarkPhotoOpens(stops: Double) throws {
    var exposure = Exposure()
    exposure.amount = stops
    let (values, _) = try found([.tone], after: exposure)
    let opened = try #require(values["exposure"])
    #expect(opened > 0.4 * -stops && opened < 2)
  }

  @Test func aFlatPhotoGetsItsRange() throws {
    let bytes = try OpenFixture("beach.jpg").render(EditStack([Levels.flat]), longestSide: 500)
      .bytes
    try TemporaryFile.holding(bytes) { photo in
      let (values, _) = try found([.tone], in: photo)
      #expect(values["exposure"] == 0)
      #expect(abs(try #require(values["levels-black"]) - 64) < 16)
      #expect(abs(try #require(values["levels-white"]) - 170) < 6)
    }
  }

  /// A scene with everything from black to white, and what faults leave of it.
  private func scene(_ fault: (Double) -> Double) throws -> ReducedPicture {
    try picture(width: 240, height: 160) { x, y in
      let light = Double((x * 7 + y * 13) % 240) / 239
      return [0, 3, 9].map {
        UInt8((255 * fault(min(max(light + Double($0) / 99, 0), 1))).rounded())
      }
    }
  }

  /// Faults that are straight lines are taken back to a few codes: a veil, a lack of contrast, lifted blacks, a stop
  /// less light.
  @Test(arguments: [(0.075, 0.85), (0.2, 0.6), (0.15, 0.85), (0.1, 0.8)])
  func straightFaultsAreTakenBack(black: Double, span: Double) throws {
    let tone = try AutomaticTone(scene { black + span * $0 })
    #expect(tone.exposure.amount == 0 && tone.local.shadows == 0)
    #expect(abs(tone.levels.all.black - 255 * black) <= 3)
    #expect(abs(tone.levels.all.white - 255 * (black + span)) <= 3)
  }

  @Test(arguments: [0.5, 1.0])
  func aLackOfLightIsTakenBack(stops: Double) throws {
    let tone = try AutomaticTone(
      scene { SRGBTransfer.encoded(SRGBTransfer.linear($0) * exp2(-stops)) })
    #expect(abs(tone.exposure.amount - stops) <= 0.15)
    #expect(tone.levels.all.black == 0 && tone.levels.all.white > 240)
  }

  @Test func aWholeRangeStays() throws {
    let tone = try AutomaticTone(scene { $0 })
    #expect(tone.exposure.isNeutral && tone.local.isNeutral && tone.levels.isNeutral)
  }

  /// Gray over everything does not change which light the photo was taken in.
  @Test(arguments: [(8000.0, 0.0), (5400, 0), (6500, 0)])
  func aVeilIsNoCast(temperature: Double, tint: Double) throws {
    var light = WhiteBalance()
    (light.temperature, light.tint) = (temperature, tint)
    let clear = try cards(beside: [205, 140, 110], in: light)
    var veil = Levels()
    (veil.all.outputBlack, veil.all.outputWhite) = (40, 235)
    var veiled = clear
    veiled.apply(veil.colorSteps(in: Self.context(clear)))
    let found = [clear, veiled].map { 1e6 / AutomaticWhiteBalance($0).adjustment.temperature }
    #expect(abs(found[0] - found[1]) < 12)
  }

  /// The adjustments of the photo do not change what is found, so a second call finds the same.
  @Test func lookingAgainFindsTheSame() throws {
    let photo = OpenFixture("beach.jpg")
    let all = Set(AutomaticAdjustment.allCases)
    let first = try Renderer().automaticAdjustments(all, for: photo.source(), edit: EditStack())
    var edit = EditStack()
    try edit.set(first.settings)
    let second = try Renderer().automaticAdjustments(all, for: photo.source(), edit: edit)
    #expect(first == second)
    #expect(
      first.settings.map(\.parameter.option) == [
        "straighten", "noise-reduction-luminance", "noise-reduction-color", "temperature", "tint",
        "exposure", "shadows", "levels-black", "levels-white",
      ])
  }

  @Test func strengthScalesEveryValue() throws {
    let all = try AutomaticAdjustments(
      [
        ("straighten", -3), ("temperature", 5000), ("tint", 12), ("exposure", 0.6),
        ("contrast", 20), ("highlights", -30), ("shadows", 24), ("levels-black", 10),
        ("levels-white", 225),
      ], notes: ["A note."])
    func values(_ strength: Double) throws -> [Double?] {
      try all.scaled(to: strength).settings.map(\.value.number)
    }
    #expect(try values(0.5) == [-1.5, 5650, 6, 0.3, 10, -15, 12, 5, 240])
    #expect(try all.scaled(to: 1) == all)
    #expect(try all.scaled(to: 7) == all)
    for strength in [0.0, -1] {
      let none = try all.scaled(to: strength)
      #expect(none.settings.allSatisfy { $0.value == $0.parameter.neutral })
      #expect(none.notes == all.notes)
    }
  }

  @Test(arguments: ["alpha.png", "cmyk.jpg", "gradients/grey.jpg", "sixteen-bit.png", "photo.heic"])
  func everyKindOfPhotoIsUnderstood(name: String) throws {
    let found = try found(Set(AutomaticAdjustment.allCases), in: OpenFixture(name))
    #expect(found.values.values.allSatisfy { $0.isFinite })
    #expect(found.values.count == (found.notes.isEmpty ? 9 : 8))
  }

  /// Nothing to judge by: black, one color, and a lens cap with the noise of the sensor.
  @Test(arguments: [1, 2, 3, 40], [0, 0.004, 0.05, 0.5, 1] as [Float])
  func aPictureOfOneColorIsLeftAlone(side: Int, tone: Float) {
    let plane = [Float](repeating: tone, count: side * side)
    expectNothing(
      for: ReducedPicture(planes: [plane, plane, plane], width: side, height: side, factor: 1))
  }

  @Test func aLensCapIsLeftAlone() {
    var random = SeededGenerator(seed: 4)
    let planes = (0..<3).map { _ in
      (0..<(60 * 40)).map { _ in Float.random(in: 0...0.05, using: &random) }
    }
    expectNothing(for: ReducedPicture(planes: planes, width: 60, height: 40, factor: 1))
  }

  private func expectNothing(for picture: ReducedPicture) {
    #expect(AutomaticStraighten(picture).angle == nil)
    #expect(AutomaticWhiteBalance(picture).adjustment.isNeutral)
    let tone = AutomaticTone(picture)
    #expect(tone.exposure.isNeutral && tone.local.isNeutral && tone.levels.isNeutral)
  }
}

extension Levels {
  /// From a quarter to two thirds of the range.
  fileprivate static var flat: Levels {
    var levels = Levels()
    (levels.all.outputBlack, levels.all.outputWhite) = (64, 170)
    return levels
  }
}
