import SafelightFiles

/// A difference inside a library, or between the library and the disk.
///
/// ```swift
/// for problem in try await library.verify().problems { print(problem.code, problem.file) }
/// ```
public struct LibraryProblem: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Kind: Sendable, Hashable {
    /// SQLite finds damage in the catalog's file.
    case catalogDamaged(detail: String)
    /// The catalog's counters differ from the numbers of its photos.
    case countsWrong
    /// The export cannot be read.
    case exportUnreadable(detail: String)
    /// The export differs from the catalog.
    case exportOutdated
    /// An added folder is missing or cannot be read.
    case folderMissing
    /// A photo's file is not at the path in the catalog.
    case photoMissing
    /// A photo's file was changed or replaced since the last scan.
    case photoChanged
    /// A photo's edit was made, changed or dropped since the last scan.
    case editOutdated
    /// A decided change of the photo's files is not finished, because it was interrupted.
    case changeUnfinished
    /// The catalog asks for a change of the photo's files, and nothing proves that this user decided it on this
    /// computer. It is not made.
    case changeUnproven
  }

  /// What is wrong.
  public let kind: Kind
  /// The file or folder of the problem.
  public let file: FilePath

  package init(_ kind: Kind, _ file: FilePath) {
    self.kind = kind
    self.file = file
  }

  /// The stable names of the problems.
  package enum Code: String, CaseIterable {
    case catalogDamaged = "catalog-damaged"
    case countsWrong = "counts-wrong"
    case exportUnreadable = "export-unreadable"
    case exportOutdated = "export-outdated"
    case folderMissing = "folder-missing"
    case photoMissing = "photo-missing"
    case photoChanged = "photo-changed"
    case editOutdated = "edit-outdated"
    case changeUnfinished = "change-unfinished"
    case changeUnproven = "change-unproven"
  }

  /// A stable word for programs.
  public var code: String {
    let code: Code =
      switch kind {
      case .catalogDamaged: .catalogDamaged
      case .countsWrong: .countsWrong
      case .exportUnreadable: .exportUnreadable
      case .exportOutdated: .exportOutdated
      case .folderMissing: .folderMissing
      case .photoMissing: .photoMissing
      case .photoChanged: .photoChanged
      case .editOutdated: .editOutdated
      case .changeUnfinished: .changeUnfinished
      case .changeUnproven: .changeUnproven
      }
    return code.rawValue
  }

  /// What is wrong, in one sentence.
  public var description: String {
    switch kind {
    case .catalogDamaged(let detail): "\(file) is damaged: \(detail)."
    case .countsWrong: "The counters in \(file) differ from the numbers of its photos."
    case .exportUnreadable(let detail): "\(file) cannot be read: \(detail)."
    case .exportOutdated: "\(file) and its journal differ from the catalog."
    case .folderMissing: "\(file) is missing or cannot be read; its photos were not checked."
    case .photoMissing: "\(file) is missing."
    case .photoChanged: "\(file) was changed since the library's last scan."
    case .changeUnfinished: "A change of \(file) was interrupted, and is not finished."
    case .changeUnproven:
      "The catalog asks to change \(file), and nothing proves that this user decided it on this computer."
    case .editOutdated: "The edit of \(file) is not the one that the library knows."
    }
  }
}

/// The result of checking a library.
///
/// ```swift
/// let check = try await library.verify(fixing: true)
/// print("\(check.photos) photos, \(check.fixed.count) problems fixed, \(check.problems.count) left")
/// ```
public struct LibraryCheck: Sendable, Hashable {
  /// The number of checked photos.
  public internal(set) var photos = 0
  /// The problems that are left.
  public internal(set) var problems: [LibraryProblem] = []
  /// The problems that were fixed.
  public internal(set) var fixed: [LibraryProblem] = []
}
