import FoundationEssentials

/// What is known of a photo: its original, its edit, and whether all is as the record says.
public struct PhotoState: Sendable {
  /// What the original's header says.
  public let original: PhotoFacts
  /// The original's length in bytes.
  public let originalSize: Int64
  /// The edit; `nil` when the photo has none.
  public let edit: Edit?
  /// The edits that were kept under a name, in the order in which they were saved.
  public let versions: [PhotoVersion]
  /// The files of the asset that exist, the original first.
  public let resources: [AssetResource]
  /// What is not as the record says, for people.
  public let warnings: [String]

  /// Whether there is an edit that Safelight keeps and a revert drops; another program's own sidecar
  /// is not its to remove.
  public let canRevert: Bool

  /// The current edit of a photo.
  public struct Edit: Sendable {
    /// The edit as it is stored.
    public let adjustmentData: AdjustmentData
    /// The edit read, when it is Safelight's own and can be read.
    public let stack: EditStack?
    /// The program that made it, by bundle identifier; `nil` when not recorded.
    public let editor: String?
    /// When it was made; `nil` when not recorded.
    public let date: Date?
    /// Which renderer made the render, with its settings; `nil` in another program's record.
    public let renderer: String?
    /// Width and height of the render in pixels; `nil` in another program's record.
    public let renderSize: PixelSize?
    /// How many earlier edits the record keeps.
    public let historyCount: Int
    /// How many edits were undone and can be redone.
    public let redoCount: Int
  }
}

/// Width and height in pixels.
public struct PixelSize: Sendable, Hashable {
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int

  /// A size in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
