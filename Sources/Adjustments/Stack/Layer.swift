/// A layer of an edit: adjustments of its own, whose result is mixed with the picture below.
///
/// An edit is a tree of depth two: the photo's own adjustments, and layers with theirs. All layers act at one place of the
/// pipeline, in the order in which the edit has them. A filter is a layer too, whose opacity is its intensity; see
/// ``AppliedFilter``.
///
/// The result is `input + opacity × mask × (layer − input)` in sRGB-encoded values, where the mask is a number for each
/// pixel, and 1 without a mask. Source: “over” for an opaque picture (Porter and Duff, Compositing Digital Images, 1984),
/// with the opacity as a factor of the mask. Core Image's `CIBlendWithMask`, darktable's normal blending and vkdt's `blend`
/// mix so too.
///
/// As JSON: `{"id":"layer","version":1,"name":"sky","opacity":0.5,"mask":{…},"adjustments":[…]}`, among the adjustments of
/// the edit. A version without layers knows no adjustment of this id, so it keeps the layer byte for byte and does not
/// render the edit. The same holds for a mask of a kind or version that this version does not know.
package struct Layer: Adjustment {
  package static let id = "layer"
  package static let version = 1
  package static let group = AdjustmentGroup.look
  package static let summary = "Adjusts a part of the picture."
  package static let parameters: [Parameter<Self>] = [
    Parameter(\.name, "name", option: .none, required: true, summary: "The layer's name."),
    Parameter(
      \.opacity, "opacity", unit: .share, option: .none,
      summary: "How strong the layer is; 0 changes nothing."),
    Parameter(\.mask, "mask", option: .none, summary: "Where the layer acts."),
    Parameter(
      \.steps, "adjustments", option: .none, required: true, summary: "The layer's adjustments."),
  ]

  /// The name, by which paths address the layer.
  package var name = "none"
  /// Strength: 0 leaves the picture as it is.
  package var opacity = 1.0
  /// Where the layer acts; `nil` is everywhere.
  package var mask: Mask?
  /// The adjustments, in the order in which they act.
  package var steps = FilterSteps()

  /// Without adjustments a layer changes nothing.
  package init() {}

  /// A layer of adjustments.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for a value out of range.
  package init(
    name: String, opacity: Double = 1, mask: Mask? = nil, _ adjustments: [any Adjustment]
  ) throws(AdjustmentError) {
    (self.name, self.opacity, self.mask) = (name, opacity, mask)
    steps = try FilterSteps(of: adjustments)
  }

  /// Whether the layer has no strength, or no adjustment that changes anything.
  package var isNeutral: Bool {
    opacity == 0 || steps.entries.allSatisfy { $0.adjustment?.isNeutral ?? false }
  }
}

/// Where a layer acts: a number from 0 to 1 for each place of the photo.
///
/// A mask is stored as an adjustment is, with the kind as its id, so versions, limits and fields that are not known are
/// treated alike: `{"id":"linear-gradient","version":1,"startX":0.5,…}`. Places are shares of the sides of the photo as
/// it is turned, before all other geometry; they follow its turns.
package struct Mask: ParameterValue {
  /// The kinds of this version.
  package static let kinds: [any TurnsWithPhoto.Type] = [LinearGradient.self, RadialGradient.self]

  /// The mask as it is stored.
  package let entry: StackEntry

  /// A mask of a shape, which is one of ``kinds``.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for a value out of range.
  package init(_ shape: some TurnsWithPhoto) throws(AdjustmentError) {
    entry = try StackEntry(shape)
  }

  private init(_ entry: StackEntry) { self.entry = entry }

  package static var kind: String { "a mask" }
  package static var typeName: String { "mask" }
  package static var hasRange: Bool { false }

  package init?(json: JSONValue) {
    let entry = try? StackEntry(json: json) { id in Self.kinds.first { $0.id == id } }
    guard let entry else { return nil }
    self.init(entry)
  }

  package var json: JSONValue { entry.json }
  package func problem(in range: ClosedRange<Double>) -> ParameterProblem? { nil }

  /// The mask at the same part of a photo that is turned or mirrored.
  ///
  /// - Throws: ``AdjustmentError/newerVersion(id:version:)`` for a mask that this version does not know.
  func following(_ move: PictureMove) throws(AdjustmentError) -> Mask {
    func followed(_ shape: some TurnsWithPhoto) throws(AdjustmentError) -> Mask {
      var shape = shape
      shape.follow(move)
      return Mask(try entry.changed(to: shape))
    }
    guard let shape = entry.adjustment as? any TurnsWithPhoto else {
      throw .newerVersion(id: entry.id, version: entry.version)
    }
    return try followed(shape)
  }
}

extension StackEntry {
  /// The layer that the entry holds, or the filter as a layer; `nil` for other adjustments.
  package var layer: Layer? {
    if let layer = adjustment as? Layer { return layer }
    return (adjustment as? AppliedFilter)?.layer
  }

  /// The entry with its layer changed. Of a filter only the steps can change.
  func changed(layer: Layer) throws(AdjustmentError) -> StackEntry {
    guard layer != self.layer else { return self }
    guard var filter = adjustment as? AppliedFilter else { return try changed(to: layer) }
    filter.steps = layer.steps
    return try changed(to: filter)
  }

  /// The entry with all masks in it at the same part of a photo that is turned or mirrored.
  func following(_ move: PictureMove) throws(AdjustmentError) -> StackEntry {
    guard var layer else { return self }
    layer.mask = try layer.mask?.following(move)
    layer.steps = try FilterSteps(layer.steps.entries.following(move))
    return try changed(layer: layer)
  }
}

extension [StackEntry] {
  /// Each entry with the entries inside it, when it is a layer: its mask, and its adjustments with those inside them.
  package var withSteps: [StackEntry] {
    flatMap { entry -> [StackEntry] in
      guard let layer = entry.layer else { return [entry] }
      return [entry] + (layer.mask.map { [$0.entry] } ?? []) + layer.steps.entries.withSteps
    }
  }

  /// The entries with all masks in them at the same part of a photo that is turned or mirrored.
  func following(_ move: PictureMove) throws(AdjustmentError) -> [StackEntry] {
    var entries = self
    for index in indices { entries[index] = try self[index].following(move) }
    return entries
  }
}

extension EditStack {
  /// The layers in the order in which they act. Filters are among them.
  package var layers: [Layer] { entries.compactMap(\.layer) }

  /// Puts a layer above the others, or in the place of the layer with its name. Filters stay.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for a value out of range.
  package mutating func setLayer(_ layer: Layer) throws(AdjustmentError) {
    let new = try StackEntry(layer)
    var all = entries
    if let index = all.firstIndex(where: { $0.id == Layer.id && $0.layer?.name == layer.name }) {
      all[index] = try all[index].changed(layer: layer)
    } else {
      all.append(new)
    }
    replaceEntries(all)
  }
}

/// Where an adjustment stands in an edit: `exposure` is the photo's own, `sky/exposure` that of the layer “sky”.
///
/// ```swift
/// try edit.remove("exposure")
/// try edit.remove(AdjustmentPath("sky/exposure"))
/// ```
public struct AdjustmentPath: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The name of the layer; `nil` for the photo itself.
  public let layer: String?
  /// The adjustment's id, or the option of one of its parameters. `filter` stands for all filters.
  public let id: String

  /// The place of an adjustment, in a layer or without one.
  public init(_ id: String, in layer: String?) { (self.id, self.layer) = (id, layer) }

  /// Reads a path. What comes before the last slash is the layer's name.
  public init(_ text: String) {
    let slash = text.lastIndex(of: "/")
    self.init(
      String(slash.map { text[text.index(after: $0)...] } ?? text[...]),
      in: slash.map { String(text[..<$0]) })
  }

  /// Reads a path.
  public init(stringLiteral text: String) { self.init(text) }
}

extension AdjustmentPath: CustomStringConvertible {
  /// The path as `init(_:)` reads it.
  public var description: String { layer.map { "\($0)/\(id)" } ?? id }
}
