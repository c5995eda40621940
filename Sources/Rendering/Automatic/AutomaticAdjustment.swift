import SafelightAdjustments
import SafelightVips

/// The groups of adjustments that Safelight can choose from the content of a photo.
public enum AutomaticAdjustment: String, Sendable, Hashable, CaseIterable, Codable {
  /// Exposure, shadows, and the black and white points.
  case tone
  /// Temperature and tint.
  case whiteBalance
  /// The angle that makes a tilted photo level.
  case straighten
  /// The strengths of noise reduction.
  case denoise
}

/// Values of ordinary parameters that were chosen from the content of a photo.
public struct AutomaticAdjustments: Sendable, Hashable {
  /// A value for every parameter of the groups; neutral where nothing has to be done.
  public let settings: [ParameterSetting]
  /// What could not be found in the photo, one sentence each.
  public let notes: [String]
}

extension Renderer {
  /// Chooses adjustments that suit a photo.
  ///
  /// The values depend on the photo and not on its adjustments, so a second call gives the same
  /// values. Of the edit, only turns and mirrors count, for the angle; and for a gray place all
  /// geometry, and what acts before white balance.
  ///
  /// - Parameters:
  ///   - kinds: The groups of adjustments to choose.
  ///   - source: The photo, or the pixels that the edit starts from.
  ///   - stack: The photo's edit.
  ///   - gray: Where something gray is, by which white balance is chosen; `nil` looks for it.
  /// - Throws: ``RenderError``.
  package func automaticAdjustments(
    _ kinds: Set<AutomaticAdjustment>, for source: PhotoSource, edit stack: EditStack,
    gray: GrayPlace? = nil
  ) throws -> AutomaticAdjustments {
    let plan = try RenderPlan(stack)
    let opened = try OpenedPhoto(source)
    let color = try gray?.color(in: opened, edit: stack)
    var picture = ReducedPicture(planes: [[], [], []], width: 0, height: 0, factor: 1)
    var noise = NoiseProfile()
    do {
      if color == nil || kinds != [.whiteBalance] {
        let photo = try DecodedPhoto(opened, for: DecodedPhoto.Purpose())
        picture = try ReducedPicture.reducing(photo, of: opened).atOwnSize
      }
      if kinds.contains(.denoise) { noise = NoiseProfile(try PhotoSamples.reading(opened)) }
    } catch {
      throw RenderError(error, decoding: opened.format)
    }
    let orientation = opened.orientation.followed(by: plan.turn)
    return try AutomaticAdjustments(
      kinds, for: &picture, noise: noise, gray: color, orientation: orientation,
      isSideways: opened.orientation.swapsSides)
  }
}

extension AutomaticAdjustments {
  /// - Parameters:
  ///   - picture: The reduced photo. Its white balance is changed when the white balance is chosen.
  ///   - noise: The noise of the photo at full size.
  ///   - gray: The color that is to become gray, in linear light; `nil` looks for gray surfaces.
  ///   - orientation: What turns the pixels upright and then as the edit turns them.
  ///   - isSideways: Whether the camera stored the pixels turned by a quarter.
  init(
    _ kinds: Set<AutomaticAdjustment>, for picture: inout ReducedPicture,
    noise: NoiseProfile = NoiseProfile(), gray: [Double]? = nil, orientation: Orientation,
    isSideways: Bool
  ) throws(AdjustmentError) {
    var values: [(option: String, value: Double)] = []
    var notes: [String] = []
    if kinds.contains(.straighten) {
      if let angle = AutomaticStraighten(picture, isSideways: isSideways).angle {
        // A mirror tilts to the other side; quarter turns leave the tilt as it is.
        values.append((Straighten.id, (orientation.isMirrored ? -1 : 1) * angle))
      } else {
        // An angle that the photo has stays.
        notes.append("No clear horizon or upright was found to straighten by.")
      }
    }
    if kinds.contains(.denoise) {
      let reduction = NoiseReduction(suiting: noise)
      values += [
        ("noise-reduction-luminance", reduction.luminance),
        ("noise-reduction-color", reduction.color),
      ]
    }
    if kinds.contains(.whiteBalance) {
      let light =
        if let gray {
          WhiteBalance(makingGray: gray)
        } else {
          Optional(AutomaticWhiteBalance(picture).adjustment)
        }
      if let light {
        values += [("temperature", light.temperature), ("tint", light.tint)]
        if kinds.contains(.tone) {
          // The tone is chosen for the picture with its new white balance.
          let context = StepContext(
            size: PixelSize(width: picture.width, height: picture.height), scale: 1)
          picture.apply(light.colorSteps(in: context))
        }
      } else {
        // A white balance that the photo has stays.
        notes.append("The place is too dark or too colorful to be gray.")
      }
    }
    if kinds.contains(.tone) {
      let tone = AutomaticTone(picture)
      values += [
        (Exposure.id, tone.exposure.amount), ("shadows", tone.local.shadows),
        ("levels-black", tone.levels.all.black), ("levels-white", tone.levels.all.white),
      ]
    }
    try self.init(values, notes: notes)
  }

  /// The same adjustments at a part of their strength.
  ///
  /// Every value goes this share of its way from neutral, the temperature in mired (1,000,000 / K),
  /// in which equal steps look equal. The values stay as round as they were: tenths of a degree,
  /// steps of 50 K and of 0.05 stops, and whole numbers.
  ///
  /// - Parameter strength: From 0, where every value is neutral, to 1, which changes nothing here;
  ///   limited to this range.
  /// - Throws: `AdjustmentError` when a parameter cannot have its value, which does not happen for
  ///   adjustments that Safelight chose.
  public func scaled(to strength: Double) throws(AdjustmentError) -> AutomaticAdjustments {
    guard strength < 1 else { return self }
    let share = max(strength, 0)
    var values: [(option: String, value: Double)] = []
    for setting in settings {
      guard let option = setting.parameter.option, let value = setting.value.number else {
        continue
      }
      switch option {
      case "temperature":
        let neutral = 1e6 / WhiteBalance().temperature
        let mired = neutral + share * (1e6 / value - neutral)
        values.append((option, (1e6 / mired / 50).rounded() * 50))
      case Straighten.id: values.append((option, (share * value * 10).rounded() / 10))
      case Exposure.id: values.append((option, (share * value * 20).rounded() / 20))
      default:
        let neutral = setting.parameter.neutral.number ?? 0
        values.append((option, (neutral + share * (value - neutral)).rounded()))
      }
    }
    return try AutomaticAdjustments(values, notes: notes)
  }

  /// Values of parameters, by their options.
  package init(
    _ values: [(option: String, value: Double)], notes: [String]
  ) throws(AdjustmentError) {
    var settings: [ParameterSetting] = []
    for (option, value) in values {
      guard let parameter = ParameterDescription.option(option) else { continue }
      // -0 is written as 0.
      settings.append(try ParameterSetting(parameter, argument: "\(value == 0 ? 0 : value)"))
    }
    self.settings = settings
    self.notes = notes
  }
}
