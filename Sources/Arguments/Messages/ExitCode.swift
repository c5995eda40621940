/// The code with which a process ends; thrown, it ends the process without a message.
public struct ExitCode: Error, Hashable, RawRepresentable {
  /// The code as the shell sees it, 0 to 255.
  public let rawValue: Int32

  /// Creates a code from the number that the shell sees.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Creates a code from the number that the shell sees.
  public init(_ code: Int32) { rawValue = code }

  /// Whether the code means success.
  public var isSuccess: Bool { self == .success }

  /// All went well: 0.
  public static let success = ExitCode(0)
  /// Something failed: 1.
  public static let failure = ExitCode(1)
  /// The command line was wrong: 64, `EX_USAGE` of BSD's sysexits.h.
  public static let validationFailure = ExitCode(64)
}
