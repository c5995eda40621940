import PhotoEditing
import SafelightArguments

/// A command that sets how photos are turned, straightened or mirrored.
protocol TurningCommand: EditingCommand where Preparation == Void {
  /// What was done to a photo, for people.
  var did: String { get }
  /// Sets it in a photo's edit.
  func change(_ edit: inout EditStack) throws(AdjustmentError)
}

extension TurningCommand {
  func work(on task: PhotoTask<Void>) async throws(EditError) -> PhotoResult {
    try await adjust(task, did: did) { edit throws(AdjustmentError) in
      try change(&edit)
    }
  }
}

/// `edit straighten`: turns photos a little.
struct StraightenCommand: TurningCommand {
  static let configuration = CommandConfiguration(
    commandName: "straighten",
    abstract: "Turn photos a little, without empty corners.",
    discussion: """
      Sets by how many degrees each photo is turned clockwise, or counterclockwise below 0: the \
      same again changes nothing, and 0 takes it back. The largest rectangle of the photo's own \
      aspect is kept. “edit auto --straighten” finds the angle itself.

      Example:
        edit straighten 1.5 beach.jpg
        edit straighten -2 beach.jpg
      """)

  static let range = -45.0...45

  @Argument(help: "Degrees clockwise, from -45 to 45.")
  var degrees: Double

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  func validate() throws {
    try Limits.check(degrees, in: Self.range, "The angle")
  }

  var did: String { "straightened by \(JSONValue.number(degrees).text)°" }

  func change(_ edit: inout EditStack) throws(AdjustmentError) {
    try edit.adjust(Adjustments.Straighten.self) { $0.amount = degrees }
  }
}

/// `edit rotate`: turns photos by quarters.
struct RotateCommand: TurningCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Turn photos by quarters.",
    discussion: """
      Sets how far each photo is turned clockwise from how it was taken: the same again changes \
      nothing, and 0 turns it back. -90 and left are 270, right is 90. A crop turns with the \
      picture, and so do its straightening and perspective.

      Example:
        edit rotate 90 beach.jpg
        edit rotate left portraits/*.jpg
        edit rotate 0 beach.jpg
      """)

  @Argument(help: "How far clockwise.")
  var degrees: QuarterTurns

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  var did: String { degrees == .none ? "turned back" : "turned by \(degrees.argument)°" }

  func change(_ edit: inout EditStack) throws(AdjustmentError) {
    try edit.turn { rotate, _ in rotate.amount = degrees }
  }
}

extension QuarterTurns: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument: argument, unit: .degrees) }
  package var defaultValueDescription: String { argument }
  package static var allValueStrings: [String] { choices + ["left", "right"] }
}

/// `edit flip`: mirrors photos.
struct FlipCommand: TurningCommand {
  static let configuration = CommandConfiguration(
    commandName: "flip",
    abstract: "Mirror photos.",
    discussion: """
      Sets how each photo is mirrored: the same again changes nothing, and none takes it back. \
      Horizontal exchanges left and right, vertical top and bottom, of the picture as it stands \
      after “edit rotate”.

      Example:
        edit flip horizontal beach.jpg
        edit flip none *.jpg
      """)

  /// Which sides are exchanged.
  enum Direction: String, CaseIterable, ExpressibleByArgument {
    case horizontal, vertical, both, none
  }

  @Argument(help: "Which sides are exchanged.")
  var direction: Direction

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  var did: String { direction == .none ? "mirrored back" : "mirrored" }

  func change(_ edit: inout EditStack) throws(AdjustmentError) {
    try edit.turn { _, flip in
      flip.horizontal = direction == .horizontal || direction == .both
      flip.vertical = direction == .vertical || direction == .both
    }
  }
}
