import SafelightAdjustments

/// A crop of one number, to stand for geometry; not in the registry.
struct SampleCrop: Adjustment {
  static let id = "sample-crop"
  static let version = 1
  static let group = AdjustmentGroup.geometry
  static let summary = "Cuts the right side off."
  static let parameters: [Parameter<Self>] = [
    Parameter(\.width, "width", unit: .share, "How much stays.")
  ]

  var width = 1.0
}

/// Words of which one is meant.
enum SampleMethod: String, CaseIterable, ParameterValue {
  case nearest, lanczos
}
