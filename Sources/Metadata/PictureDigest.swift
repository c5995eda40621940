import SafelightFiles
import SafelightFormats

/// Computes the SHA-256 of a photo's picture: of what decides its pixels, and of nothing else in the
/// file.
///
/// Other programs write ratings, keywords and places into originals. The picture stays the same then,
/// and so may its edit. The orientation and the color profile count as picture, because the render
/// depends on them, and the gain map of a JPEG with its metadata. What else stands behind the end of a JPEG, such as a motion
/// photo's film, does not.
///
/// The digest is over the parts of the picture, each behind a label, in an order that does not depend
/// on where other programs put them. After the first release, a change of this
/// order or of the parts needs another key in the record.
package struct PictureDigest {
  private let fileSystem: FileSystem
  let file: OpenFile
  let size: Int
  /// One hash until the orientation is added; after it one for each orientation that is asked for.
  var hashers = [SHA256()]
  /// Whether the digests for the other seven orientations are computed too.
  private let forAnyOrientation: Bool
  /// The orientation in the file's tag; `nil` for formats that turn their pixels themselves.
  private var orientation: Int?
  /// How many bytes may still be hashed. Parts may overlap or be shared, and whatever a file says of
  /// them, it costs no more than twice its size and a megabyte.
  private var budget: Int
  /// How many parts may still be read: far more than real photos have.
  private var partsLeft = 1 << 18

  static let window = 256 << 10
  /// The most bytes of one block of metadata that are read: more than any real one.
  private static let largestBlock = 16 << 20

  /// The digest of the picture in an open file; `nil` for files whose parts are not known.
  ///
  /// Takes as long as reading the file once.
  package static func digest(
    of file: OpenFile, size: Int64, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> Digest? {
    let picture = try whole(
      PictureDigest(fileSystem, file, size: Int(size), forAnyOrientation: false))
    return picture?.hashers[0].finish()
  }

  /// The digests that the picture in an open file has with each orientation; `nil` for files whose
  /// parts are not known, or whose format has no tag for the orientation.
  package static func digestsForAnyOrientation(
    of file: OpenFile, size: Int64, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> TurnedDigests? {
    let picture = try whole(
      PictureDigest(fileSystem, file, size: Int(size), forAnyOrientation: true))
    guard let picture, let orientation = picture.orientation else { return nil }
    return TurnedDigests(
      orientation: orientation, digests: picture.hashers.map { $0.finish() })
  }

  /// The picture with all its parts hashed; `nil` when they are not known.
  private static func whole(
    _ unread: PictureDigest
  ) throws(FileSystemError) -> PictureDigest? {
    var picture = unread
    let header = try PhotoBytes(
      recognizing: unread.file, size: unread.size, unread.fileSystem)
    guard let format = PhotoFormat.recognized(in: header) else { return nil }
    return try format.file.digest(&picture) ? picture : nil
  }

  private init(
    _ fileSystem: FileSystem, _ file: OpenFile, size: Int, forAnyOrientation: Bool
  ) {
    self.forAnyOrientation = forAnyOrientation
    self.fileSystem = fileSystem
    self.file = file
    self.size = size
    budget = 2 * size + (1 << 20)
  }

  /// Counts one more part of so many bytes; `false` when there are too many parts or bytes.
  mutating func take(_ count: Int) -> Bool {
    partsLeft -= 1
    budget -= min(count, budget + 1)
    return partsLeft > 0 && budget >= 0
  }

  // MARK: - Bytes

  /// Bytes of the file; `nil` when they are not all there, or too many.
  func bytes(at offset: Int, count: Int) throws(FileSystemError) -> [UInt8]? {
    guard offset >= 0, count >= 0, count <= Self.largestBlock, offset <= size - count else {
      return nil
    }
    let bytes = try fileSystem.bytes(of: file, from: Int64(offset), count: count)
    return bytes.count == count ? bytes : nil
  }

  func label(_ label: String, _ count: Int) {
    hash(Array("\(label) \(count)\n".utf8))
  }

  private func hash(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      for hasher in hashers { hasher.update(bytes) }
    }
  }

  func add(_ name: String, _ bytes: [UInt8]) {
    label(name, bytes.count)
    hash(bytes)
  }

  /// Adds bytes of the file, however many; `false` when they are not all there.
  mutating func add(range: Range<Int>) throws(FileSystemError) -> Bool {
    guard take(range.count) else { return false }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = min(Self.window, range.upperBound - offset)
      guard let part = try bytes(at: offset, count: count) else { return false }
      hash(part)
      offset += count
    }
    return true
  }

  /// Adds the file's orientation, 1 to 8.
  mutating func add(orientation: Int) {
    self.orientation = orientation
    guard forAnyOrientation else { return add("orientation", [UInt8(orientation)]) }
    let bytes = Array("orientation 1\n".utf8)
    let before = hashers[0]
    hashers = (1...8).map { orientation in
      let hasher = before.copy()
      (bytes + [UInt8(orientation)]).withUnsafeBytes { hasher.update($0) }
      return hasher
    }
  }

  /// Adds the orientation in an Exif block; a block without one stands for an upright picture.
  mutating func add(orientationIn exif: [UInt8]?) {
    let block = exif.map { $0.has("Exif\0\0") ? Array($0.dropFirst(6)) : $0 }
    var orientation = 1
    if let block, let structure = TIFFStructure(block), let entry = structure.main[0x0112],
      let value = entry.value
    {
      orientation = Self.orientation(block[value], type: entry.type, structure.order)
    }
    add(orientation: orientation)
  }

  /// The orientation in a tag's value, 1 to 8, whatever type of number a program wrote it as.
  static func orientation(_ value: ArraySlice<UInt8>, type: Int, _ order: ByteOrder) -> Int {
    let bytes = Array(value)
    let number =
      switch type {
      case 1, 6: bytes.byte(at: 0).map { Int($0) }
      case 4, 9: bytes.uint32(at: 0, order)
      default: bytes.uint16(at: 0, order)
      }
    return number.map { (1...8).contains($0) ? $0 : 1 } ?? 1
  }
}

/// The digests of one picture, whatever its orientation tag says.
package struct TurnedDigests: Sendable {
  /// The orientation in the file's tag, 1 to 8.
  package let orientation: Int
  /// The digests with the orientations 1 to 8.
  package let digests: [Digest]

  /// The orientation with which the picture has a digest; `nil` when it has none of them.
  package func orientation(of digest: Digest) -> Int? {
    digests.firstIndex(of: digest).map { $0 + 1 }
  }
}

extension FileSystem {
  /// The digests of the picture in a file: one, or one for each orientation that its tag may have.
  /// Empty for files whose parts are not known.
  package func pictureDigests(at path: FilePath) throws(FileSystemError) -> [Digest] {
    let file = try openForReading(path)
    let size = try status(of: file).size
    if let turned = try PictureDigest.digestsForAnyOrientation(of: file, size: size, self) {
      return turned.digests
    }
    return try PictureDigest.digest(of: file, size: size, self).map { [$0] } ?? []
  }
}
