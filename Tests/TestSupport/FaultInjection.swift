import Glibc
import SafelightFiles
import Synchronization

/// Lets the n-th operation on files fail, and perhaps every later one.
package final class FaultInjection: Sendable {
  /// How operations fail.
  package enum Kind: Sendable, Hashable {
    case diskFullOnce
    case diskFullFromThenOn
    case ioErrorOnce
    case ioErrorFromThenOn
    case halfAWriteThenDiskFull
    /// Nothing works any more, not even cleaning up, as after the death of a process.
    case crash
    /// The system refuses operations that it may refuse for this reason, once or from then on.
    case refusal(Int32, forGood: Bool)
    /// The system takes a half of the bytes of one write.
    case shortWrite
  }

  private let kind: Kind?
  private let target: Int
  private let done = Mutex<[FileSystem.Operation.Kind]>([])

  /// - Parameter number: Which of the operations that can fail in this way fails, from 1.
  package init(_ kind: Kind, at number: Int) {
    self.kind = kind
    target = number
  }

  /// No operation fails.
  private init() { (kind, target) = (nil, .max) }

  /// Whether there were enough operations for one to fail.
  package var wasReached: Bool { done.withLock { $0.count >= target } }

  /// The file system whose operations fail.
  package var fileSystem: FileSystem { FileSystem { [self] in fault(at: $0) } }

  /// The fault of an operation that is about to happen; `nil` when it does not fail.
  package func fault(at operation: FileSystem.Operation) -> FileSystem.Fault? {
    if let kind, !kind.canHappen(to: operation.kind) { return nil }
    let number = done.withLock { done in
      done.append(operation.kind)
      return done.count
    }
    guard let kind, number >= target else { return nil }
    switch kind {
    case .diskFullOnce: return number == target ? .failure(ENOSPC) : nil
    case .ioErrorOnce: return number == target ? .failure(EIO) : nil
    case .halfAWriteThenDiskFull: return number == target ? .partialWrite(ENOSPC) : nil
    // A full disk still lets files be read, renamed over and removed.
    case .diskFullFromThenOn:
      let grows = Kind.growing.contains(operation.kind)
      return number == target || grows ? .failure(ENOSPC) : nil
    case .ioErrorFromThenOn: return .failure(EIO)
    case .crash:
      return number == target && operation.kind == .write ? .partialWrite(EIO) : .failure(EIO)
    case .refusal(let reason, let forGood):
      return number == target || forGood ? .failure(reason) : nil
    case .shortWrite: return number == target ? .shortWrite : nil
    }
  }

  /// Runs a test with the first operation failing, then with the second, the third, until none
  /// fails any more.
  ///
  /// - Parameter body: Makes its own folder, does its work through ``fileSystem``, and checks the
  ///   result. It must expect success when ``wasReached`` is `false`.
  package static func forEachOperation(
    failing kind: Kind, _ body: (FaultInjection) async throws -> Void
  ) async throws {
    for number in 1... {
      let faults = FaultInjection(kind, at: number)
      try await body(faults)
      if !faults.wasReached { return }
    }
  }

  /// Runs a test without a fault, and then with each kind of fault at each operation to which it can
  /// happen, or with a sample of them.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of faults.
  ///   - sample: How many faults are tried when tests are not long; see ``Rounds/sample(_:)``.
  ///   - body: As for ``forEachOperation(failing:_:)``. `nil` stands for no fault.
  package static func forEachFault(
    of kinds: [Kind] = Kind.allOfTheSystem, sample: Int,
    _ body: (FaultInjection, Kind?) async throws -> Void
  ) async throws {
    let whole = FaultInjection()
    try await body(whole, nil)
    let operations = whole.done.withLock(\.self)
    var faults = kinds.flatMap { kind in
      let count = operations.count { kind.canHappen(to: $0) }
      return (0..<count).map { (kind, $0 + 1) }
    }
    var random = SeededGenerator(seed: UInt64(faults.count))
    faults = Array(faults.shuffled(using: &random).prefix(Rounds.sample(sample)))
    for (kind, number) in faults { try await body(FaultInjection(kind, at: number), kind) }
  }
}

extension FaultInjection.Kind: CaseIterable {
  /// The kinds that every operation can meet.
  package static let allCases: [FaultInjection.Kind] = [
    .diskFullOnce, .diskFullFromThenOn, .ioErrorOnce, .ioErrorFromThenOn, .halfAWriteThenDiskFull,
    .crash,
  ]

  /// Every reason for which a system refuses an operation, once and for good; short writes, and a crash.
  package static let allOfTheSystem: [FaultInjection.Kind] =
    [false, true].flatMap { forGood -> [FaultInjection.Kind] in
      [EIO, ENOSPC, EDQUOT, EACCES, EROFS, EMFILE].map { .refusal($0, forGood: forGood) }
    } + [.refusal(EINTR, forGood: false), .shortWrite, .halfAWriteThenDiskFull, .crash]

  /// Whether a program sees nothing of the fault.
  package var isHarmless: Bool { [.refusal(EINTR, forGood: false), .shortWrite].contains(self) }

  /// Whether what was begun may not be cleaned up.
  package var staysBroken: Bool {
    switch self {
    case .crash, .ioErrorFromThenOn: true
    case .refusal(_, let forGood): forGood
    default: false
    }
  }

  fileprivate static let growing: Set<FileSystem.Operation.Kind> = [
    .create, .createFolder, .write, .sync, .syncFolder,
  ]
  private static let naming: Set<FileSystem.Operation.Kind> = [
    .create, .createFolder, .rename, .unlink,
  ]

  fileprivate func canHappen(to operation: FileSystem.Operation.Kind) -> Bool {
    switch self {
    case .shortWrite: return operation == .write
    case .refusal(ENOSPC, _), .refusal(EDQUOT, _): return Self.growing.contains(operation)
    case .refusal(EROFS, _):
      return Self.naming.contains(operation) || [.truncate, .setAttributes].contains(operation)
    case .refusal(EACCES, _):
      return Self.naming.contains(operation)
        || [.open, .openFolder, .list, .setAttributes].contains(operation)
    case .refusal(EMFILE, _):
      return [.open, .openFolder, .list, .create, .watch].contains(operation)
    case .refusal(EINTR, _):
      return [.open, .openFolder, .create, .read, .write, .lock, .truncate, .sync, .syncFolder]
        .contains(operation)
    default: return true
    }
  }
}
