import Foundation
import Glibc
import PhotoLibraryKit

/// Marks photos as favorites, one change set each, and measures how long the disk takes to flush 4 KB.
struct Favorites {
  private struct Result: Encodable {
    var changes: [Double] = []
    var disk: [Double] = []
    /// The photos whose mark was changed, one entry for each change.
    var turned: [String] = []
  }

  private let library: PhotoLibrary
  private let count: Int

  init(_ library: PhotoLibrary, count: Int) { (self.library, self.count) = (library, count) }

  func run() async throws {
    let assets = try library.fetchAssets()
    let disk = try Disk(beside: library.path)
    var result = Result()
    for number in 0..<count {
      // Steps of a prime number reach all photos.
      let asset = assets[number * 7919 % assets.count]
      // The mark may have changed since the fetch.
      let mark = result.turned.count { $0 == asset.localIdentifier } % 2 == 0
      result.changes.append(
        try await milliseconds {
          try await library.performChanges {
            AssetChangeRequest(for: asset).isFavorite = asset.isFavorite != mark
          }
        })
      result.turned.append(asset.localIdentifier)
      result.disk.append(try await milliseconds { try disk.write() })
    }
    try report(result)
  }
}

/// A file to which 4 KB are appended at a time, like a log.
private final class Disk {
  private let path: String
  private let descriptor: Int32
  private let bytes = [UInt8](repeating: 7, count: 4096)

  init(beside folder: FilePath) throws {
    path = folder.string + "/disk-test"
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  func write() throws {
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fdatasync(descriptor) == 0
    else { throw POSIXError(.EIO) }
  }
}

/// Moves one photo after the other from the end of an album to its middle, and back.
struct Moves {
  private struct Result: Encodable {
    var size = 0
    var changes: [Double] = []
    /// The album's first photos afterwards.
    var first: [String] = []
  }

  private let library: PhotoLibrary
  private let title: String
  private let count: Int

  init(_ library: PhotoLibrary, _ title: String, count: Int) {
    (self.library, self.title, self.count) = (library, title, count)
  }

  func run() async throws {
    let album = try library.album(called: title)
    var result = Result(size: try library.fetchAssets(in: album).count)
    let size = result.size
    for number in 0..<count {
      let (source, target) = number % 2 == 0 ? (size - 1, size / 2) : (number % size, 0)
      result.changes.append(
        try await milliseconds {
          try await library.performChanges {
            AssetCollectionChangeRequest(for: album).moveAssets(at: [source], to: target)
          }
        })
    }
    result.first = try library.fetchAssets(in: album).prefix(100).map(\.localIdentifier)
    try report(result)
  }
}
