import SafelightVips

/// Where in a preview it matters that adjustments act before the picture is reduced.
///
/// An adjustment bends light, and a reduced pixel is a weighted mean of light. Both orders give the same
/// where the pixels of the mean are alike; at hard edges they differ by up to 28 in CIEDE2000. So an edit
/// acts on the small picture first, and on the large one where pixels differ by more than the edit bears,
/// as ``ColorBend`` says; that is reduced last. How much pixels differ is found once for a photo.
struct PreviewDetail: Sendable {
  /// Runs of pixels of the large picture that lie closer are one run.
  private static let gap = 16

  /// For each pixel of the small picture, how far the codes of a channel lie apart, of 255, in the pixels
  /// that it and its neighbors stand for.
  private let differences: [UInt8]
  fileprivate let down, across: ResizingWeights
  fileprivate let small, large: PixelSize

  /// Looks for detail.
  ///
  /// - Parameters:
  ///   - picture: The large picture, 8 bits and three bands, in memory.
  ///   - small: The size of the small picture.
  init(of picture: Image, reducedTo small: PixelSize) throws(VipsError) {
    large = picture.size
    self.small = small
    across = ResizingWeights(from: large.width, extent: Double(large.width), to: small.width)
    down = ResizingWeights(from: large.height, extent: Double(large.height), to: small.height)
    differences = try Self.differences(of: picture, small: small)
  }

  private static func differences(
    of picture: Image, small: PixelSize
  ) throws(VipsError) -> [UInt8] {
    var extremes = Extremes(small.width, small.height)
    let places = (0..<picture.width).map { 3 * ($0 * small.width / picture.width) }
    let reader = try RowReader(picture)
    var next = 0
    for y in 0..<small.height {
      let end = ((y + 1) * picture.height + small.height - 1) / small.height
      try reader.read(next..<max(end, next + 1)) { rows in extremes.fill(y, from: rows, places) }
      next = end
    }
    return extremes.differences
  }

  /// The pixels that differ by more than a number of codes from those around them.
  func places(differingBy limit: Int) -> Places { Places(self, differingBy: limit) }

  /// Pixels of the small picture, and those of the large one that they are made from.
  struct Places: Sendable {
    /// The pixels of each row of the small picture.
    let runs: [[Range<Int>]]
    /// The pixels of each row of the large picture.
    let spans: [[Range<Int>]]
    let down, across: ResizingWeights
    let small, large: PixelSize

    fileprivate init(_ detail: PreviewDetail, differingBy limit: Int) {
      (down, across) = (detail.down, detail.across)
      (small, large) = (detail.small, detail.large)
      let (down, across, width) = (down, across, small.width)
      (runs, spans) = detail.differences.withUnsafeBufferPointer { differences in
        func row(_ y: Int) -> UnsafePointer<UInt8> { differences.baseAddress! + y * width }
        let runs = (0..<detail.small.height).map { ranges(of: row($0), width, above: limit) }
        // Each row of the large picture counts for neighboring rows of the small one.
        var counted = [Range<Int>](repeating: 0..<0, count: detail.large.height)
        for y in 0..<detail.small.height where !runs[y].isEmpty {
          for place in down.needed(for: y..<(y + 1)) {
            counted[place] =
              counted[place].isEmpty ? y..<(y + 1) : counted[place].lowerBound..<(y + 1)
          }
        }
        var most = [UInt8](repeating: 0, count: width)
        var spans: [[Range<Int>]] = []
        var last = (rows: 0..<0, spans: [Range<Int>]())
        for rows in counted {
          if rows != last.rows {
            most.withUnsafeMutableBufferPointer { most in
              most.update(repeating: 0)
              for y in rows {
                let codes = row(y)
                for x in 0..<width { most[x] = max(most[x], codes[x]) }
              }
            }
            last = (
              rows,
              most.withUnsafeBufferPointer { ranges(of: $0.baseAddress!, width, above: limit) }
                .map { across.needed(for: $0) }.joined(closerThan: PreviewDetail.gap)
            )
          }
          spans.append(last.spans)
        }
        return (runs, spans)
      }
    }
  }
}

/// Where the codes of a row are above a limit.
private func ranges(
  of codes: UnsafePointer<UInt8>, _ count: Int, above limit: Int
) -> [Range<Int>] {
  var (found, x): ([Range<Int>], Int) = ([], 0)
  while x < count {
    guard codes[x] > limit else {
      x += 1
      continue
    }
    let first = x
    while x < count, codes[x] > limit { x += 1 }
    found.append(first..<x)
  }
  return found
}

extension [Range<Int>] {
  /// Ascending ranges, joined where they overlap or nearly do.
  fileprivate func joined(closerThan gap: Int) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for range in self {
      if let last = joined.last, range.lowerBound < last.upperBound + gap {
        joined[joined.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}

/// The darkest and the brightest code of each channel in the squares that pixels stand for.
private struct Extremes {
  private let width, height: Int
  /// Three codes for each pixel, row after row.
  private var darkest, brightest: [UInt8]

  init(_ width: Int, _ height: Int) {
    (self.width, self.height) = (width, height)
    darkest = [UInt8](repeating: 255, count: width * height * 3)
    brightest = [UInt8](repeating: 0, count: width * height * 3)
  }

  /// Fills a row from those of the large picture that it stands for.
  ///
  /// - Parameter places: Three times the column of the small picture for each of the large one.
  mutating func fill(_ y: Int, from rows: PixelRows, _ places: [Int]) {
    let start = y * width * 3
    darkest.withUnsafeMutableBufferPointer { darkest in
      brightest.withUnsafeMutableBufferPointer { brightest in
        places.withUnsafeBufferPointer { places in
          let (low, high) = (darkest.baseAddress! + start, brightest.baseAddress! + start)
          for row in 0..<rows.count {
            let codes = (rows.start + row * rows.stride).assumingMemoryBound(to: UInt8.self)
            for x in 0..<rows.width {
              let place = places[x]
              for channel in 0..<3 {
                let code = codes[3 &* x &+ channel]
                low[place &+ channel] = min(low[place &+ channel], code)
                high[place &+ channel] = max(high[place &+ channel], code)
              }
            }
          }
        }
      }
    }
  }

  /// The largest difference between codes of a channel, in each pixel and its eight neighbors.
  var differences: [UInt8] {
    let low = Self.spread(darkest, width * 3) { min($0, $1) }
    let high = Self.spread(brightest, width * 3) { max($0, $1) }
    let count = width * height
    return [UInt8](unsafeUninitializedCapacity: count) { differences, filled in
      low.withUnsafeBufferPointer { low in
        high.withUnsafeBufferPointer { high in
          for pixel in 0..<count {
            let place = 3 * pixel
            differences[pixel] = max(
              high[place] - low[place], high[place + 1] - low[place + 1],
              high[place + 2] - low[place + 2])
          }
        }
      }
      filled = count
    }
  }

  /// Each code with those of the eight neighbors. At the edges those of the row before or after count,
  /// which only finds more.
  @inline(__always)
  private static func spread(
    _ codes: [UInt8], _ row: Int, _ choose: (UInt8, UInt8) -> UInt8
  ) -> [UInt8] {
    let count = codes.count
    var (wide, all) = (codes, codes)
    codes.withUnsafeBufferPointer { codes in
      wide.withUnsafeMutableBufferPointer { wide in
        for place in 3..<max(count - 3, 3) {
          wide[place] = choose(choose(codes[place - 3], codes[place]), codes[place + 3])
        }
      }
    }
    all = wide
    wide.withUnsafeBufferPointer { wide in
      all.withUnsafeMutableBufferPointer { all in
        for place in row..<max(count - row, row) {
          all[place] = choose(choose(wide[place - row], wide[place]), wide[place + row])
        }
        // The first and the last row have neighbors on one side.
        for place in 0..<min(row, count - row) {
          all[place] = choose(wide[place], wide[place + row])
          let last = count - 1 - place
          all[last] = choose(wide[last], wide[last - row])
        }
      }
    }
    return all
  }
}
