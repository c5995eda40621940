import FoundationEssentials

/// An edit as somebody stored it: versioned, and opaque to everybody but its own format.
///
/// The same three values as PhotoKit's adjustment data. Any editor may commit its own under its
/// own identifier; Safelight keeps what it cannot read.
public struct AdjustmentData: Sendable, Hashable {
  /// Most bytes that ``data`` may have: 8 MiB. PhotoKit limits the size without naming a number;
  /// this one is Safelight's own.
  public static let maximumSize = 8 << 20

  /// Who can read ``data``, in reverse DNS order, such as `org.safelight.edit`.
  public let formatIdentifier: String
  /// Which revision of the format ``data`` is in; see ``FormatVersion`` for how two compare.
  public let formatVersion: String
  /// The edit itself. A commit refuses it when empty or larger than ``maximumSize``.
  public let data: Data

  /// Wraps an encoded edit.
  ///
  /// - Parameters:
  ///   - formatIdentifier: Reverse DNS name of the format.
  ///   - formatVersion: Dotted integers, such as `1.10`.
  ///   - data: The encoded edit, 1 byte to ``maximumSize``. Not pictures: those go into the render.
  public init(formatIdentifier: String, formatVersion: String, data: Data) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }
}
