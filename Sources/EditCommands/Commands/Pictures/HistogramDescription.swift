import PhotoEditing

/// What `edit show --histogram` says of a photo, as text and as JSON.
struct HistogramDescription {
  let histograms: PhotoHistograms
  /// Where the drawing is; `nil` when there is none.
  let drawing: FilePath?
  /// What could not be drawn.
  let warnings: [String]

  private static let percentiles = [1, 5, 25, 50, 75, 95, 99]

  /// The lines for people.
  var rows: [String] {
    var rows = [
      "light     " + Self.light(of: histograms.now), "clipped   " + Self.ends(of: histograms.now),
    ]
    if let before = histograms.before {
      rows.append("before    \(Self.light(of: before)); clipped: \(Self.ends(of: before))")
    }
    if let drawing { rows.append("histogram \(drawing)") }
    return rows
  }

  private static func light(of histogram: PhotoHistogram) -> String {
    let (low, high) = (histogram.percentile(0.01, .luma), histogram.percentile(0.99, .luma))
    return "mean \(Int(histogram.mean(.luma).rounded())), "
      + "median \(histogram.percentile(0.5, .luma)), nearly all from \(low) to \(high) of 255"
  }

  private static func ends(of histogram: PhotoHistogram) -> String {
    "shadows \(PhotoHistogram.Share(histogram.clippedShadows)), "
      + "highlights \(PhotoHistogram.Share(histogram.clippedHighlights)) of the pixels"
  }

  /// What JSON says.
  var details: [JSONValue.Member] {
    let before = histograms.before.map { JSONValue.object(Self.members(of: $0)) }
    let members =
      Self.members(of: histograms.now) + JSONValue.members(["before": before, "path": drawing])
    return JSONValue.members(["histogram": JSONValue.object(members)])
  }

  /// What JSON says, with the share of the pixels that has each code.
  var jsonWithBins: JSONValue {
    let before = histograms.before.map { before in
      JSONValue.object(Self.members(of: before, withBins: true))
    }
    return .object(
      Self.members(of: histograms.now, withBins: true) + JSONValue.members(["before": before]))
  }

  static func members(
    of histogram: PhotoHistogram, withBins: Bool = false
  ) -> [JSONValue.Member] {
    JSONValue.members([
      "pixels": histogram.pixelCount,
      "clippedShadows": rounded(histogram.clippedShadows, to: 1e6),
      "clippedHighlights": rounded(histogram.clippedHighlights, to: 1e6),
    ])
      + PhotoHistogram.Channel.allCases.map { channel in
        let percentiles = percentiles.map { percent in
          JSONValue.Member(
            "\(percent)", histogram.percentile(Double(percent) / 100, channel).json)
        }
        return JSONValue.Member(
          channel.rawValue,
          .object([
            "mean": rounded(histogram.mean(channel), to: 100),
            "black": rounded(histogram.share(of: 0, channel), to: 1e6),
            "white": rounded(histogram.share(of: 255, channel), to: 1e6),
            "percentiles": JSONValue.object(percentiles),
            "bins": withBins ? bins(of: histogram, channel) : nil,
          ]))
      }
  }

  private static func bins(
    of histogram: PhotoHistogram, _ channel: PhotoHistogram.Channel
  ) -> [Double] {
    (0...255).map { rounded(histogram.share(of: $0, channel), to: 1e6) }
  }

  private static func rounded(_ number: Double, to parts: Double) -> Double {
    (number * parts).rounded() / parts
  }
}

extension ShowCommand {
  /// Counts a photo's codes, and draws them where asked to.
  func counted(
    _ task: PhotoTask<RenderDestination?>
  ) async throws(EditError) -> HistogramDescription {
    let histograms = try await task.editor.histograms(of: task.photo)
    guard let destination = task.preparation else {
      return HistogramDescription(histograms: histograms, drawing: nil, warnings: [])
    }
    let path = destination.paths[task.index]
    let drawn = try await task.editor.exportHistogram(
      histograms, of: task.photo, to: path, as: RenderOutput(format: destination.format),
      replacing: overwrite)
    return HistogramDescription(histograms: histograms, drawing: path, warnings: drawn.warnings)
  }
}
