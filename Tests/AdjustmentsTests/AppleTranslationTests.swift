import Foundation
import Testing

@testable import SafelightAdjustments

@Suite struct AppleTranslationTests {
  private func edit(_ adjustments: String, orientation: Int = 1, _ size: String = "400,300") throws
    -> AppleEdit
  {
    let sides = size.split(separator: ",")
    return AppleEdit(
      AdjustmentData(
        formatIdentifier: "com.apple.photo", formatVersion: "1.4",
        data: Data(
          """
          {"adjustments":[\(adjustments)],"metadata":{"masterWidth":\(sides[0]),\
          "masterHeight":\(sides[1]),"orientation":\(orientation)}}
          """.utf8)))
  }

  private func translated(_ adjustments: String, orientation: Int = 1) throws -> AppleTranslation {
    AppleTranslation(
      try edit(adjustments, orientation: orientation), pixelWidth: 400, pixelHeight: 300)
  }

  @Test func aCropCountsFromTheBottom() throws {
    let found = try translated(
      #"{"identifier":"Crop","settings":{"xOrigin":40,"yOrigin":30,"width":200,"height":60,"straightenAngle":0}}"#
    )
    let crop = try found.stack.adjustment(Crop.self)
    #expect(crop.x == 0.1 && crop.width == 0.5 && crop.height == 0.2)
    // 300 - 30 - 60 rows are above it.
    #expect(abs(crop.y - 0.7) < 1e-12)
    #expect(found.grade == .exact && !found.isEmpty)
  }

  @Test(arguments: [
    (1526, 1325, 0, 1), (1, 1, 2047, 1366), (2048, 1367, 0, 0), (999, 1, 3, 777),
    (7, 1300, 1999, 60),
  ])
  func everyCropIsExactToThePixel(width: Int, height: Int, x: Int, y: Int) throws {
    let crop =
      #"{"identifier":"Crop","settings":{"xOrigin":\#(x),"yOrigin":\#(y),"width":\#(width),"height":\#(height)}}"#
    let found = AppleTranslation(
      try edit(crop, "2048,1367"), pixelWidth: 2048, pixelHeight: 1367)
    let ours = try found.stack.adjustment(Crop.self)
    func pixel(_ share: Double, _ side: Double) -> Int { Int((share * side).rounded()) }
    #expect(pixel(ours.x, 2048) == x && pixel(ours.x + ours.width, 2048) == x + width)
    let top = 1367 - y - height
    #expect(pixel(ours.y, 1367) == top && pixel(ours.y + ours.height, 1367) == top + height)
  }

  @Test func whatIsNotMeasuredIsNotExact() throws {
    let crop =
      #"{"identifier":"Crop","settings":{"xOrigin":1,"yOrigin":0,"width":200,"height":200}}"#
    #expect(try translated(crop, orientation: 6).grade == .near)
    for setting in ["straightenAngle", "angle", "pitch", "yaw"] {
      let found = try translated(#"{"identifier":"Crop","settings":{"\#(setting)":0.1}}"#)
      #expect(found.grade == .unknown && found.isEmpty, "\(setting)")
    }
    let straightened = try translated(
      #"{"identifier":"Crop","settings":{"xOrigin":1,"yOrigin":0,"width":200,"height":200,"straightenAngle":2}}"#
    )
    #expect(straightened.parts.allSatisfy { $0.grade == .unknown } && straightened.isEmpty)
    // Outside of the picture.
    let outside = try translated(
      #"{"identifier":"Crop","settings":{"xOrigin":300,"yOrigin":0,"width":200,"height":200}}"#)
    #expect(outside.grade == .unknown && outside.isEmpty)
  }

  @Test(arguments: [
    ("3DNoir", "noir"), ("Noir", "noir"), ("3DDramaticCool", "dramatic-cool"),
    ("3DSilverplate", "silvertone"), ("Process", "process"),
  ])
  func filtersHaveTheirNames(name: String, filter: String) throws {
    let found = try translated(
      #"{"identifier":"Effect","settings":{"effectName":"\#(name)","effectVersion":1}}"#)
    #expect(found.filter == filter && found.grade == .near)
  }

  @Test func lightAndColorBecomeTheNearest() throws {
    let found = try translated(
      #"{"identifier":"SmartTone","settings":{"inputLight":-0.28,"offsetExposure":0,"statistics":{"p02":0.1}}},"#
        + #"{"identifier":"SmartColor","settings":{"inputColor":0.1,"offsetCast":0}}"#)
    #expect(abs(try found.stack.adjustment(WhitesBlacks.self).blacks + 29.4) < 1e-9)
    #expect(abs(try found.stack.adjustment(Saturation.self).amount - 9.5) < 1e-9)
    #expect(found.grade == .near && found.parts.count == 2)
    #expect(found.parts.map(\.description).first == "light as brightness, blacks (near)")
  }

  @Test func whatIsUnknownIsListedAndWhatIsOffIsNot() throws {
    let found = try translated(
      #"{"identifier":"Retouch","settings":{}},{"identifier":"Brand New","settings":{"x":1}},"#
        + #"{"identifier":"SmartTone","enabled":false,"settings":{"inputLight":1}}"#)
    #expect(found.unknown.map(\.title) == ["retouch", "Brand New"])
    #expect(found.isEmpty && found.grade == .unknown)
    #expect(try translated("").grade == .exact && (try translated("").isEmpty))
  }

  @Test func curvesLevelsAndColorsTakeTheirPoints() throws {
    let found = try translated(
      #"{"identifier":"Curves","settings":{"pointsL":[{"x":0,"y":0},{"x":0.5,"y":0.6},{"x":1,"y":1}]}},"#
        + #"{"identifier":"Levels","settings":{"blackSrcRGB":0.1,"midSrcRGB":0.55,"whiteSrcRGB":1,"midDstRGB":0.5}},"#
        + #"{"identifier":"SelectiveColor","settings":{"corrections":[{"red":0,"green":0.1,"blue":1,"saturation":0.5}]}}"#
    )
    let curve = try found.stack.adjustment(ToneCurve.self)
    #expect(curve.all.points.map(\.output) == [0, 0.6, 1])
    let levels = try found.stack.adjustment(Levels.self)
    #expect(levels.all.black == 25.5 && levels.all.white == 255 && levels.all.gamma == 1)
    #expect(try found.stack.adjustment(ColorMixer.self).blue.saturation == 50)
    #expect(found.grade == .near)
  }

  @Test func strangeNumbersAreHarmless() throws {
    for row in AppleTranslation.table {
      for setting in row.settings.split(separator: ", ") {
        for value in ["1e308", "-1e308", "\"text\"", "[]", "null", "true", "-0.0001"] {
          _ = try translated(
            #"{"identifier":"\#(row.adjustment)","settings":{"\#(setting)":\#(value),"width":1,"height":1}}"#
          )
        }
      }
    }
  }

  /// The table as the documentation has it.
  @Test func theTableIsInTheDocumentation() throws {
    let rows = AppleTranslation.table.map { row in
      "| `\(row.adjustment)` | \(row.settings) | \(row.target ?? "–") | \(row.grade.rawValue) | \(row.note) |"
    }
    print(rows.joined(separator: "\n"))
    let article = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Sources/PhotoEditing/PhotoEditing.docc/ComingFromApplePhotos.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    for row in rows { #expect(text.contains(row), "\(row)") }
    #expect(rows.count == Set(rows).count && rows.count >= 28)
  }
}
