import FoundationEssentials
import Glibc

/// An original to render from: an open file that is only ever read.
public struct PhotoSource: Sendable {
  /// A descriptor open for reading; it stays the caller's and its position does not move.
  public let descriptor: Int32
  /// The file's name, which the render's metadata gives as what it derives from.
  public let name: String
  /// Most pixels the header may announce; width times height.
  public let pixelLimit: Int
  /// Whether a truncated or damaged picture is rendered as far as it goes.
  public let allowsDamage: Bool

  /// 500 megapixels: more than any camera makes, less than a decoder bomb.
  public static let defaultPixelLimit = 500_000_000

  /// Describes an open original.
  ///
  /// - Parameters:
  ///   - descriptor: Open for reading for as long as the source is used.
  ///   - name: The file's name without its folder.
  ///   - pixelLimit: Most pixels the header may announce.
  ///   - allowsDamage: Whether a truncated or damaged picture is rendered as far as it goes.
  public init(
    descriptor: Int32, name: String, pixelLimit: Int = PhotoSource.defaultPixelLimit,
    allowsDamage: Bool = false
  ) {
    self.descriptor = descriptor
    self.name = name
    self.pixelLimit = pixelLimit
    self.allowsDamage = allowsDamage
  }

  /// The first bytes of the file, at most `count`.
  func firstBytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
  }

  /// The whole file, mapped and not read, so that only the parts looked at cost memory.
  func mapped() -> Data {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_size > 0,
      let memory = mmap(nil, Int(facts.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
      memory != MAP_FAILED
    else { return Data() }
    return Data(
      bytesNoCopy: memory, count: Int(facts.st_size),
      deallocator: .custom { pointer, size in munmap(pointer, size) })
  }
}
