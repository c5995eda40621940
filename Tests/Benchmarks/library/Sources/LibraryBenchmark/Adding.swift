import Foundation
import Glibc
import PhotoLibraryKit

/// Adds the photos of a folder to a new library, scans them again without changes, and rebuilds the catalog.
struct Adding {
  private struct Result: Encodable {
    var work: String
    var count: Int
    var milliseconds: Double
    /// Processor time of all threads.
    var processor: Double
    var peakMemory: Int
  }

  private let path: FilePath
  private let photos: FilePath

  init(_ path: FilePath, photos: FilePath) { (self.path, self.photos) = (path, photos) }

  func run() async throws {
    do {
      let library = try PhotoLibrary(at: path)
      try await measure("add") { try await library.add([photos]).added }
      try await measure("scan") {
        let result = try await library.scan()
        precondition(result.isUnchanged)
        return try library.fetchAssets().count
      }
    }
    try await measure("rebuild") {
      try await PhotoLibrary.rebuild(at: path).fetchAssets().count
    }
  }

  private func measure(_ work: String, _ body: () async throws -> Int) async throws {
    let before = Self.processor()
    var count = 0
    let elapsed = try await milliseconds { count = try await body() }
    try report(
      Result(
        work: work, count: count, milliseconds: elapsed, processor: Self.processor() - before,
        peakMemory: try peakMemory()))
  }

  private static func processor() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}
