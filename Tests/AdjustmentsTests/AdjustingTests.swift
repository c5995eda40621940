import Foundation
import SafelightAdjustments
import Testing

@Suite struct AdjustingTests {
  private func stack(_ json: String) throws -> EditStack {
    try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: "1.0", data: Data(json.utf8)))
  }

  private func text(_ stack: EditStack) -> String {
    String(decoding: stack.adjustmentData.data, as: UTF8.self)
  }

  @Test func settingCreatesTheAdjustment() throws {
    var edit = EditStack()
    try edit.set("saturation", to: "20%")
    #expect(text(edit) == #"{"adjustments":[{"id":"saturation","version":1,"amount":20}]}"#)
    #expect(try edit.adjustment(Saturation.self).amount == 20)
    #expect(try edit.adjustment(Vibrance.self).isNeutral)
  }

  @Test func otherParametersAndUnknownFieldsAndThePlaceStay() throws {
    var edit = try stack(
      """
      {"adjustments":[{"id":"vibrance","version":1,"amount":0.50},
       {"mask":{"of": [1.0 ]},"id":"channel-mixer","version":1,"red":[0.5,0.5,0]},
       {"id":"saturation","version":1,"amount":-1.0}],"lens": [ 1 ]}
      """)
    try edit.set("channel-mixer-blue", to: "0,0,0.9")
    #expect(
      text(edit) == """
        {"adjustments":[{"id":"vibrance","version":1,"amount":0.50},{"id":"channel-mixer",\
        "version":1,"red":[0.5,0.5,0],"green":[0,1,0],"blue":[0,0,0.9],"mask":{"of": [1.0 ]}},\
        {"id":"saturation","version":1,"amount":-1.0}],"lens":[ 1 ]}
        """)
    #expect(edit.entries[1].unknownFields == ["mask"])
  }

  @Test func aValueIsSetAndDoesNotAccumulate() throws {
    var edit = EditStack()
    try edit.set("saturation", to: "0.2")
    let once = edit
    try edit.set("saturation", to: "0.2")
    #expect(edit == once)
    try edit.set("saturation", to: "0.1")
    #expect(try edit.adjustment(Saturation.self).amount == 0.1)
    #expect(edit.entries.count == 1)
  }

  @Test func theSameValueAgainIsTheSameToTheByte() throws {
    let json = #"{ "adjustments" : [ {"amount":20.0,"id":"saturation", "version":1} ] }"#
    var edit = try stack(json)
    try edit.set("saturation", to: "20%")
    #expect(text(edit) == json)
  }

  @Test func neutralValuesTakeTheAdjustmentAway() throws {
    var edit = try stack(
      #"{"adjustments":[{"id":"channel-mixer","version":1,"red":[0,1,0],"blue":[1,0,0]}]}"#)
    try edit.set("channel-mixer-red", to: "1,0,0")
    #expect(edit.entries.count == 1)
    try edit.set("channel-mixer-blue", to: "0,0,1")
    #expect(edit.isEmpty && edit.holdsNothing)
  }

  @Test func whatANewerVersionAddedOutlastsNeutralValues() throws {
    var edit = try stack(
      #"{"adjustments":[{"id":"saturation","version":1,"amount":0.5,"mask":"sky"}]}"#)
    try edit.set("saturation", to: "0")
    #expect(
      text(edit)
        == #"{"adjustments":[{"id":"saturation","version":1,"amount":0,"mask":"sky"}]}"#)
    #expect(!edit.holdsNothing)
  }

  @Test func neverTouchesAnAdjustmentOfANewerVersion() throws {
    var edit = try stack(
      #"{"adjustments":[{"id":"vibrance","version":1,"amount":1},{"id":"saturation","version":9}]}"#
    )
    let before = edit
    let error = AdjustmentError.newerVersion(id: "saturation", version: 9)
    #expect(throws: error) { try edit.set("saturation", to: "0.5") }
    #expect(throws: error) { try edit.remove("saturation") }
    #expect(throws: error) { try edit.adjustment(Saturation.self) }
    #expect(edit == before)
    edit.removeAdjustments()
    #expect(edit.entries.map(\.id) == ["saturation"])
  }

  @Test func severalValuesAreAllSetOrNone() throws {
    let vibrance = try #require(ParameterDescription.option("vibrance"))
    let amount = try ParameterSetting(vibrance, argument: "0.5")
    var edit = try stack(#"{"adjustments":[{"id":"saturation","version":9}]}"#)
    let before = edit
    let saturation = try #require(ParameterDescription.option("saturation"))
    #expect(throws: AdjustmentError.self) {
      try edit.set([amount, ParameterSetting(saturation, argument: "1")])
    }
    #expect(edit == before)
    try edit.set([ParameterSetting(vibrance, argument: "-1"), amount])
    #expect(try edit.adjustment(Vibrance.self).amount == 0.5)
  }

  @Test func severalOfOneAdjustmentBecomeOne() throws {
    var edit = try stack(
      """
      {"adjustments":[{"id":"vibrance","version":1,"amount":1},
       {"id":"saturation","version":1,"amount":0.5},{"id":"saturation","version":1,"amount":0.6}]}
      """)
    try edit.set("saturation", to: "0.5")
    #expect(edit.entries.map(\.id) == ["vibrance", "saturation"])
    #expect(try edit.adjustment(Saturation.self).amount == 0.5)
  }

  @Test func aTypedChangeIsCheckedToo() throws {
    var edit = EditStack()
    try edit.adjust(ChannelMixer.self) { $0.red.green = 0.25 }
    let before = edit
    #expect(throws: AdjustmentError.self) { try edit.adjust(ChannelMixer.self) { $0.red.red = 9 } }
    #expect(throws: AdjustmentError.unknownParameter("filter")) {
      try edit.adjust(AppliedFilter.self) { $0.intensity = 0.5 }
    }
    #expect(throws: AdjustmentError.unknownParameter("shine")) { try edit.set("shine", to: "1") }
    #expect(edit == before)
  }

  @Test func removingDropsOneAndResettingAllButFilters() throws {
    var edit = try EditStack([ShippedLook.gray.applied()])
    try edit.set("saturation", to: "0.5")
    try edit.set("vibrance", to: "0.5")
    try edit.remove("vibrance")
    #expect(edit.entries.map(\.id) == ["filter", "saturation"])
    edit.removeAdjustments()
    #expect(edit.entries.map(\.id) == ["filter"])
    try edit.remove("filter")
    #expect(edit.isEmpty)
  }
}
