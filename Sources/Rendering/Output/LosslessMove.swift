import SafelightAdjustments
import SafelightCTurboJPEG
import SafelightMetadata
import SafelightVips

/// Why a picture cannot have the coefficients of a JPEG that it is made from.
public enum LossReason: String, Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The photo is no JPEG.
  case format
  /// Its colors have to be converted, or it is coded in a way that is rarely met.
  case coding
  /// Its edit does more than turns, mirrors and a crop.
  case edit
  /// The picture has other pixels than the photo: another size, profile or depth, sharpening, a watermark.
  case output
  /// The picture begins or ends inside of a block.
  case borders
  /// The file would have more bytes than it may have.
  case bytes
  /// The coefficients would take too much memory.
  case memory
  /// The photo is truncated or damaged.
  case damage

  /// The reason, as the end of a sentence about the photo.
  public var description: String {
    switch self {
    case .format: "the photo is no JPEG"
    case .coding: "its colors or its coding are unusual for a JPEG"
    case .edit: "its edit does more than turn, mirror and crop it"
    case .output: "another size, profile or depth, sharpening or a watermark was asked for"
    case .borders: "the picture would begin or end inside of a block of the JPEG"
    case .bytes: "the file would have more bytes than it may have"
    case .memory: "it has too many pixels"
    case .damage: "it is truncated or damaged"
    }
  }
}

/// The places along a side of a turned JPEG where a picture may begin and end: the borders of its coded units.
///
/// A picture begins with a whole unit. So the side of the photo that comes first has to be a border, which is also what
/// `jpegtran -perfect` demands of photos that are turned whole. A crop ends at a border, too, or where the photo ends: the
/// rest of a unit would stay in the file, and show what was cut off to those who look for it.
struct BlockBorders: Sendable, Hashable {
  /// The first border, in pixels.
  let first: Int
  /// From one border to the next.
  let step: Int
  /// The length of the side.
  let side: Int

  /// - Parameters:
  ///   - side: Pixels of the stored side.
  ///   - unit: Pixels of a coded unit.
  ///   - isReversed: Whether the side is seen from its end.
  init(of side: Int, unit: Int, isReversed: Bool) {
    (self.side, step, first) = (side, unit, isReversed ? side % unit : 0)
  }

  func contains(_ place: Int) -> Bool { place >= first && (place - first) % step == 0 }

  /// Whether a picture may be this range of the side.
  func allow(_ range: Range<Int>) -> Bool {
    contains(range.lowerBound) && (range.upperBound == side || contains(range.upperBound))
  }

  /// The range between the borders that are nearest to the ends of another one; `nil` when the side has no border.
  func nearest(to range: Range<Int>) -> Range<Int>? {
    guard first < side else { return nil }
    func border(_ place: Int) -> Int {
      first + max(Int((Double(place - first) / Double(step)).rounded()), 0) * step
    }
    let last = first + (side - 1 - first) / step * step
    let start = min(border(range.lowerBound), last)
    var end = min(border(range.upperBound), side)
    if side - range.upperBound < abs(end - range.upperBound) { end = side }
    return start..<max(end, min(start + step, side))
  }
}

/// How the coefficients of a JPEG are moved so that it shows the photo turned, mirrored and cropped. Nothing is decoded to
/// pixels, and nothing is lost.
///
/// This is the one place that decides which way a photo is rendered, as far as its header tells. Another JPEG that shows the same places, such as a gain
/// map, can be moved in the same way where its own borders allow it.
struct LosslessMove: Sendable {
  let turn: Orientation
  /// The size of what comes of it.
  let size: PixelSize
  /// Where the picture begins, from the first borders of the turned photo; `nil` when it is the whole photo.
  private let start: (left: Int, top: Int)?
  private let isProgressive: Bool
  /// Pixels of a coded unit of the stored photo.
  private let unit: PixelSize

  /// The most bytes of coefficients, those that are read and those that are written: 180 megapixels of 4:2:0.
  private static let mostMemory = 1 << 30

  /// Decides whether a photo with an edit can be rendered without loss.
  ///
  /// - Parameters:
  ///   - plan: What is done to the photo at the size that is asked for.
  ///   - scale: How much smaller the photo becomes.
  /// - Throws: Why it cannot.
  init(
    _ opened: OpenedPhoto, _ plan: RenderPlan, scale: Double, as output: RenderOutput
  ) throws(LossReason) {
    guard scale == 1, output.keepsPixels else { throw .output }
    let grid = try UnitGrid(opened, plan)
    guard let part = plan.part(of: opened.uprightSize) else { throw .edit }
    guard grid.across.allow(part.columns), grid.down.allow(part.rows) else { throw .borders }
    (turn, unit, isProgressive) = (grid.turn, grid.unit, grid.frame.isProgressive)
    size = part.size
    start =
      part.size == grid.whole
      ? nil
      : (part.columns.lowerBound - grid.across.first, part.rows.lowerBound - grid.down.first)
    // A turn and a crop may take two steps, the first of which writes the whole photo.
    let moved =
      start != nil && turn.swapsSides
      ? 1 : Double(size.width * size.height) / Double(opened.size.width * opened.size.height)
    guard grid.coefficientBytes(of: opened.size) * (1 + moved) <= Double(Self.mostMemory) else {
      throw .memory
    }
  }

  /// The JPEG with its coefficients moved, without metadata; `nil` when it has errors or is coded in a way that
  /// libjpeg-turbo does not move.
  func moved(_ jpeg: [UInt8]) -> MovedJPEG? {
    let area = start.map {
      tjregion(
        x: Int32($0.left), y: Int32($0.top), w: Int32(size.width), h: Int32(size.height))
    }
    return jpeg.withUnsafeBufferPointer { bytes in
      let (operation, options) = (Self.operation(of: turn), isProgressive ? TJXOPT_PROGRESSIVE : 0)
      guard let area else {
        return MovedJPEG(bytes, operation, options: options | TJXOPT_PERFECT)
      }
      guard turn.swapsSides, needsTwoSteps(area) else {
        return MovedJPEG(bytes, operation, area, options: options)
      }
      // What is not whole stays at the end, where the crop leaves it out.
      return MovedJPEG(bytes, operation, options: 0)
        .flatMap { MovedJPEG($0.bytes, TJXOP_NONE, area, options: options) }
    }
  }

  /// Whether libjpeg-turbo would refuse to crop while it turns: until its version 3 it compares the place with the units
  /// before the turn.
  private func needsTwoSteps(_ area: tjregion) -> Bool {
    Int(area.x) % unit.width != 0 || Int(area.y) % unit.height != 0
  }

  /// A whole JPEG turned by its coefficients, without metadata; `nil` where its sides are no whole blocks, and for one with
  /// errors.
  static func turned(_ jpeg: [UInt8], _ turn: Orientation) -> [UInt8]? {
    jpeg.withUnsafeBufferPointer { bytes in
      MovedJPEG(bytes, operation(of: turn), options: TJXOPT_PERFECT).map { Array($0.bytes) }
    }
  }

  private static func operation(of turn: Orientation) -> TJXOP {
    switch turn.exif {
    case 2: TJXOP_HFLIP
    case 3: TJXOP_ROT180
    case 4: TJXOP_VFLIP
    case 5: TJXOP_TRANSPOSE
    case 6: TJXOP_ROT90
    case 7: TJXOP_TRANSVERSE
    case 8: TJXOP_ROT270
    default: TJXOP_NONE
    }
  }
}

/// A JPEG that libjpeg-turbo made, in memory of its own.
final class MovedJPEG {
  /// The file, of which only JFIF's segment stands before the tables.
  let bytes: UnsafeBufferPointer<UInt8>
  private let memory: UnsafeMutablePointer<UInt8>

  /// Moves the coefficients of a JPEG.
  ///
  /// - Parameters:
  ///   - area: What to keep of the turned picture; `nil` keeps all.
  ///   - options: Those of libjpeg-turbo, beside what follows from the area.
  fileprivate init?(
    _ jpeg: UnsafeBufferPointer<UInt8>, _ operation: TJXOP, _ area: tjregion? = nil,
    options: Int32
  ) {
    guard let handle = tjInitTransform() else { return nil }
    defer { tjDestroy(handle) }
    var transform = tjtransform()
    transform.op = Int32(operation.rawValue)
    transform.options = TJXOPT_COPYNONE | options
    if let area {
      transform.options |= TJXOPT_CROP
      transform.r = area
    }
    var memory: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    // A warning is a sign of damage, which is judged where pixels are decoded.
    let result = tjTransform(
      handle, jpeg.baseAddress, UInt(jpeg.count), 1, &memory, &count, &transform,
      TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS)
    guard result == 0, let memory else {
      tjFree(memory)
      return nil
    }
    self.memory = memory
    bytes = UnsafeBufferPointer(start: memory, count: Int(count))
  }

  deinit { tjFree(memory) }
}

/// The coded units of a JPEG as they lie in the turned photo.
private struct UnitGrid {
  let frame: JPEGFrame
  let turn: Orientation
  /// Pixels of a unit of the stored photo.
  let unit: PixelSize
  /// The size of the turned photo.
  let whole: PixelSize
  let across, down: BlockBorders

  init(_ opened: OpenedPhoto, _ plan: RenderPlan) throws(LossReason) {
    guard opened.format == .jpeg else { throw .format }
    turn = opened.orientation.followed(by: plan.turn)
    guard let frame = opened.stored.jpegCoding?.frame, frame.canBeMoved(turned: turn.swapsSides)
    else { throw .coding }
    self.frame = frame
    unit = frame.unit
    let (stored, swaps) = (opened.size, turn.swapsSides)
    whole = swaps ? stored.turned : stored
    // Which sides of the turned photo are the ends of the stored sides.
    let isReversed = [(false, false), (true, false), (true, true), (false, true)][turn.quarters]
    across = BlockBorders(
      of: whole.width, unit: swaps ? unit.height : unit.width,
      isReversed: isReversed.0 != turn.isMirrored)
    down = BlockBorders(
      of: whole.height, unit: swaps ? unit.width : unit.height, isReversed: isReversed.1)
  }

  /// The memory that the coefficients of a picture take, of two bytes each.
  func coefficientBytes(of size: PixelSize) -> Double {
    let units =
      Double((size.width + unit.width - 1) / unit.width)
      * Double((size.height + unit.height - 1) / unit.height)
    return units * Double(128 * frame.components.reduce(0) { $0 + $1.across * $1.down })
  }
}

extension JPEGFrame {
  /// Whether the components are those of usual photos, which libjpeg-turbo moves and every decoder reads.
  fileprivate func canBeMoved(turned: Bool) -> Bool {
    guard colors != .others, let luma = components.first else { return false }
    guard components.count == 3 else { return components.count == 1 }
    let (blue, red) = (components[1], components[2])
    guard blue == red else { return false }
    let sampling = (luma.across, luma.down, blue.across, blue.down)
    switch sampling {
    case (1, 1, 1, 1), (2, 1, 1, 1), (1, 2, 1, 1), (2, 2, 1, 1): return true
    // Turned, it would have color for every fourth row alone, which nobody expects.
    case (4, 1, 1, 1): return !turned
    default: return false
    }
  }

  /// Pixels of a coded unit. A component that is alone is coded block by block (ITU-T T.81, A.2.2).
  fileprivate var unit: PixelSize {
    guard components.count > 1 else { return PixelSize(width: 8, height: 8) }
    return PixelSize(
      width: 8 * (components.map(\.across).max() ?? 1),
      height: 8 * (components.map(\.down).max() ?? 1))
  }
}

extension RenderPlan {
  /// The part of the turned photo that the plan keeps; `nil` when it does more than turns, mirrors and crops.
  fileprivate func part(
    of upright: PixelSize
  ) -> (columns: Range<Int>, rows: Range<Int>, size: PixelSize)? {
    guard items.allSatisfy(\.movesPixels) else { return nil }
    let whole = turn.swapsSides ? upright.turned : upright
    var (left, top, size) = (0, 0, whole)
    if let movement = movement(of: upright) {
      guard let shift = movement.shift else { return nil }
      (left, top, size) = (shift.left, shift.top, movement.size)
    }
    guard left >= 0, top >= 0, left + size.width <= whole.width, top + size.height <= whole.height
    else { return nil }
    return (left..<left + size.width, top..<top + size.height, size)
  }
}

extension RenderOutput {
  /// Whether the picture has the coefficients of its photo where that can be.
  var keepsCoefficients: Bool {
    format == .jpeg && (following == .qualityAndChroma || lossless)
  }

  /// Whether the pixels are the photo's own, but for the size.
  fileprivate var keepsPixels: Bool {
    profile == .original && depth ?? 8 == 8 && !hasWatermark && sharpening == .none
  }
}

// MARK: - Rendering

extension Renderer {
  /// Renders a JPEG by moving its coefficients, with the metadata that every render has.
  ///
  /// - Parameters:
  ///   - plan: What is done to the photo at the size that is asked for.
  ///   - scale: How much smaller the photo becomes.
  /// - Returns: Why the photo has to be decoded and encoded again, where it has to be. Nothing was written then.
  func drawWithoutLoss(
    _ opened: OpenedPhoto, _ plan: RenderPlan, scale: Double, as output: RenderOutput,
    derivedFrom original: OriginalReference, cancellation: RenderCancellation?,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Result<Report, LossReason> {
    let move: LosslessMove
    do throws(LossReason) {
      move = try LosslessMove(opened, plan, scale: scale, as: output)
    } catch {
      return .failure(error)
    }
    // It is not decoded, and says what its colors are.
    let photo = try DecodedPhoto(opened, for: DecodedPhoto.Purpose(isNeutral: true))
    // Gray with a profile of tables was converted to red, green and blue.
    guard photo.image.bands == opened.stored.jpegCoding?.frame.components.count,
      !photo.mustBeConverted(as: .jpeg)
    else { return .failure(.coding) }
    guard let moved = opened.codedJPEG.flatMap(move.moved) else { return .failure(.damage) }
    if cancellation?.isCancelled == true { throw CancellationError() }
    var encoder = RenderEncoder(
      output: output, metadata: opened.metadata.fulfilling(output.metadataRequest, in: .jpeg),
      orientation: move.turn.exif, places: opened.places(in: plan, ofSize: move.size),
      profile: photo.ownProfile, original: original, isResized: false, coding: nil,
      cancellation: cancellation)
    encoder.gainMap = GainMapPlane(opened)?.attached(to: plan, of: opened, as: output)
    guard
      let warnings = try encoder.write(
        UnsafeRawBufferPointer(moved.bytes), ofSize: move.size, to: sink)
    else { return .failure(.bytes) }
    return .success(
      Report(
        pixelWidth: move.size.width, pixelHeight: move.size.height,
        warnings: opened.warnings + photo.warnings + warnings
          + (output.hdr && encoder.gainMap == nil
            ? [.noGainMap(output.sdr ? .unwanted : .bits)] : []),
        isLossless: true))
  }
}

// MARK: - Crops

/// How far a crop was moved to the borders of blocks, in pixels.
package struct CropMove: Sendable, Hashable {
  /// To the right; below 0 to the left.
  package let right: Int
  /// Down; below 0 up.
  package let down: Int
  /// How much narrower the crop became; below 0 wider.
  package let narrower: Int
  /// How much lower the crop became; below 0 higher.
  package let lower: Int

  /// What was done, in a sentence; `nil` for a crop that stayed.
  package var sentence: String? {
    func pixels(_ count: Int, _ direction: String) -> String? {
      count == 0 ? nil : "\(abs(count)) pixel\(abs(count) == 1 ? "" : "s") \(direction)"
    }
    func list(_ words: [String?]) -> String? {
      let words = words.compactMap(\.self)
      return words.isEmpty ? nil : words.joined(separator: " and ")
    }
    let moved = list([
      pixels(right, right > 0 ? "to the right" : "to the left"),
      pixels(down, down > 0 ? "down" : "up"),
    ])
    let changed = list([
      pixels(narrower, narrower > 0 ? "narrower" : "wider"),
      pixels(lower, lower > 0 ? "lower" : "higher"),
    ])
    let done = [moved.map { "moved by \($0)" }, changed.map { "made \($0)" }].compactMap(\.self)
    if done.isEmpty { return nil }
    return
      "The crop was \(done.joined(separator: " and ")), to begin and end at borders of the JPEG's blocks."
  }
}

extension OpenedPhoto {
  /// A crop that begins and ends at the nearest borders of the photo's blocks.
  ///
  /// - Parameter stack: The rest of the photo's edit.
  /// - Throws: Why the photo cannot be rendered without loss with any crop.
  package func losslessCrop(
    nearest crop: Crop, in stack: EditStack
  ) throws(LossReason) -> (crop: Crop, move: CropMove) {
    guard let plan = try? RenderPlan(stack) else { throw .edit }
    let grid = try UnitGrid(self, plan)
    guard let part = plan.part(of: uprightSize), part.size == grid.whole else { throw .edit }
    let warp = crop.warp(in: StepContext(size: grid.whole, scale: 1))
    let (left, top) = warp?.shift ?? (0, 0)
    let size = warp?.size ?? grid.whole
    guard let columns = grid.across.nearest(to: left..<left + size.width),
      let rows = grid.down.nearest(to: top..<top + size.height)
    else { throw .borders }
    var moved = Crop()
    moved.x = Double(columns.lowerBound) / Double(grid.whole.width)
    moved.y = Double(rows.lowerBound) / Double(grid.whole.height)
    moved.width = Double(columns.count) / Double(grid.whole.width)
    moved.height = Double(rows.count) / Double(grid.whole.height)
    return (
      moved,
      CropMove(
        right: columns.lowerBound - left, down: rows.lowerBound - top,
        narrower: size.width - columns.count, lower: size.height - rows.count)
    )
  }

  /// Throws when the photo with an edit cannot be rendered without loss, as far as its header tells.
  package func checkLossless(_ stack: EditStack, as output: RenderOutput) throws(LossReason) {
    guard output.keepsCoefficients else { throw .output }
    guard let plan = try? RenderPlan(stack),
      let (sized, scale) = try? plan.sized(for: output, of: uprightSize)
    else { throw .edit }
    _ = try LosslessMove(self, sized, scale: scale, as: output)
  }
}
