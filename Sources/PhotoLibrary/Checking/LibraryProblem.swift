import PhotoEditing

/// Something in which a library does not agree with itself or with the disk.
public struct LibraryProblem: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Kind: Sendable, Hashable {
    /// The catalog's file is damaged, as SQLite says.
    case catalogDamaged(detail: String)
    /// The numbers of photos that the catalog keeps are not those of its photos.
    case countsWrong
    /// The export cannot be read.
    case exportUnreadable(detail: String)
    /// The export does not say what the catalog does.
    case exportOutdated
    /// A folder that was added is not there or cannot be read.
    case folderMissing
    /// A photo's file is not where the catalog says.
    case photoMissing
    /// A photo's file was changed or replaced since it was looked at.
    case photoChanged
    /// A photo's edit was made, changed or dropped since it was looked at.
    case editOutdated
  }

  /// What is wrong.
  public let kind: Kind
  /// The file or folder that it is about.
  public let file: FilePath

  /// A problem of a file.
  public init(_ kind: Kind, _ file: FilePath) {
    self.kind = kind
    self.file = file
  }

  /// A stable word for programs.
  public var code: String {
    switch kind {
    case .catalogDamaged: "catalog-damaged"
    case .countsWrong: "counts-wrong"
    case .exportUnreadable: "export-unreadable"
    case .exportOutdated: "export-outdated"
    case .folderMissing: "folder-missing"
    case .photoMissing: "photo-missing"
    case .photoChanged: "photo-changed"
    case .editOutdated: "edit-outdated"
    }
  }

  /// What is wrong, in one sentence.
  public var description: String {
    switch kind {
    case .catalogDamaged(let detail): "\(file) is damaged: \(detail)."
    case .countsWrong: "The numbers of photos in \(file) are not those of its photos."
    case .exportUnreadable(let detail): "\(file) cannot be read: \(detail)."
    case .exportOutdated: "\(file) and its journal do not say what the catalog does."
    case .folderMissing: "\(file) is not there or cannot be read; its photos were not looked at."
    case .photoMissing: "\(file) is not there."
    case .photoChanged: "\(file) was changed since the library looked at it."
    case .editOutdated: "The edit of \(file) is not the one that the library knows."
    }
  }

  /// What can be done, in one sentence.
  public var hint: String {
    switch kind {
    case .catalogDamaged, .countsWrong: "“edit library rebuild” makes the catalog anew."
    case .exportUnreadable, .exportOutdated: "“edit library verify --fix” writes it anew."
    case .folderMissing: "Check that its disk is mounted."
    case .photoMissing:
      "“edit library scan” finds it where it was moved to, or takes it out of the library."
    case .photoChanged, .editOutdated: "“edit library scan” looks again."
    }
  }
}

/// What a check of a library came to.
public struct LibraryCheck: Sendable, Hashable {
  /// How many photos were looked at.
  public internal(set) var photos = 0
  /// What is wrong.
  public internal(set) var problems: [LibraryProblem] = []
  /// What was wrong and was put right.
  public internal(set) var fixed: [LibraryProblem] = []
}
