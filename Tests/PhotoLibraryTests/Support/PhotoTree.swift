import Foundation
import Glibc
import PhotoEditing
import SafelightFiles
import SafelightTestSupport

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// Folders of small photos, and a library beside them; all are removed after the test.
final class PhotoTree: Sendable {
  private let folder = TemporaryFolder()

  var path: FilePath { folder.path }
  /// Where the photos are.
  var photos: FilePath { path.appending("photos") }
  /// Where the library's own files are.
  var library: FilePath { path.appending("library") }

  init() { photos.makeFolder() }

  func open() throws -> PhotoLibrary { try PhotoLibrary(at: library) }

  @discardableResult
  func put(_ bytes: [UInt8], _ name: FilePath) -> FilePath {
    let file = photos.appending(name)
    file.removingLastComponent().makeFolder()
    file.write(bytes)
    return file
  }

  /// Writes a JPEG that has a header and no pixels.
  @discardableResult
  func photo(_ name: FilePath, _ header: SmallJPEG = SmallJPEG()) -> FilePath {
    var header = header
    // Each photo has other bytes.
    if header.comment.isEmpty { header.comment = name.string }
    return put(header.bytes, name)
  }

  func move(_ name: FilePath, to other: FilePath) {
    let target = photos.appending(other)
    target.removingLastComponent().makeFolder()
    _ = photos.appending(name).withCString { from in
      target.withCString { rename(from, $0) }
    }
  }

  func remove(_ name: FilePath) {
    _ = photos.appending(name).withCString { unlink($0) }
  }

  func copy(_ name: FilePath, to other: FilePath) throws {
    put([UInt8](try Data(contentsOf: photos.appending(name).fileURL)), other)
  }

  func fixture(_ name: String, as other: FilePath) throws {
    put([UInt8](try Data(contentsOf: Fixture.url(name))), other)
  }
}

/// A JPEG with a header alone, which a scan can read and no decoder can.
struct SmallJPEG {
  var width = 40
  var height = 30
  var orientation = 1
  var date: String? = "2024:05:06 07:08:09"
  var camera: String? = "Test 1"
  /// Degrees and minutes to the north and to the west.
  var place: (north: (Int, Int), west: (Int, Int))?
  var userComment: String?
  var xmp: String?
  var comment = ""

  var bytes: [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    func segment(_ marker: UInt8, _ payload: [UInt8]) {
      let length = payload.count + 2
      bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
    }
    segment(0xE1, Array("Exif\0\0".utf8) + exif)
    if let xmp { segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8)) }
    segment(0xFE, Array(comment.utf8))
    segment(
      0xC0,
      [8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), 1]
        + [1, 0x11, 0])
    segment(0xDA, [1, 1, 0, 0, 63, 0])
    // Other photos have other pixels.
    return bytes + [0] + Array(comment.utf8) + [0xFF, 0xD9]
  }

  /// Big-endian directories with their offsets.
  private var exif: [UInt8] {
    var main: [(Int, Int, [UInt8])] = [(0x112, 3, [0, UInt8(orientation), 0, 0])]
    if let camera { main.insert((0x110, 2, text(camera)), at: 0) }
    var inner: [(Int, Int, [UInt8])] = []
    if let date { inner.append((0x9003, 2, text(date))) }
    if let userComment {
      inner.append((0x9286, 7, Array("ASCII\0\0\0".utf8) + Array(userComment.utf8)))
    }
    var gps: [(Int, Int, [UInt8])] = []
    if let place {
      func degrees(_ value: (Int, Int)) -> [UInt8] {
        [value.0, 1, value.1, 1, 0, 1].flatMap(long)
      }
      gps = [
        (1, 2, text("N")), (2, 5, degrees(place.north)), (3, 2, text("W")),
        (4, 5, degrees(place.west)),
      ]
    }
    // The main directory has a link to each of the others; their places follow from the sizes.
    let start = 8
    let first = start + directory(main + [(0x8769, 4, long(0)), (0x8825, 4, long(0))], 0).count
    let second = first + directory(inner, 0).count
    main += [(0x8769, 4, long(first)), (0x8825, 4, long(second))]
    return Array("MM\0*".utf8) + long(start) + directory(main, start) + directory(inner, first)
      + directory(gps, second)
  }

  private func directory(_ entries: [(tag: Int, type: Int, value: [UInt8])], _ at: Int) -> [UInt8] {
    let sizes = [2: 1, 3: 2, 4: 4, 5: 8, 7: 1]
    var head: [UInt8] = short(entries.count)
    var values: [UInt8] = []
    let end = at + 2 + 12 * entries.count + 4
    for entry in entries {
      let count = entry.type == 3 ? 1 : entry.value.count / sizes[entry.type]!
      head += short(entry.tag) + short(entry.type) + long(count)
      if entry.value.count <= 4 {
        head += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        head += long(end + values.count)
        values += entry.value
      }
    }
    return head + long(0) + values
  }

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
  private func short(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
  private func long(_ number: Int) -> [UInt8] { short(number >> 16) + short(number & 0xFFFF) }
}
