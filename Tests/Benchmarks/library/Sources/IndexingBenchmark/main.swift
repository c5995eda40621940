import Foundation
import Glibc
import PhotoLibrary

// IndexingBenchmark LIBRARY PHOTO COUNT: puts COUNT copies of a photo, each with bytes of its own at
// the end, into folders of 500 in the new folder LIBRARY, and measures how long it takes to take
// them in, to look through them again when nothing changed, and to make the catalogue anew. Prints
// one JSON line.

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else {
  print("usage: IndexingBenchmark LIBRARY PHOTO COUNT")
  exit(64)
}
let root = URL(fileURLWithPath: arguments[1])
let bytes = try Data(contentsOf: URL(fileURLWithPath: arguments[2]))
let photos = root.appendingPathComponent("photos")
for number in 0..<count {
  let folder = photos.appendingPathComponent("\(number / 500)")
  if number % 500 == 0 {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }
  try (bytes + Data("\(number)".utf8))
    .write(to: folder.appendingPathComponent("IMG_\(number).jpg"))
}

/// Seconds of wall clock, and of processor time in all threads, that work takes.
func measured(_ work: () async throws -> Void) async throws -> [String: Double] {
  func processor() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let (start, before) = (ContinuousClock.now, processor())
  try await work()
  let elapsed = ContinuousClock.now - start
  let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
  return ["seconds": seconds, "processor": processor() - before]
}

let path = FilePath(root.appendingPathComponent("library").path)
var results: [String: [String: Double]] = [:]
do {
  let library = try PhotoLibrary(at: path)
  results["add"] = try await measured { try await library.add([FilePath(photos.path)]) }
  results["scan"] = try await measured { try await library.scan() }
}
results["rebuild"] = try await measured { _ = try await PhotoLibrary.rebuild(at: path) }
for (name, result) in results {
  results[name]?["photosPerProcessorSecond"] = Double(count) / (result["processor"] ?? 1)
}
let encoder = JSONEncoder()
encoder.outputFormatting = .sortedKeys
print(String(decoding: try encoder.encode(results), as: UTF8.self))
