import Foundation
import Glibc
import PhotoEditing

// SessionBenchmark PHOTO [ROUNDS] [SIDE] [TASK]: opens a photo for editing, SIDE pixels along the longer side,
// normally 1600, and measures how long each draft and each preview takes from a new value to an encoded
// picture: ROUNDS of them, normally 40, for each kind of edit, or for the kind TASK alone. Prints a JSON line
// for each measurement, in milliseconds of wall clock and of processor time. The wall clock is that of a session with a process of its own, the
// processor time that of one in this process, whose threads can be counted.
//
// SessionBenchmark --preview PHOTO FILE SIDE OPTION=VALUE... writes one preview, and --draft one draft.

struct Line: Codable {
  var task: String
  /// Milliseconds: the median and the 95th percentile of the rounds.
  var median: Double
  var p95: Double
  /// Milliseconds of processor time for a round, on average.
  var processor: Double?
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count >= 4, ["--preview", "--draft"].contains(arguments[0]) {
  try await write(
    arguments[1], to: arguments[2], side: Int(arguments[3]) ?? 1600,
    isDraft: arguments[0] == "--draft", arguments[4...])
} else if let path = arguments.first {
  try await measure(
    path, rounds: arguments.count > 1 ? Int(arguments[1]) ?? 40 : 40,
    side: arguments.count > 2 ? Int(arguments[2]) ?? 1600 : 1600,
    only: arguments.count > 3 ? arguments[3] : nil)
} else {
  print("usage: SessionBenchmark PHOTO [ROUNDS] [SIDE] [TASK]")
  exit(64)
}

func edit(_ settings: some Sequence<(String, String)>) throws -> EditStack {
  var edit = EditStack()
  for (option, value) in settings { try edit.set(option, to: value) }
  return edit
}

func write(
  _ path: String, to file: String, side: Int, isDraft: Bool, _ settings: ArraySlice<String>
) async throws {
  var configuration = PhotoEditor.Configuration()
  configuration.darkroom.place = .inProcess
  let session = try await EditSession(
    Photo(path: FilePath(path)), fitting: PixelSize(width: side, height: side),
    editor: PhotoEditor(configuration))
  let edit = try edit(
    settings.map { setting in
      let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
      return (parts[0], parts[1])
    })
  let picture = try await isDraft ? session.draft(of: edit) : session.preview(of: edit)
  try picture.jpegData.write(to: URL(fileURLWithPath: file))
  await session.close()
}

/// The edits by name; `share` goes from 0 to 1 with the slider that moves.
func tasks() -> [(String, (Double) throws -> EditStack)] {
  func ten(_ share: Double) -> [(String, String)] {
    [
      ("temperature", "7000"), ("tint", "4"), ("exposure", "\(share * 0.6)"), ("whites", "10"),
      ("blacks", "-8"), ("contrast", "15"), ("tone-curve", "0,0.02 0.25,0.22 0.75,0.79 1,1"),
      ("color-mixer-orange-saturation", "10"), ("color-mixer-blue-luminance", "-10"),
      ("vibrance", "20"), ("saturation", "10"), ("color-grading-shadows-hue", "220"),
      ("color-grading-shadows-saturation", "12"), ("hue", "5"),
    ]
  }
  return [
    ("no adjustment", { share in try edit([("exposure", "\(0.001 * share)")]) }),
    ("ten color adjustments", { share in try edit(ten(share)) }),
    (
      "highlights, shadows, clarity, sharpen",
      { share in
        try edit([
          ("highlights", "-50"), ("shadows", "\(40 + 20 * share)"), ("clarity", "40"),
          ("sharpen", "80"),
        ])
      }
    ),
    (
      "crop",
      { share in
        var edit = EditStack()
        try edit.adjust(Adjustments.Crop.self) {
          ($0.x, $0.y, $0.width, $0.height) = (0.2 * share, 0.1, 0.8, 0.8)
        }
        return edit
      }
    ),
    ("straighten", { share in try edit([("straighten", "\(1 + 4 * share)")]) }),
    (
      "straighten with ten color adjustments",
      { share in try edit(ten(0.5) + [("straighten", "\(1 + 4 * share)")]) }
    ),
  ]
}

func measure(_ path: String, rounds: Int, side: Int, only task: String?) async throws {
  let size = PixelSize(width: side, height: side)
  let photo = Photo(path: FilePath(path))
  func report(_ task: String, _ times: [Double], processor: Double? = nil) throws {
    let sorted = times.sorted()
    let line = Line(
      task: task, median: sorted[sorted.count / 2],
      p95: sorted[min(Int(Double(sorted.count) * 0.95), sorted.count - 1)], processor: processor)
    print(String(decoding: try JSONEncoder().encode(line), as: UTF8.self))
  }

  // The first two start the process that the others find waiting.
  var (embedded, first): ([Double], [Double]) = ([], [])
  for _ in 0..<(task == nil ? max(rounds / 4, 3) : 0) {
    let start = ContinuousClock.now
    let session = try await EditSession(photo, fitting: size)
    if session.embeddedPreview != nil { embedded.append(milliseconds(since: start)) }
    _ = try await session.preview(of: EditStack())
    first.append(milliseconds(since: start))
    await session.close()
  }
  if !embedded.isEmpty { try report("embedded preview after opening", embedded) }
  if !first.isEmpty { try report("first preview after opening", first) }

  let apart = try await EditSession(photo, fitting: size)
  var configuration = PhotoEditor.Configuration()
  configuration.darkroom.place = .inProcess
  let here = try await EditSession(photo, fitting: size, editor: PhotoEditor(configuration))
  for (name, edit) in tasks() {
    for (name, isDraft) in [(name + ", draft", true), (name, false)]
    where task.map({ $0 == name }) ?? true {
      let picture: (EditSession, Double) async throws -> Void = { session, share in
        let edit = try edit(share)
        _ = try await isDraft ? session.draft(of: edit) : session.preview(of: edit)
      }
      // The first one makes what later ones use again.
      try await picture(apart, 0)
      try await picture(here, 0)
      var times: [Double] = []
      for round in 0..<rounds {
        let start = ContinuousClock.now
        try await picture(apart, Double(round + 1) / Double(rounds))
        times.append(milliseconds(since: start))
      }
      let before = processorTime()
      for round in 0..<rounds { try await picture(here, Double(round + 1) / Double(rounds)) }
      try report(name, times, processor: (processorTime() - before) / Double(rounds))
    }
  }
  await apart.close()
  await here.close()
}

func milliseconds(since start: ContinuousClock.Instant) -> Double {
  let elapsed = (ContinuousClock.now - start).components
  return Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15
}

func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
