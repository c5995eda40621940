import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightFormats
import SafelightRendering

// The operations that change a photo's adjustments and filters. Each is a row of the table and what it does to the stack.

extension EditActions {
  /// Gives photos a filter.
  package struct Apply: StackAction {
    package static let id = "apply"
    package static let summary = "Give photos a filter."
    package static let isFlat = true
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.filter, "filter", option: .word, required: true,
        summary: """
          A filter's name, as the list of filters has them, or a file: a filter's JSON, a .cube lookup table, or a \
          HaldCLUT picture.
          """),
      Parameter(\.intensity, "intensity", unit: .share, summary: "How strong the filter is."),
      Parameter(\.add, "add", summary: "Put the filter on top of the present ones."),
    ]

    package var filter = FilterName.named("")
    package var intensity = 1.0
    package var add = false

    package init() {}

    package var did: String { filter.name }

    package func resolved(by names: EditNames) async throws(EditError) -> Self {
      var action = self
      if case .named(let name) = filter { action.filter = .filter(try names.filter(name)) }
      return action
    }

    package func change(_ edit: inout StackEditing) throws {
      guard case .filter(let filter) = filter else { throw EditError.unknownFilter(filter.name) }
      let applied = filter.applied(intensity: intensity)
      if add { try edit.stack.addFilter(applied) } else { try edit.stack.setFilter(applied) }
    }
  }

  /// Sets parameters of photos' adjustments.
  package struct Adjust: StackAction {
    package static let id = "adjust"
    package static let summary = "Set the light, colors and other adjustments of photos."
    package static let isFlat = true
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.reset, "reset", summary: "Drop all adjustments first; filters stay."),
      Parameter(
        \.values, "values", option: .none,
        summary: """
          Values by option name, as the table of adjustments has them. Each is absolute; adjustments that are not \
          named stay as they are, and one at its neutral value goes.
          """),
    ]
    package static let rules = [ParameterRule.some(["values", "reset"])]

    package var reset = false
    package var values = AdjustmentValues()

    package init() {}

    package var did: String { "adjusted" }

    package func change(_ edit: inout StackEditing) throws {
      if reset { edit.stack.removeAdjustments() }
      try edit.stack.set(values.settings)
    }
  }

  /// Adjusts photos by what is in them.
  package struct Auto: StackAction {
    package static let id = "auto"
    package static let summary = "Adjust photos by what is in them."
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.tone, "tone", summary: "Set exposure, shadows, and the black and white points."),
      Parameter(\.whiteBalance, "whiteBalance", summary: "Set temperature and tint."),
      Parameter(
        \.gray, "gray",
        summary: """
          Set temperature and tint so that this place becomes gray: left and top in shares of the picture as it is \
          turned and cropped, or left, top, width and height.
          """),
      Parameter(
        \.straighten, "straighten",
        summary: "Make the photo level, where it has edges that show what is level."),
      Parameter(
        \.denoise, "denoise",
        summary: "Reduce noise of brightness and color as far as the photo has it."),
      Parameter(
        \.strength, "strength", unit: .share, summary: "How far every value goes from neutral."),
    ]
    package static let rules = [ParameterRule.atMostOne(["whiteBalance", "gray"])]

    package var tone: Bool?
    package var whiteBalance: Bool?
    package var gray: PicturePlace?
    package var straighten: Bool?
    package var denoise: Bool?
    package var strength = 1.0

    package init() {}

    package var did: String { "adjusted" }

    /// What is set: what was asked for, and else tone and white balance without what was refused.
    var kinds: Set<AutomaticAdjustment> {
      let said: [(AutomaticAdjustment, Bool?)] = [
        (.tone, tone), (.whiteBalance, gray == nil ? whiteBalance : true),
        (.straighten, straighten), (.denoise, denoise),
      ]
      let wanted = Set(said.filter { $0.1 == true }.map(\.0))
      let refused = Set(said.filter { $0.1 == false }.map(\.0))
      return wanted.isEmpty ? Set([.tone, .whiteBalance]).subtracting(refused) : wanted
    }

    package func check() throws(OperationError) {
      if kinds.isEmpty { throw .nothingToDo(Self.id) }
      if let problem = gray?.problem(in: 0...1) {
        throw .parameter("gray", of: Self.id, range: nil, problem: problem)
      }
    }

    package func change(_ edit: inout StackEditing) throws {
      try edit.setAutomatically(kinds, gray: gray?.place, strength: strength)
    }
  }

  /// Keeps a rectangle of photos.
  package struct Crop: StackAction {
    package static let id = "crop"
    package static let summary = "Crop photos."
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.rect, "rect", summary: "A rectangle: left, top, width and height, in shares or pixels."),
      Parameter(
        \.aspect, "aspect", summary: "The largest rectangle of an aspect, such as 3:2."),
      Parameter(\.size, "size", summary: "A rectangle of so many pixels."),
      Parameter(
        \.gravity, "gravity",
        summary: "Where the rectangle of an aspect or a size lies; center without it."),
      Parameter(
        \.lossless, "lossless",
        summary:
          "Move the rectangle to the nearest borders of a JPEG's blocks, so that nothing is encoded again."
      ),
      Parameter(\.none, "none", summary: "Take the crop away."),
    ]
    package static let rules: [ParameterRule] = [
      .one(["rect", "aspect", "size", "none"]), .goesWith("gravity", ["aspect", "size"]),
      .goesWith("lossless", ["rect", "aspect", "size"]),
    ]

    package var rect: CropRectangle?
    package var aspect: CropAspect?
    package var size: CropSize?
    package var gravity: CropGravity?
    package var lossless = false
    package var none = false

    package init() {}

    package var did: String { none ? "whole again" : "cropped" }

    package var isLossless: Bool { lossless }

    /// What to keep; `nil` for everything.
    var area: CropArea? {
      let gravity = gravity ?? .center
      if let rect { return rect.area }
      if let aspect { return .aspect(width: aspect.width, height: aspect.height, gravity) }
      return size.map { .size(width: $0.width, height: $0.height, gravity) }
    }

    package func change(_ edit: inout StackEditing) throws {
      try edit.crop(to: area, isLossless: lossless)
    }
  }

  /// Turns photos a little.
  package struct Straighten: StackAction {
    package static let id = "straighten"
    package static let summary = "Turn photos a little, without empty corners."
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.degrees, "degrees", range: -45...45, unit: .degrees, option: .word, required: true,
        summary: "Degrees clockwise.")
    ]

    package var degrees = 0.0

    package init() {}

    package var did: String { "straightened by \(degrees.argument)°" }

    package func change(_ edit: inout StackEditing) throws {
      try edit.stack.adjust(Adjustments.Straighten.self) { $0.amount = degrees }
    }
  }

  /// Turns photos by quarters.
  package struct Rotate: StackAction {
    package static let id = "rotate"
    package static let summary = "Turn photos by quarters."
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.degrees, "degrees", range: 0...270, unit: .degrees, option: .word, required: true,
        summary: "How far clockwise from how the photo was taken.")
    ]

    package var degrees = QuarterTurns.none

    package init() {}

    package var did: String { degrees == .none ? "turned back" : "turned by \(degrees.argument)°" }

    package func change(_ edit: inout StackEditing) throws {
      try edit.stack.turn { rotate, _ in rotate.amount = degrees }
    }
  }

  /// Mirrors photos.
  package struct Flip: StackAction {
    package static let id = "flip"
    package static let summary = "Mirror photos."
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.direction, "direction", option: .word, required: true,
        summary: "Which sides are exchanged.")
    ]

    package var direction = FlipDirection.none

    package init() {}

    package var did: String { direction == .none ? "mirrored back" : "mirrored" }

    package func change(_ edit: inout StackEditing) throws {
      try edit.stack.turn { _, flip in
        flip.horizontal = direction == .horizontal || direction == .both
        flip.vertical = direction == .vertical || direction == .both
      }
    }
  }

  /// Makes converging lines parallel.
  package struct Perspective: StackAction {
    package static let id = "perspective"
    package static let summary = "Make lines parallel that converge because the camera was tilted."
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.vertical, "vertical", range: -100...100, unit: .percent,
        summary: "How much wider the bottom gets; below 0 the top."),
      Parameter(
        \.horizontal, "horizontal", range: -100...100, unit: .percent,
        summary: "How much taller the right side gets; below 0 the left side."),
    ]
    package static let rules = [ParameterRule.some(["vertical", "horizontal"])]

    package var vertical: Double?
    package var horizontal: Double?

    package init() {}

    package var did: String { "lines made parallel" }

    package func change(_ edit: inout StackEditing) throws {
      try edit.stack.adjust(Adjustments.Perspective.self) { perspective in
        perspective.vertical = vertical ?? perspective.vertical
        perspective.horizontal = horizontal ?? perspective.horizontal
      }
    }
  }

  /// Puts a whole edit in place of the present one.
  package struct Replace: StackAction {
    package static let id = "replace"
    package static let summary = "Give photos a whole edit in place of their own."
    package static let isFlat = true
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.adjustments, "adjustments", required: true,
        summary: "The adjustments, as “edit show --json” has them."),
      Parameter(
        \.dropping, "dropping",
        summary: """
          The ids of adjustments of a newer version that may go with the present edit; without them such an edit is \
          not replaced.
          """),
    ]

    package var adjustments = GivenEdit()
    package var dropping = WordList()

    package init() {}

    package var did: String { "replaced" }

    package func change(_ edit: inout StackEditing) throws {
      try edit.stack.become(adjustments.stack, dropping: Set(dropping.words))
    }
  }

  /// Copies an edit to photos.
  package struct Copy: StackAction {
    package static let id = "copy"
    package static let summary = "Give photos the edit of another one."
    package static let parameters: [Parameter<Self>] = [
      Parameter(\.from, "from", summary: "The photo whose edit is copied."),
      Parameter(\.adjustments, "adjustments", summary: "An edit to copy, instead of a photo's."),
      Parameter(
        \.only, "only",
        summary:
          "Copy only these adjustments; “edit adjustments” lists them. “filter” is all filters."),
      Parameter(
        \.geometry, "geometry", summary: "Copy crop, straightening and other geometry too."),
    ]
    package static let rules: [ParameterRule] = [
      .one(["from", "adjustments"]), .atMostOne(["only", "geometry"]),
    ]

    package var from: FileName?
    package var adjustments: GivenEdit?
    package var only: AdjustmentNames?
    package var geometry = false

    package init() {}

    package var did: String { from.map { "edited as \($0.argument)" } ?? "edited" }

    var part: EditCopying {
      only.map { .only(Set($0.paths)) } ?? (geometry ? .all : .allButGeometry)
    }

    package func resolved(by names: EditNames) async throws(EditError) -> Self {
      guard adjustments == nil, let from else { return self }
      return try await copying(from: names.file(from.argument))
    }

    /// The same with the edit of a photo.
    ///
    /// - Throws: ``EditError/nothingToCopy(path:reason:)`` when the photo has nothing that is copied.
    package func copying(from path: FilePath) async throws(EditError) -> Self {
      let edit = try await PhotoEditor().edit(of: Photo(path: path))
      if part == .allButGeometry, edit.entries.allSatisfy(\.isGeometry) {
        throw .nothingToCopy(path: path, reason: .onlyGeometry)
      }
      do throws(AdjustmentError) {
        var copied = EditStack()
        try copied.copy(part, from: edit)
      } catch {
        // What this photo's edit has is no matter of the others.
        throw EditError(error, path: path)
      }
      var action = self
      action.from = FileName(path: path)
      action.adjustments = GivenEdit(edit)
      return action
    }

    package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
      // The photo that the others get their edit from keeps it.
      if let from, from.path.leadsToSameFile(as: edit.path) {
        return EditPlan(
          change: .none(.sameEdit),
          report: EditResult(
            status: .skipped,
            warnings: ["It is the photo that the others get their edit from."]))
      }
      return try edit.plan(for: [self], call)
    }

    package func change(_ edit: inout StackEditing) throws {
      guard let adjustments else { return }
      try edit.stack.copy(part, from: adjustments.stack)
    }
  }
}

extension EditStack {
  /// Becomes another edit. Equal edits become equal data, in whatever order their adjustments were given: what was there
  /// keeps its place, as where it is changed.
  ///
  /// - Parameter dropped: The ids of adjustments of a newer version that may go.
  /// - Throws: ``AdjustmentError/newerVersion(id:version:)`` for an adjustment of a newer version that may not.
  mutating func become(
    _ stack: EditStack, dropping dropped: Set<String> = []
  ) throws(AdjustmentError) {
    var result = self
    result.removeNewer(dropped)
    try result.copy(.all, from: stack.ordered((result.entries + stack.entries).map(\.id)))
    self = result
  }
}
