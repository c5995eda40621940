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
    "shadows \(Share(histogram.clippedShadows)), "
      + "highlights \(Share(histogram.clippedHighlights)) of the pixels"
  }

  /// What JSON says.
  var details: [JSONValue.Member] {
    var members = Self.members(of: histograms.now)
    if let before = histograms.before {
      members.append(.init("before", .object(Self.members(of: before))))
    }
    if let drawing { members.append(.init("path", .string(drawing.string))) }
    return [.init("histogram", .object(members))]
  }

  private static func members(of histogram: PhotoHistogram) -> [JSONValue.Member] {
    [
      .init("pixels", .number(Double(histogram.pixelCount))),
      .init("clippedShadows", .number(rounded(histogram.clippedShadows, to: 1e6))),
      .init("clippedHighlights", .number(rounded(histogram.clippedHighlights, to: 1e6))),
    ]
      + PhotoHistogram.Channel.allCases.map { channel in
        let percentiles = percentiles.map { percent in
          JSONValue.Member(
            "\(percent)",
            .number(Double(histogram.percentile(Double(percent) / 100, channel))))
        }
        return JSONValue.Member(
          channel.rawValue,
          .object([
            .init("mean", .number(rounded(histogram.mean(channel), to: 100))),
            .init("black", .number(rounded(histogram.share(of: 0, channel), to: 1e6))),
            .init("white", .number(rounded(histogram.share(of: 255, channel), to: 1e6))),
            .init("percentiles", .object(percentiles)),
          ]))
      }
  }

  private static func rounded(_ number: Double, to parts: Double) -> Double {
    (number * parts).rounded() / parts
  }
}

extension ShowCommand {
  /// Counts a photo's codes, and draws them where asked to.
  func counted(
    _ photo: FilePath, at index: Int, to destination: RenderDestination?, by editor: PhotoEditor
  ) async throws(EditError) -> HistogramDescription {
    let asset = Photo(path: photo)
    let histograms = try await editor.histograms(of: asset)
    guard let destination else {
      return HistogramDescription(histograms: histograms, drawing: nil, warnings: [])
    }
    let path = destination.paths[index]
    let drawn = try await editor.exportHistogram(
      histograms, of: asset, to: path, as: RenderOutput(format: destination.format),
      replacing: overwrite)
    return HistogramDescription(histograms: histograms, drawing: path, warnings: drawn.warnings)
  }
}
