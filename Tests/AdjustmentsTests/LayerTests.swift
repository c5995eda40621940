import Foundation
import Testing

@testable import SafelightAdjustments

@Suite struct LayerTests {
  /// A layer at half strength in the upper part of the photo.
  private static func sky(_ adjustments: any Adjustment...) throws -> Layer {
    try Layer(name: "sky", opacity: 0.5, mask: Mask(LinearGradient()), adjustments)
  }

  private func read(_ json: String) throws -> EditStack {
    try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: "1.0", data: Data(json.utf8)))
  }

  private func text(_ edit: EditStack) -> String {
    String(decoding: edit.adjustmentData.data, as: UTF8.self)
  }

  private static let record = """
    {"adjustments":[{"id":"layer","version":1,"name":"sky","opacity":0.5,\
    "mask":{"id":"linear-gradient","version":1,"startX":0.5,"startY":0,"endX":0.5,"endY":1},\
    "adjustments":[{"id":"saturation","version":1,"amount":0.2}]}]}
    """

  @Test func aLayerIsStoredWithItsMaskAndItsAdjustments() throws {
    var saturation = Saturation()
    saturation.amount = 0.2
    var edit = EditStack()
    try edit.setLayer(Self.sky(saturation))
    #expect(text(edit) == Self.record)
    #expect(try read(Self.record).layers == edit.layers)
    #expect(try read(Self.record).unknownEntries.isEmpty)
    // The layer again changes no byte, also where another program wrote it.
    var other = try read(Self.record.replacing(#""opacity":0.5"#, with: #""opacity": 0.50"#))
    let before = other.adjustmentData
    try other.setLayer(Self.sky(saturation))
    #expect(other.adjustmentData == before)
  }

  @Test func withoutAMaskALayerIsWhatAFilterIs() throws {
    let filter = ShippedLook.gray.applied(intensity: 0.6)
    let edit = try EditStack([filter])
    var layer = Layer()
    (layer.name, layer.opacity, layer.steps) = ("gray", 0.6, filter.steps)
    #expect(edit.layers == [layer])
    #expect(try EditStack([layer]).layers == [layer])
    #expect(try text(EditStack([layer])).contains(#""opacity":0.6,"mask":null,"adjustments":["#))
  }

  @Test(arguments: [
    (#"{"id":"layer","version":2}"#, "layer", 2),
    (record.replacing("linear-gradient", with: "brush"), "brush", 1),
    (record.replacing(#"gradient","version":1"#, with: #"gradient","version":7"#), "", 7),
  ])
  func whatANewerVersionStoredIsKeptAndSaid(json: String, id: String, version: Int) throws {
    let edit = try read(json.hasPrefix(#"{"adj"#) ? json : #"{"adjustments":[\#(json)]}"#)
    let unknown = try #require(edit.unknownEntries.first)
    #expect(unknown.id == (id.isEmpty ? LinearGradient.id : id) && unknown.version == version)
    let error = AdjustmentError.newerVersion(id: unknown.id, version: version)
    var other = EditStack()
    #expect(throws: error) { try other.copy(from: edit) }
    var turned = edit
    if edit.layers.isEmpty { return }
    #expect(throws: error) { try turned.turn { rotate, _ in rotate.amount = .right } }
    #expect(turned.adjustmentData == edit.adjustmentData)
  }

  /// A version without layers reads the entry as it reads any adjustment that it does not know.
  @Test func aVersionWithoutLayersKeepsThem() throws {
    let json = try JSONValue(parsing: Self.record.utf8)
    let layer = try #require(json["adjustments"]?.elements?.first)
    let entry = try StackEntry(json: layer) { _ in nil }
    #expect(entry.adjustment == nil && entry.json == layer && entry.id == "layer")
  }

  @Test func aMaskOutOfRangeIsRefused() {
    #expect(throws: AdjustmentError.self) {
      try read(Self.record.replacing(#""endX":0.5"#, with: #""endX":5"#))
    }
  }

  @Test(arguments: [
    ("exposure", nil, "exposure"), ("sky/exposure", "sky", "exposure"), ("a/b/hue", "a/b", "hue"),
  ])
  func pathsAreReadAndPrinted(text: String, layer: String?, id: String) {
    let path = AdjustmentPath(text)
    #expect(path == AdjustmentPath(id, in: layer) && path.description == text)
  }

  @Test func pathsAddressTheAdjustmentsOfLayers() throws {
    var edit = try EditStack([Self.sky()])
    try edit.set("exposure", to: "1")
    try edit.set("sky/contrast", to: "20")
    try edit.set("sky/exposure", to: "0.5")
    try edit.set("sky/temperature", to: "5000")
    #expect(try edit.adjustment(Exposure.self).amount == 1)
    #expect(try edit.adjustment(Exposure.self, in: "sky").amount == 0.5)
    // They act in the order of the pipeline.
    #expect(
      edit.layers[0].steps.entries.map(\.id) == ["white-balance", "exposure", "contrast"])
    try edit.set("sky/temperature", to: "6500")
    try edit.remove("sky/contrast")
    #expect(edit.layers[0].steps.entries.map(\.id) == ["exposure"])
    #expect(try edit.layers[0].mask == Mask(LinearGradient()))
    try edit.remove("exposure")
    #expect(edit.entries.map(\.id) == ["layer"])
    let before = edit
    let error = AdjustmentError.unknownParameter("sea/exposure")
    #expect(throws: error) { try edit.set("sea/exposure", to: "1") }
    #expect(throws: error) { try edit.remove("sea/exposure") }
    #expect(throws: AdjustmentError.unknownParameter("layer")) {
      try edit.adjust(Layer.self) { _ in }
    }
    #expect(edit == before)
    edit.removeAdjustments()
    #expect(edit == before)
  }

  @Test func layersAndPartsOfThemAreCopied() throws {
    var source = try EditStack([Self.sky(), ShippedLook.gray.applied()])
    try source.set("sky/exposure", to: "1")
    try source.set("sky/contrast", to: "9")
    var whole = EditStack()
    try whole.copy(from: source)
    #expect(whole.layers == source.layers)
    var part = EditStack()
    try part.copy(.only(["sky/contrast"]), from: source)
    #expect(part.layers.map(\.name) == ["sky"] && part.layers[0].mask != nil)
    #expect(part.layers[0].steps.entries.map(\.id) == ["contrast"])
    try part.set("sky/contrast", to: "1")
    try part.set("sky/vibrance", to: "0.5")
    try part.copy(.only(["sky/contrast", "sky/hue", "sea/hue"]), from: source)
    #expect(try part.adjustment(Contrast.self, in: "sky").amount == 9)
    #expect(part.layers[0].steps.entries.map(\.id) == ["contrast", "vibrance"])
    let once = part.adjustmentData
    try part.copy(.only(["sky/contrast"]), from: source)
    #expect(part.adjustmentData == once)
  }
}

@Suite struct AsShotNumberTests {
  @Test(arguments: [
    ("as-shot", AsShotNumber.asShot, #""as-shot""#), ("5200", .number(5200), "5200"),
  ])
  func numbersAreReadAndPrinted(text: String, value: AsShotNumber, json: String) throws {
    #expect(AsShotNumber(argument: text, unit: .kelvin) == value)
    #expect(value.json.text == json)
    #expect(try AsShotNumber(json: JSONValue(parsing: json.utf8)) == value)
    #expect(AsShotNumber(argument: value.argument, unit: .kelvin) == value)
  }

  /// Places at the ends of their ranges, and such that 1 − (1 − x) is another number.
  @Test(arguments: [-1, -0.98, -0.3, 0.3, 0.46, 1.07, 2], [0.001, 0.4, 3])
  func fourTurnsAndTwoMirrorsGiveTheSameBytes(place: Double, size: Double) throws {
    var circle = RadialGradient()
    (circle.x, circle.y, circle.width, circle.height) = (place, 0.2, size, 0.7)
    var line = LinearGradient()
    (line.startX, line.endY) = (place, place)
    var edit = EditStack()
    var exposure = Exposure()
    exposure.amount = 1
    try edit.setLayer(Layer(name: "circle", mask: Mask(circle), [exposure]))
    try edit.setLayer(Layer(name: "line", mask: Mask(line), [exposure]))
    let before = edit.adjustmentData
    for turn: QuarterTurns in [.right, .half, .left, .none] {
      try edit.turn { rotate, flip in
        (rotate.amount, flip.horizontal) = (turn, turn == .half)
      }
    }
    #expect(edit.adjustmentData == before)
  }

  @Test func aCopiedStepStandsWhereTheFilterHadIt() throws {
    func filter(_ amount: Double) throws -> EditStack {
      var (contrast, exposure, fade) = (Contrast(), Exposure(), Fade())
      (contrast.amount, exposure.amount, fade.amount) = (amount, amount, amount)
      let steps: [any Adjustment] = [fade, contrast, exposure]
      return try EditStack([
        Filter(name: "own", title: "Own", summary: "A test.", steps: steps).applied(intensity: 0.5)
      ])
    }
    var edit = try filter(0.1)
    try edit.copy(.only([AdjustmentPath("own/contrast")]), from: filter(0.2))
    #expect(edit.layers.first?.steps.entries.map(\.id) == [Fade.id, Contrast.id, Exposure.id])
    #expect(try edit.adjustment(Contrast.self, in: "own").amount == 0.2)
    #expect(try edit.adjustment(Fade.self, in: "own").amount == 0.1)
    // Where the other edit has no such filter, a filter with this step comes.
    var empty = EditStack()
    try empty.copy(.only([AdjustmentPath("own/contrast")]), from: filter(0.2))
    #expect(empty.entries.map(\.id) == [AppliedFilter.id])
    #expect(throws: AdjustmentError.unknownParameter("own/ev")) {
      try edit.remove(AdjustmentPath("own/ev"))
    }
  }

  @Test func theNeutralValueIsWhatThePhotoSays() throws {
    let parameter = try #require(AdjustmentDescription(Warmth.self).parameters.first)
    #expect(parameter.limits == "2000 to 20000 kelvin, neutral as-shot")
    #expect(parameter.neutral == .string("as-shot") && parameter.typeName == "number")
    var warmth = Warmth()
    #expect(warmth.isNeutral && warmth.settings.isEmpty)
    warmth.kelvin = .number(6500)
    #expect(!warmth.isNeutral && warmth.settings.map(\.argument) == ["6500"])
    let entry = try StackEntry(warmth)
    #expect(entry.json.text == #"{"id":"warmth","version":1,"kelvin":6500}"#)
    let shot = try JSONValue(parsing: #"{"id":"warmth","version":1,"kelvin":"as-shot"}"#.utf8)
    #expect(try StackEntry(json: shot) { _ in Warmth.self }.adjustment?.isNeutral == true)
    warmth.kelvin = .number(1)
    #expect(throws: AdjustmentError.self) { try warmth.validate() }
  }
}

/// An adjustment that the photo's own temperature leaves as it is.
private struct Warmth: Adjustment {
  static let id = "warmth"
  static let version = 1
  static let group = AdjustmentGroup.color
  static let summary = "For a test."
  static let parameters = [
    Parameter(\Self.kelvin, "kelvin", range: 2000...20_000, unit: .kelvin, summary: "S.")
  ]
  var kelvin = AsShotNumber.asShot
}
