import SafelightAdjustments
import SafelightVips

/// How much a result counts in a mix, from 0 to 1; what it was made from counts the rest.
enum Share: Sendable {
  /// The same for all pixels.
  case constant(Double)
  /// A mask's number at each pixel, times an opacity.
  case mask(any MaskRenderable, opacity: Double)

  /// The share of a layer.
  ///
  /// - Throws: ``RenderError/unknownAdjustment(id:version:)`` for a mask that this version cannot render.
  init(of layer: Layer) throws(RenderError) {
    guard let entry = layer.mask?.entry else {
      self = .constant(layer.opacity)
      return
    }
    guard let mask = entry.adjustment as? any MaskRenderable else {
      throw .unknownAdjustment(id: entry.id, version: entry.version)
    }
    self = .mask(mask, opacity: layer.opacity)
  }

  /// Whether the result counts alone.
  var isWhole: Bool { if case .constant(1) = self { true } else { false } }

  /// Whether the share is one at one pixel and another at the next.
  var dependsOnPlace: Bool { if case .mask = self { true } else { false } }

  /// The time for a pixel in nanoseconds, roughly.
  var cost: Double { dependsOnPlace ? 8 : 0 }

  /// The share where the result counts most.
  var largest: Share { if case .mask(_, let opacity) = self { .constant(opacity) } else { self } }
}

/// A mask that this version can compute.
protocol MaskRenderable: Adjustment {
  /// The mask's number at a place.
  ///
  /// - Parameters:
  ///   - place: In shares of the sides of the turned photo, before other geometry.
  ///   - aspect: The photo's width for a height of 1.
  func value(at place: (x: Double, y: Double), aspect: Double) -> Double
}

/// From 0 to 1 without a bend at its ends; 0 before and 1 behind.
func smoothStep(_ t: Double) -> Double {
  let t = min(max(t, 0), 1)
  return t * t * (3 - 2 * t)
}

/// A share of the pixels of a picture.
private struct Mix: Sendable {
  let share: Share
  /// The picture.
  let context: StepContext

  /// Moves the numbers of pixels of a row a part of the way to others.
  ///
  /// - Parameters:
  ///   - numbers: The pixels of the row, from the column `x` on.
  ///   - planes: How many planes there are, as far from each other as those of a tile.
  ///   - samples: How many numbers a plane has for each pixel.
  func move(
    _ numbers: UnsafeMutablePointer<Float>, towards others: UnsafePointer<Float>, planes: Int,
    samples: Int, count: Int, x: Int, y: Int
  ) {
    switch share {
    case .constant(let share):
      let share = Float(share)
      for plane in 0..<planes {
        let (numbers, others) = (
          numbers + plane * ColorTile.capacity, others + plane * ColorTile.capacity
        )
        for index in 0..<(count * samples) {
          numbers[index] += share * (others[index] - numbers[index])
        }
      }
    case .mask(let mask, let opacity):
      withFloats(count) { memory in
        let shares = memory.baseAddress!
        fill(shares, count, x: x, y: y, mask, opacity)
        for plane in 0..<planes {
          let (numbers, others) = (
            numbers + plane * ColorTile.capacity, others + plane * ColorTile.capacity
          )
          for pixel in 0..<count {
            for index in (pixel * samples)..<((pixel + 1) * samples) {
              numbers[index] += shares[pixel] * (others[index] - numbers[index])
            }
          }
        }
      }
    }
  }

  private func fill(
    _ shares: UnsafeMutablePointer<Float>, _ count: Int, x: Int, y: Int,
    _ mask: some MaskRenderable, _ opacity: Double
  ) {
    let photo = context.origin?.photo ?? context.size
    let (width, height, warp) = (Double(photo.width), Double(photo.height), context.origin?.warp)
    for index in 0..<count {
      var place = (x: Double(x + index) + 0.5, y: Double(y) + 0.5)
      if let warp { place = warp.source(place.x, place.y, channel: 1) }
      let value = mask.value(at: (place.x / width, place.y / height), aspect: width / height)
      // A perspective has no place for a pixel on its horizon.
      shares[index] = value.isFinite ? Float(opacity * value) : 0
    }
  }
}

/// Steps on encoded values whose result is mixed with their input.
struct MixKernel: ColorKernel {
  let space = ColorSpace.encoded
  let keepsGray: Bool
  private let program: ColorProgram
  private let mix: Mix

  /// - Parameters:
  ///   - share: How much the steps count.
  ///   - context: The picture that they are done to.
  init(_ steps: [ColorStep], share: Share, in context: StepContext) {
    program = ColorProgram(ColorProgram.fused(steps, from: .encoded, to: .encoded))
    mix = Mix(share: share, context: context)
    keepsGray = steps.leaveGray(true)
  }

  var dependsOnPlace: Bool { program.dependsOnPlace || mix.share.dependsOnPlace }
  var cost: Double { program.cost + mix.share.cost }

  func apply(to tile: ColorTile) {
    tile.withCopy { filtered in
      program.run(on: filtered)
      mix.move(
        tile.red, towards: filtered.red, planes: 3, samples: 1, count: tile.count, x: tile.x,
        y: tile.y)
    }
  }
}

/// Mixes two pictures in encoded floats.
struct MixPass: Sendable {
  private let mix: Mix

  /// - Parameters:
  ///   - share: How much the second picture counts.
  ///   - context: Both pictures.
  init(share: Share, in context: StepContext) { mix = Mix(share: share, context: context) }

  func applied(to first: Image, _ second: Image) throws(VipsError) -> Image {
    let mix = mix
    return try Image.computed(
      from: [first, second], like: first, width: first.width, height: first.height
    ) { inputs, output in
      for y in output.top..<(output.top + output.height) {
        let row = output.address(row: y).assumingMemoryBound(to: Float.self)
        row.update(
          from: inputs[0].address(row: y).assumingMemoryBound(to: Float.self),
          count: output.width * 3)
        mix.move(
          row, towards: inputs[1].address(row: y).assumingMemoryBound(to: Float.self), planes: 1,
          samples: 3, count: output.width, x: output.left, y: y)
      }
      return true
    }
  }
}
