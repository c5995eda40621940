import SafelightAdjustments

extension NoiseReduction {
  /// The strengths that suit the noise of a photo.
  ///
  /// The adjustment itself measures the noise, and takes at 50 what is there. So 50 is for noise that
  /// is seen, and less is for noise that is hardly seen. With the deviation of white noise that has
  /// the energy of a photo's noise, in codes of 255, brightness noise is from 4 × 4 pixels and color
  /// noise from 8 × 8: the sizes at which it is seen at 100 %. Nothing is done up to 1.5 codes of
  /// brightness noise or 1.5 of color noise, and the strength rises by 25 for each code, up to 50.
  init(suiting noise: NoiseProfile) {
    self.init()
    func strength(_ deviation: Float) -> Double {
      let codes = Double(deviation) * 255
      return min(max((codes - 1.5) * 25, 0), 50).rounded()
    }
    luminance = strength(noise.brightness.deviation(level: 1))
    color = strength(noise.color.deviation(level: 2))
  }
}
