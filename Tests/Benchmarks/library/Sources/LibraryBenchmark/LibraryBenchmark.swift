import Foundation
import PhotoLibraryKit

/// Measures for `run.py`, which starts a process for each measurement. Prints one JSON object on a line for
/// each; times are in milliseconds.
@main
struct LibraryBenchmark {
  private static let usage = """
    usage: LibraryBenchmark create LIBRARY               makes an empty one
           LibraryBenchmark fetch LIBRARY RUNS < LIST    does each fetch of a JSON list
           LibraryBenchmark favorites LIBRARY COUNT      marks photos one at a time
           LibraryBenchmark moves LIBRARY ALBUM COUNT    moves photos inside of an album
           LibraryBenchmark iterate LIBRARY              goes through everything
           LibraryBenchmark add LIBRARY PHOTOS           takes in a folder, looks again, rebuilds
    """

  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { return leave() }
    let path = FilePath(words[1])
    if words[0] == "add", words.count == 3 {
      return try await Adding(path, photos: FilePath(words[2])).run()
    }
    let library = try PhotoLibrary(at: path)
    switch (words[0], words.count) {
    case ("create", 2): break
    case ("fetch", 3): try await Fetches(library, runs: Int(words[2]) ?? 1).run()
    case ("favorites", 3): try await Favorites(library, count: Int(words[2]) ?? 1).run()
    case ("moves", 4): try await Moves(library, words[2], count: Int(words[3]) ?? 1).run()
    case ("iterate", 2): try Iteration(library).run()
    default: leave()
    }
  }

  private static func leave() {
    FileHandle.standardError.write(Data((usage + "\n").utf8))
    exit(64)
  }
}

/// Prints a result.
func report(_ result: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  print(String(decoding: try encoder.encode(result), as: UTF8.self))
}

/// The time of some work, in milliseconds.
func milliseconds(_ work: () async throws -> Void) async rethrows -> Double {
  let start = ContinuousClock.now
  try await work()
  let elapsed = (ContinuousClock.now - start).components
  return Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15
}

/// The largest resident memory of the process so far, in bytes (`VmHWM` of Linux).
func peakMemory() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
}
