import SafelightFiles
import SafelightProcesses

/// When the frames of a video are shown.
struct FrameTimes {
  /// The times of the frames, in units of ``timeBase`` from the video's beginning.
  let ticks: [Int]
  /// The unit of time in seconds, as a fraction.
  private let base: (Int, Int)
  /// A frame's time by its number, as ffmpeg calculates.
  private let expression: String

  /// The most frames: half an hour at 60 a second.
  private static let most = 108_000

  /// Finds the times by decoding, so that they are those of the frames that ffmpeg gives.
  ///
  /// - Parameter input: The movie.
  /// - Throws: ``VideoFailure`` when frames cannot be read, or have no order.
  init(of input: OpenFile, by tools: VideoTools) throws {
    let said = try VideoTools.memory("safelight-times")
    try tools.run(
      tools.converter(
        from: VideoTools.movieInput,
        to: [
          "-vf", "scale=16:16:flags=neighbor", "-fps_mode", "passthrough", "-enc_time_base", "-1",
          "-c:v", "rawvideo", "-f", "framecrc", "/proc/self/fd/4",
        ]), [nil, nil, nil, input.descriptor, said.descriptor])
    // A line of 60 characters for each frame.
    let text = String(
      decoding: try FileSystem.real.contents(of: said, limit: Self.most * 100), as: UTF8.self)
    try self.init(text)
  }

  /// Reads what ffmpeg's `framecrc` writes: `#tb 0: 1/600`, and lines of stream, decoding time, time and more.
  init(_ text: String) throws(VideoFailure) {
    var ticks: [Int] = []
    var base: (Int, Int)?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#tb 0: ") {
        let numbers = line.dropFirst(7).split(separator: "/").compactMap { Int($0) }
        if numbers.count == 2, numbers[0] > 0, numbers[1] > 0 { base = (numbers[0], numbers[1]) }
      }
      guard !line.hasPrefix("#") else { continue }
      let columns = line.split(separator: ",")
      guard columns.count > 2, let time = Int(columns[2].drop { $0 == " " }),
        abs(time) < 1 << 48, ticks.last.map({ $0 < time }) ?? true
      else { throw .unsupported("its frames have no order in time") }
      ticks.append(time)
    }
    guard let base, !ticks.isEmpty else { throw .unsupported("its frames cannot be read") }
    guard ticks.count <= Self.most else { throw .unsupported("it has too many frames") }
    self.ticks = ticks
    self.base = base
    expression = Self.expression(of: Self.runs(of: ticks)[...])
    // Linux gives a program arguments of 128 KB at most.
    guard expression.utf8.count < 100_000 else {
      throw .unsupported("its frames come at too many different distances")
    }
  }

  /// When a frame is shown, in seconds from the video's beginning.
  func seconds(at index: Int) -> Double {
    Double(ticks[index]) * Double(base.0) / Double(base.1)
  }

  /// The unit of time in seconds, as two numbers with a slash.
  var timeBase: String { "\(base.0)/\(base.1)" }

  /// Frames in a second in the mean, as two numbers with a slash: how long the last frame is shown, and what coders reckon
  /// with.
  var rate: String {
    guard let first = ticks.first, let last = ticks.last, first < last else { return "30/1" }
    let (frames, length) = ((ticks.count - 1) * base.1, (last - first) * base.0)
    // ffmpeg takes numbers of 32 bits.
    let scale = max(1, (max(frames, length) >> 30) + 1)
    return "\(max(frames / scale, 1))/\(max(length / scale, 1))"
  }

  /// The filters of ffmpeg that give frames these times, by their numbers.
  var filters: [String] { ["settb=\(timeBase)", "setpts='\(expression)'"] }

  /// Frames at equal distances.
  private struct Run {
    /// The number of the first one.
    var start: Int
    var time: Int
    var distance: Int
  }

  private static func runs(of ticks: [Int]) -> [Run] {
    var runs: [Run] = []
    for (index, time) in ticks.enumerated() {
      if let last = runs.last, last.time + (index - last.start) * last.distance == time {
        continue
      }
      let next = index + 1 < ticks.count ? ticks[index + 1] - time : 0
      runs.append(Run(start: index, time: time, distance: next))
    }
    return runs
  }

  /// An expression that finds a frame's run by halves: ffmpeg nests expressions less deep than a list of them is long.
  private static func expression(of runs: ArraySlice<Run>) -> String {
    if runs.count == 1, let run = runs.first {
      return "\(run.time)+(N-\(run.start))*\(run.distance)"
    }
    let middle = runs.startIndex + runs.count / 2
    let (before, after) = (expression(of: runs[..<middle]), expression(of: runs[middle...]))
    return "if(lt(N,\(runs[middle].start)),\(before),\(after))"
  }
}
