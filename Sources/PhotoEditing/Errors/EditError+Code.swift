import SafelightRendering
import SafelightStorage

extension EditError {
  /// The kind of an error, as a word for programs that stays the same from version to version.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// There is no such photo, or its symbolic link leads nowhere.
    case originalMissing = "original-missing"
    /// It is a folder, a device or a pipe.
    case originalNotAFile = "original-not-a-file"
    /// The system does not let the photo be read.
    case originalUnreadable = "original-unreadable"
    /// The photo is not the one that was edited.
    case originalChanged = "original-changed"
    /// The photo has no bytes.
    case empty
    /// The content is of no kind of picture that Safelight knows.
    case notAPicture = "not-a-picture"
    /// It is a picture of a kind that Safelight does not edit.
    case unsupportedFormat = "unsupported-format"
    /// libvips lacks the decoder.
    case missingDecoder = "missing-decoder"
    /// The picture is truncated or damaged.
    case damaged
    /// The picture has more pixels than the limit allows.
    case tooManyPixels = "too-many-pixels"
    /// The picture could not be encoded.
    case cannotEncode = "cannot-encode"
    /// A render that another program made has an orientation tag other than 1.
    case notUpright = "not-upright"
    /// Another program works on the photo.
    case busy
    /// The disk does not know locks.
    case lockingUnavailable = "locking-unavailable"
    /// The sidecar is no record that can be read.
    case recordUnreadable = "record-unreadable"
    /// Another program replaced the sidecar at the same time.
    case recordChanged = "record-changed"
    /// The sidecar would have more bytes than are allowed.
    case recordTooLarge = "record-too-large"
    /// The sidecar is about another photo.
    case recordOfAnotherPhoto = "record-of-another-photo"
    /// The sidecar is another program's.
    case foreignSidecar = "foreign-sidecar"
    /// The edit in the sidecar, or the one to be stored, is not valid.
    case invalidAdjustments = "invalid-adjustments"
    /// The edit has an adjustment of a newer Safelight.
    case unknownAdjustment = "unknown-adjustment"
    /// The lookup table that the edit holds is damaged.
    case damagedLookupTable = "damaged-lookup-table"
    /// The render is not the one that Safelight wrote.
    case renderChanged = "render-changed"
    /// The render that the edit should start from is missing.
    case renderMissing = "render-missing"
    /// The base photo is not the one that Safelight kept.
    case baseChanged = "base-changed"
    /// Other files have every name that the new file may have.
    case nameTaken = "name-taken"
    /// A file's name would be longer than Linux allows.
    case nameTooLong = "name-too-long"
    /// The picture would be written over something that must stay.
    case destinationTaken = "destination-taken"
    /// There is no filter of this name.
    case unknownFilter = "unknown-filter"
    /// The filter's file cannot be read or is no filter.
    case unusableFilter = "unusable-filter"
    /// The file is no lookup table that can be used.
    case unusableLookupTable = "unusable-lookup-table"
    /// A filter cannot be called so.
    case invalidFilterName = "invalid-filter-name"
    /// There is a filter of this name.
    case filterNameTaken = "filter-name-taken"
    /// The photo has no edit that could be copied.
    case nothingToCopy = "nothing-to-copy"
    /// The photo has no edit that could be compared with the original.
    case nothingToCompare = "nothing-to-compare"
    /// The history has no step of this number.
    case noSuchStep = "no-such-step"
    /// The photo cannot be brought to the step of its history.
    case stepUnavailable = "step-unavailable"
    /// The photo has no version of this name.
    case noSuchVersion = "no-such-version"
    /// The photo cannot be given the version's edit.
    case versionUnusable = "version-unusable"
    /// The photo has a version of this name already.
    case versionExists = "version-exists"
    /// A version cannot be called so.
    case invalidVersionName = "invalid-version-name"
    /// A revert would drop the photo's named versions.
    case hasVersions = "has-versions"
    /// The crop does not lie inside the picture.
    case cropOutside = "crop-outside"
    /// There is no room on the disk, or in the user's quota.
    case diskFull = "disk-full"
    /// A step on a file failed.
    case fileSystem = "file-system"
    /// The output of an editor was refused at commit.
    case outputRefused = "output-refused"
    /// The photo was changed since the input was requested.
    case inputOutdated = "input-outdated"
    /// The work was cancelled.
    case cancelled
    /// Steps of a commit came in the wrong order.
    case `internal`
  }

  /// A stable word for programs, such as `original-missing`: the raw value of a ``Code``.
  public var code: String { kind.rawValue }

  /// The kind of the error, which ``code`` spells.
  public var kind: Code {
    switch self {
    case .storage(let error): error.kind
    case .fileSystem(_, let error): error.isDiskFull ? .diskFull : .fileSystem
    case .render(_, let error): error.kind
    case .adjustments: .invalidAdjustments
    case .outputRefused: .outputRefused
    case .cropOutside: .cropOutside
    case .inputOutdated: .inputOutdated
    case .renderMissing: .renderMissing
    case .unknownFilter: .unknownFilter
    case .unusableFilter: .unusableFilter
    case .unusableLookupTable: .unusableLookupTable
    case .filterName(_, .invalid): .invalidFilterName
    case .filterName: .filterNameTaken
    case .nothingToCopy: .nothingToCopy
    case .nothingToCompare: .nothingToCompare
    case .stepUnavailable(_, .missing): .noSuchStep
    case .stepUnavailable: .stepUnavailable
    case .versionUnusable: .versionUnusable
    case .destinationTaken: .destinationTaken
    case .cancelled: .cancelled
    }
  }
}

extension StorageError {
  /// The kind of the error.
  fileprivate var kind: EditError.Code {
    switch self {
    case .originalMissing: .originalMissing
    case .originalNotAFile: .originalNotAFile
    case .originalUnreadable: .originalUnreadable
    case .busy: .busy
    case .lockingUnavailable: .lockingUnavailable
    case .recordUnreadable: .recordUnreadable
    case .recordChanged: .recordChanged
    case .foreignSidecar: .foreignSidecar
    case .recordTooLarge: .recordTooLarge
    case .originalChanged: .originalChanged
    case .recordBelongsToAnotherPhoto: .recordOfAnotherPhoto
    case .renderChanged: .renderChanged
    case .baseChanged: .baseChanged
    case .renderMissing: .renderMissing
    case .hasVersions: .hasVersions
    case .invalidVersionName: .invalidVersionName
    case .versionExists: .versionExists
    case .versionMissing: .noSuchVersion
    case .nameTaken: .nameTaken
    case .nameTooLong: .nameTooLong
    case .invalidAdjustmentDataSize, .unwritableText: .outputRefused
    case .historyMismatch, .notStaged, .transactionOver: .internal
    case .fileSystem(let error): error.isDiskFull ? .diskFull : .fileSystem
    }
  }
}

extension RenderError {
  /// The kind of the error.
  fileprivate var kind: EditError.Code {
    switch self {
    case .empty: .empty
    case .notAPicture: .notAPicture
    case .unsupportedFormat: .unsupportedFormat
    case .missingDecoder: .missingDecoder
    case .damaged: .damaged
    case .tooManyPixels: .tooManyPixels
    case .unknownAdjustment: .unknownAdjustment
    case .damagedLookupTable: .damagedLookupTable
    case .notUpright: .notUpright
    case .cannotEncode: .cannotEncode
    }
  }
}
