import SafelightAdjustments
import Testing

@Suite struct ParameterArgumentTests {
  @Test(
    arguments: [
      ("0.5", .none, 0.5), ("+0.5", .none, 0.5), ("-3", .stops, -3), (" 1e-3 ", .none, 0.001),
      ("50%", .share, 0.5), ("-7%", .share, -0.07), ("50%", .percent, 50), ("5200", .kelvin, 5200),
    ] as [(String, ParameterUnit, Double)])
  func numbersAreReadAsPeopleTypeThem(text: String, unit: ParameterUnit, expected: Double) {
    #expect(Double(argument: text, unit: unit) == expected)
  }

  @Test(
    arguments: [
      ("", .none), ("much", .share), ("0,5", .none), ("50%", .stops), ("%", .share), ("1 2", .none),
    ] as [(String, ParameterUnit)])
  func whatIsNoNumberIsRefused(text: String, unit: ParameterUnit) {
    #expect(Double(argument: text, unit: unit) == nil)
  }

  @Test(arguments: [("yes", true), ("TRUE", true), ("on", true), ("no", false), ("off", false)])
  func truthHasItsWords(text: String, expected: Bool) {
    #expect(Bool(argument: text, unit: .none) == expected)
    #expect(Bool(argument: "maybe", unit: .none) == nil)
  }

  @Test func wholeNumbersHaveNoFraction() {
    #expect(Int(argument: " +12", unit: .none) == 12)
    #expect(Int(argument: "1.5", unit: .none) == nil)
  }

  @Test func aWordIsOneOfTheChoices() {
    #expect(SampleMethod(argument: "Lanczos", unit: .none) == .lanczos)
    #expect(SampleMethod(argument: "cubic", unit: .none) == nil)
    #expect(SampleMethod(json: SampleMethod.nearest.json) == .nearest)
    #expect(SampleMethod.choices == ["nearest", "lanczos"])
    #expect(SampleMethod.kind == "one of nearest, lanczos")
  }

  @Test(arguments: ["0,0 0.25,0.2 1,1", " 0,0\t.25,+0.2  1,1 ", "[[0,0], [0.25,0.2], [1,1]]"])
  func curvesArePointsOrJSON(text: String) throws {
    let curve = try #require(ToneCurve.Curve(argument: text, unit: .none))
    #expect(
      curve.points == [
        ToneCurve.Curve.Point(0, 0), ToneCurve.Curve.Point(0.25, 0.2), ToneCurve.Curve.Point(1, 1),
      ])
    #expect(curve.argument == "0,0 0.25,0.2 1,1")
  }

  @Test(arguments: ["0", "0,0,1", "0,0 1,", "a,b", "[1,2]"])
  func whatIsNoCurveIsRefused(text: String) {
    #expect(ToneCurve.Curve(argument: text, unit: .none) == nil)
  }

  @Test(arguments: [("1,0,0.5", 0.0), ("[1, 0, 0.5]", 0), ("1,0,0.5,-0.1", -0.1)])
  func mixesAreNumbersOrJSON(text: String, constant: Double) throws {
    let mix = try #require(ChannelMixer.Mix(argument: text, unit: .none))
    #expect(mix == ChannelMixer.Mix(red: 1, green: 0, blue: 0.5, constant: constant))
    #expect(ChannelMixer.Mix(argument: mix.argument, unit: .none) == mix)
    #expect(ChannelMixer.Mix(argument: "1,0", unit: .none) == nil)
  }
}

@Suite struct AdjustmentTableTests {
  private static let parameters = AdjustmentDescription.all.flatMap(\.parameters)
  private static let optional = parameters.filter { $0.option != nil }

  @Test(arguments: optional)
  func theNeutralValueReadsBackFromWhatPeopleType(parameter: ParameterDescription) throws {
    let setting = try ParameterSetting(parameter, argument: parameter.neutralArgument)
    #expect(setting.value == parameter.neutral)
    #expect(setting.argument == parameter.neutralArgument)
    let asJSON = parameter.typeName == "text" || !parameter.choices.isEmpty
    if !asJSON {
      #expect(try ParameterSetting(parameter, argument: parameter.neutral.text) == setting)
    }
  }

  @Test func everyOptionIsItsOwn() {
    let options = Self.optional.compactMap(\.option)
    #expect(Set(options).count == options.count)
    #expect(options.allSatisfy { $0.wholeMatch(of: /[a-z][a-z0-9-]+/) != nil })
  }

  @Test(arguments: optional.compactMap(\.option))
  func anOptionNamesItsParameterAndItsAdjustment(option: String) throws {
    let parameter = try #require(ParameterDescription.option(option))
    #expect(parameter.option == option)
    #expect(
      AdjustmentDescription.named(parameter.adjustment)?.parameters.contains(parameter) == true)
  }

  @Test func theTableAsJSON() {
    #expect(
      AdjustmentDescription.named("saturation")?.json.text == """
        {"id":"saturation","version":1,"group":"color",\
        "summary":"Makes every color stronger or weaker alike.","parameters":[{"name":"amount",\
        "option":"saturation","type":"number","minimum":-100,"maximum":100,"unit":"percent","default":0,\
        "summary":"How much stronger colors get; -100 leaves gray."}]}
        """)
    #expect(AdjustmentDescription.named("nothing") == nil)
  }

  @Test func aValueOutOfRangeIsRefusedWithItsRange() throws {
    let parameter = try #require(ParameterDescription.option("saturation"))
    #expect(
      throws: AdjustmentError.parameter(
        id: "saturation", name: "amount", range: -100...100, problem: .outOfRange(300))
    ) {
      try ParameterSetting(parameter, argument: "300%")
    }
  }
}
