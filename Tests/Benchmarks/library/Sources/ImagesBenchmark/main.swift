import Foundation
import Glibc
import PhotoLibraryKit

// ImagesBenchmark FOLDER PHOTO [COUNT]: puts COUNT copies of a photo, normally 100, each with other bytes at
// the end, into a library in the new folder FOLDER, and measures a grid of
// them, 200 pixels along the longer side, each time in a new process: cold with an empty cache on
// disk, warm with a full one, then the camera's own thumbnails, and vipsthumbnail where it is
// installed, in one process and in two at a time. Prints one JSON line: seconds of wall clock, and of
// processor time for ours, medians of the runs; "process" counts the start of the program too.
//
// ImagesBenchmark --grid FOLDER MODE is one run: MODE is high or fast. ImagesBenchmark --each FOLDER asks for a
// thumbnail of each photo of a library, one after the other, and prints a line for each.

struct Run: Codable {
  /// Seconds from before the library is opened to the last picture.
  var grid = 0.0
  var processor = 0.0
  /// Seconds of the whole process.
  var process = 0.0
  var pictures = 0
}

let start = ContinuousClock.now
let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "--grid" {
  try await grid(arguments[2], arguments[3])
} else if arguments.count == 3, arguments[1] == "--each" {
  try await each(arguments[2])
} else if arguments.count >= 3 {
  try await compare(
    arguments[2], in: arguments[1], count: arguments.count > 3 ? Int(arguments[3]) ?? 100 : 100)
} else {
  print("usage: ImagesBenchmark FOLDER PHOTO [COUNT]")
  exit(64)
}

func seconds(since start: ContinuousClock.Instant) -> Double {
  let elapsed = ContinuousClock.now - start
  return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
}

/// One grid of a gallery.
func grid(_ folder: String, _ mode: String) async throws {
  let library = try PhotoLibrary(at: FilePath(folder).appending("library"))
  let manager = ImageManager(library)
  let options = ImageRequestOptions()
  options.resizeMode = .fast
  options.deliveryMode = mode == "fast" ? .fastFormat : .highQualityFormat
  let chosen = options
  let assets = Array(try library.fetchAssets())
  let pictures = try await withThrowingTaskGroup(of: DisplayImage.self) { group in
    for asset in assets {
      group.addTask {
        try await manager.requestImage(
          for: asset, targetSize: PixelSize(width: 200, height: 200), options: chosen)
      }
    }
    var count = 0
    for try await image in group where image.width > 0 { count += 1 }
    return count
  }
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  let run = Run(
    grid: seconds(since: start), processor: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9,
    pictures: pictures)
  print(String(decoding: try JSONEncoder().encode(run), as: UTF8.self))
}

func each(_ folder: String) async throws {
  let library = try PhotoLibrary(at: FilePath(folder).appending("library"))
  let manager = ImageManager(library)
  for asset in try library.fetchAssets() {
    let image = try await manager.requestImage(
      for: asset, targetSize: PixelSize(width: 32, height: 32), options: ImageRequestOptions())
    print(asset.path, image.width)
  }
}

/// Runs a program to its end.
func run(_ program: String, _ arguments: [String]) throws -> (seconds: Double, output: Data) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  let start = ContinuousClock.now
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    FileHandle.standardError.write(Data("\(program) \(arguments.prefix(3)) failed\n".utf8))
    exit(1)
  }
  return (seconds(since: start), output)
}

func compare(_ photo: String, in folder: String, count: Int) async throws {
  let root = URL(fileURLWithPath: folder)
  let photos = root.appendingPathComponent("photos")
  try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
  let bytes = try Data(contentsOf: URL(fileURLWithPath: photo))
  var files: [String] = []
  for number in 0..<count {
    let file = photos.appendingPathComponent("IMG_\(number).jpg")
    try (bytes + Data("\(number)".utf8)).write(to: file)
    files.append(file.path)
  }
  do {
    let library = try PhotoLibrary(at: FilePath(root.appendingPathComponent("library").path))
    try await library.add([FilePath(photos.path)])
  }
  // The cache keeps no pictures of files that changed a moment ago.
  try await Task.sleep(for: .seconds(2.5))

  let cache = root.appendingPathComponent("library/cache")
  func grids(_ mode: String, times: Int, empty: Bool) throws -> Run {
    var runs: [Run] = []
    for _ in 0..<times {
      if empty { try? FileManager.default.removeItem(at: cache) }
      let (seconds, output) = try run("/proc/self/exe", ["--grid", folder, mode])
      var result = try JSONDecoder().decode(Run.self, from: output)
      result.process = seconds
      guard result.pictures == count else { fatalError("only \(result.pictures) pictures came") }
      runs.append(result)
    }
    return runs.sorted { $0.process < $1.process }[times / 2]
  }
  var results = [
    "cold": try grids("high", times: 3, empty: true),
    "warm": try grids("high", times: 7, empty: false),
    "thumbnails": try grids("fast", times: 3, empty: true),
  ]
  let peer = "/usr/bin/vipsthumbnail"
  if FileManager.default.isExecutableFile(atPath: peer) {
    let common = ["--size", "200x200", "-o", root.path + "/peer-%s.jpg[Q=90]"]
    var alone: [Double] = []
    var pairs: [Double] = []
    for _ in 0..<3 {
      alone.append(try run(peer, common + files).seconds)
      pairs.append(
        try run(
          "/usr/bin/xargs",
          ["-a", list(files, in: root), "-P", "2", "-n", "\((count + 1) / 2)", peer] + common
        ).seconds)
    }
    results["vipsthumbnail"] = Run(process: alone.sorted()[1], pictures: count)
    results["vipsthumbnailTwice"] = Run(process: pairs.sorted()[1], pictures: count)
  }
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  print(String(decoding: try encoder.encode(results), as: UTF8.self))
}

func list(_ files: [String], in root: URL) throws -> String {
  let list = root.appendingPathComponent("files.txt")
  try files.joined(separator: "\n").write(to: list, atomically: true, encoding: .utf8)
  return list.path
}
