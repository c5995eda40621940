import PhotoEditing
import Testing

/// The names that a program gets with PhotoEditing; Tests/LinkedPackage has programs with the same names.
@Suite struct ExportedNamesTests {
  /// A program can name every adjustment.
  @Test func everyAdjustmentHasAName() {
    let named: [any Adjustment.Type] = [
      Adjustments.Rotate.self,
      Adjustments.Flip.self,
      Adjustments.NoiseReduction.self,
      Adjustments.Deblur.self, Adjustments.Dehaze.self,
      Adjustments.WhiteBalance.self,
      Adjustments.Exposure.self,
      Adjustments.ToneEqualizer.self,
      Adjustments.HighlightsShadows.self,
      Adjustments.WhitesBlacks.self,
      Adjustments.Brightness.self,
      Adjustments.Contrast.self,
      Adjustments.Gamma.self,
      Adjustments.Levels.self,
      Adjustments.ToneCurve.self,
      Adjustments.ChannelMixer.self,
      Adjustments.ColorMixer.self,
      Adjustments.Hue.self,
      Adjustments.Vibrance.self,
      Adjustments.Saturation.self,
      Adjustments.ColorGrading.self,
      Adjustments.BlackAndWhite.self,
      Adjustments.ColorLookup.self,
      AppliedFilter.self,
      Adjustments.Clarity.self,
      Adjustments.Sharpen.self,
      Adjustments.Blur.self,
      Adjustments.Glow.self,
      Adjustments.Fade.self,
      Adjustments.Invert.self,
      Adjustments.Posterize.self,
      Adjustments.Perspective.self,
      Adjustments.Straighten.self,
      Adjustments.Crop.self,
      Adjustments.Vignette.self,
      Adjustments.Grain.self,
      Adjustments.Video.self,
    ]
    #expect(named.map { $0.id } == AdjustmentDescription.all.map(\.id))
  }

  /// What the documentation shows, without other imports.
  @Test func editsAndFiltersAreMadeOfThem() throws {
    var curve = Adjustments.ToneCurve()
    curve.all = Adjustments.ToneCurve.Curve([.init(0, 0.05), .init(1, 0.95)])
    let soft = try Filter(
      name: "soft", title: "Soft", summary: "Lowers the contrast.", steps: [curve])
    var edit = EditStack()
    try edit.adjust(Adjustments.Exposure.self) { $0.amount = 0.5 }
    try edit.adjust(Adjustments.Rotate.self) { $0.amount = .right }
    try edit.adjust(Adjustments.Crop.self) { crop throws(AdjustmentError) in
      crop = try Adjustments.Crop(
        keeping: .aspect(width: 3, height: 2, .center), ofWidth: 4000, height: 3000)
    }
    try edit.setFilter(soft.applied(intensity: 0.5))
    #expect(edit.entries.map(\.id) == ["exposure", "rotate", "crop", "filter"])
    let table = try LookupTable(LookupTable.Lattice(.curves(2), samples: [0, 0, 0, 1, 1, 1]))
    let lookup = try Adjustments.ColorLookup(table, title: "Same")
    #expect(try EditStack([lookup]).entries.map(\.id) == ["lut"])
  }
}
