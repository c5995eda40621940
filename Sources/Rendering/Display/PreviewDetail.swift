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
  init(
    of picture: Image, reducedTo small: PixelSize, unless cancellation: RenderCancellation? = nil
  ) throws {
    large = picture.size
    self.small = small
    across = ResizingWeights(from: large.width, extent: Double(large.width), to: small.width)
    down = ResizingWeights(from: large.height, extent: Double(large.height), to: small.height)
    differences = try Self.differences(of: picture, small: small, unless: cancellation)
  }

  private static func differences(
    of picture: Image, small: PixelSize, unless cancellation: RenderCancellation?
  ) throws -> [UInt8] {
    var extremes = Extremes(small.width, small.height)
    let places = (0..<picture.width).map { 3 * ($0 * small.width / picture.width) }
    let reader = try RowReader(picture)
    var next = 0
    for y in 0..<small.height {
      if y % 16 == 0, cancellation?.isCancelled == true { throw CancellationError() }
      let end = ((y + 1) * picture.height + small.height - 1) / small.height
      try reader.read(next..<max(end, next + 1)) { rows in extremes.fill(y, from: rows, places) }
      next = end
    }
    return extremes.differences
  }

  /// The pixels that differ from those around them by more than is harmless for their color.
  ///
  /// - Parameter picture: The small picture, in memory.
  func places(of picture: Image, bending bend: ColorBend) throws(VipsError) -> Places {
    try Places(self, picture, bend)
  }

  /// Pixels of the small picture, and those of the large one that they are made from.
  struct Places: Sendable {
    /// Rows that are looked at by one thread at a time.
    private static let band = 16

    /// The pixels of each row of the small picture.
    let runs: [[Range<Int>]]
    /// The pixels of each row of the large picture.
    let spans: [[Range<Int>]]
    let down, across: ResizingWeights
    let small, large: PixelSize

    fileprivate init(
      _ detail: PreviewDetail, _ picture: Image, _ bend: ColorBend
    ) throws(VipsError) {
      (down, across) = (detail.down, detail.across)
      (small, large) = (detail.small, detail.large)
      let marks = try Self.marks(detail, picture, bend)
      let (down, across, small, large) = (down, across, small, large)
      runs = marks.withUnsafeBufferPointer { marks in
        let marks = UnsafeTransfer(marks.baseAddress!)
        return Self.rows(small.height) { y, found in
          forEachRun(of: marks.value + y * small.width, small.width) { found.append($0) }
        }
      }
      // Each row of the large picture counts for neighboring rows of the small one.
      var counted = [Range<Int>](repeating: 0..<0, count: large.height)
      for y in 0..<small.height where !runs[y].isEmpty {
        for place in down.needed(for: y..<(y + 1)) {
          counted[place] =
            counted[place].isEmpty ? y..<(y + 1) : counted[place].lowerBound..<(y + 1)
        }
      }
      spans = marks.withUnsafeBufferPointer { [counted] marks in
        let marks = UnsafeTransfer(marks.baseAddress!)
        return Self.rows(large.height) { row, found in
          let rows = counted[row]
          guard !rows.isEmpty else { return }
          withUnsafeTemporaryAllocation(of: UInt8.self, capacity: small.width) { all in
            let all = all.baseAddress!
            all.update(from: marks.value + rows.lowerBound * small.width, count: small.width)
            for y in rows.dropFirst() {
              let others = marks.value + y * small.width
              for x in 0..<small.width { all[x] |= others[x] }
            }
            forEachRun(of: all, small.width) {
              found.join(across.needed(for: $0), closerThan: PreviewDetail.gap)
            }
          }
        }
      }
    }

    /// 1 for each pixel that differs, and 0 for others.
    private static func marks(
      _ detail: PreviewDetail, _ picture: Image, _ bend: ColorBend
    ) throws(VipsError) -> [UInt8] {
      let (width, height) = (picture.width, picture.height)
      let reader = try RowReader(picture)
      var marks = [UInt8](repeating: 0, count: width * height)
      try reader.read(0..<height) { rows in
        marks.withUnsafeMutableBufferPointer { marks in
          detail.differences.withUnsafeBufferPointer { differences in
            let marks = UnsafeTransfer((marks.baseAddress!, differences.baseAddress!, rows))
            onAllThreads((height + band - 1) / band) { index in
              let (marks, differences, rows) = marks.value
              for y in (index * band)..<min((index + 1) * band, height) {
                bend.mark(
                  (rows.start + y * rows.stride).assumingMemoryBound(to: UInt8.self),
                  differences + y * width, marks + y * width, count: width)
              }
            }
          }
        }
      }
      return marks
    }

    /// The ranges that a function adds for each row.
    private static func rows(
      _ count: Int, _ body: @Sendable (Int, inout [Range<Int>]) -> Void
    ) -> [[Range<Int>]] {
      onAllThreads(mapping: (count + band - 1) / band) { index in
        // One buffer for all rows: arrays that grow for each row take longer than finding the ranges.
        var found: [Range<Int>] = []
        return ((index * band)..<min((index + 1) * band, count)).map { row in
          found.removeAll(keepingCapacity: true)
          body(row, &found)
          return [Range<Int>](unsafeUninitializedCapacity: found.count) { ranges, filled in
            (_, filled) = ranges.initialize(from: found)
          }
        }
      }.flatMap(\.self)
    }
  }
}

/// Finds where the marks of a row are set.
private func forEachRun(
  of marks: UnsafePointer<UInt8>, _ count: Int, _ body: (Range<Int>) -> Void
) {
  var x = 0
  while x < count {
    // Most pixels are not marked.
    if x + 8 <= count, UnsafeRawPointer(marks + x).loadUnaligned(as: UInt64.self) == 0 {
      x += 8
    } else if marks[x] == 0 {
      x += 1
    } else {
      let first = x
      while x < count, marks[x] != 0 { x += 1 }
      body(first..<x)
    }
  }
}

extension [Range<Int>] {
  /// Adds a range that begins no earlier than the last one, which it is joined with when it overlaps or nearly does.
  fileprivate mutating func join(_ range: Range<Int>, closerThan gap: Int) {
    if let last, range.lowerBound < last.upperBound + gap {
      self[count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
    } else {
      append(range)
    }
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
