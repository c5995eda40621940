import Glibc
import SafelightColorKernels

/// What a conversion of red, green and blue gave, at the corners of 51 × 51 × 51 cells, so that most colors need not be
/// converted one by one.
///
/// A cell is looked at when its first color comes: its corners are converted, and seven colors inside it. Where these are
/// what interpolating in tetrahedra gives, as nearly everywhere, the colors of the cell are interpolated from then on.
/// Where they are not, at the edges of a gamut, each color of the cell is converted by itself, and kept until another one
/// needs its place: a photo has many pixels of each color.
final class ConversionMemory: @unchecked Sendable {
  // `@unchecked`: threads share the tables on purpose. States are read and written atomically, after the corners; two
  // threads that write the same entry write the same number.

  /// Cells along an edge: corners are at 8-bit codes, each fifth.
  private static let cells = Int(SAFELIGHT_CONVERSION_CELLS)
  /// The largest difference, in 16-bit codes, at which a color counts as interpolated: a thirtieth of an 8-bit code.
  private static let tolerance = 8
  /// The colors that are tried of a cell, in sixths of its edges: the corners, the middle, and one in each tetrahedron.
  private static let tried: [(red: Int, green: Int, blue: Int)] =
    (0..<8).map { (6 * ($0 >> 2), 6 * ($0 >> 1 & 1), 6 * ($0 & 1)) }
    + [(3, 3, 3), (5, 3, 1), (5, 1, 3), (3, 5, 1), (1, 5, 3), (3, 1, 5), (1, 3, 5)]

  /// Four numbers for each corner.
  private let corners: UnsafeMutablePointer<UInt16>
  /// 0 for a cell that is not known, 1 for one to interpolate in, 2 for the others.
  private let states: UnsafeMutablePointer<UInt8>
  /// Single colors with what they become.
  private let colors: UnsafeMutablePointer<UInt64>

  /// Fails where the process may not have 5.5 MB.
  init?() {
    let edge = Self.cells + 1
    guard let corners = calloc(4 * edge * edge * edge, MemoryLayout<UInt16>.stride) else {
      return nil
    }
    guard let states = calloc(Self.cells * Self.cells * Self.cells, 1) else {
      free(corners)
      return nil
    }
    guard let colors = calloc(2 << Int(SAFELIGHT_COLORS_LOG2), MemoryLayout<UInt64>.stride) else {
      free(corners)
      free(states)
      return nil
    }
    self.corners = corners.assumingMemoryBound(to: UInt16.self)
    self.states = states.assumingMemoryBound(to: UInt8.self)
    self.colors = colors.assumingMemoryBound(to: UInt64.self)
  }

  deinit {
    free(corners)
    free(states)
    free(colors)
  }

  /// A conversion of codes one by one.
  typealias Conversion = (
    UnsafePointer<UInt16>, _ to: UnsafeMutablePointer<UInt16>, _ count: Int
  ) -> Void

  /// Converts codes.
  func convert(
    _ codes: UnsafePointer<UInt16>, to output: UnsafeMutablePointer<UInt16>, count: Int,
    by conversion: Conversion
  ) {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 1) { indexes in
      let others = indexes.baseAddress!
      var left = Int(kernels.convert(codes, output, corners, states, others, Int32(count)))
      guard left > 0 else { return }
      if others[left] != 0 {
        for index in 0..<left { look(at: codes + 3 * Int(others[index]), by: conversion) }
        left = Int(kernels.convert(codes, output, corners, states, others, Int32(count)))
      }
      left = Int(kernels.recall16(codes, output, colors, others, Int32(left)))
      guard left > 0 else { return }
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 6 * left) { memory in
        let (given, found) = (memory.baseAddress!, memory.baseAddress! + 3 * left)
        for index in 0..<left {
          (given + 3 * index).update(from: codes + 3 * Int(others[index]), count: 3)
        }
        conversion(given, found, left)
        kernels.learn16(given, found, colors, others, output, Int32(left))
      }
    }
  }

  /// Gets to know the cell of a color.
  private func look(at color: UnsafePointer<UInt16>, by conversion: Conversion) {
    let (cells, width) = (Self.cells, 65_535 / Self.cells)
    let cell = (0..<3).map { min(Int(color[$0]) / width, cells - 1) }
    let state = states + (cell[2] * cells + cell[1]) * cells + cell[0]
    guard safelight_state(state) == 0 else { return }
    let count = Self.tried.count
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 9 * count) { memory in
      let given = memory.baseAddress!
      let (exact, near) = (given + 3 * count, given + 6 * count)
      for (index, place) in Self.tried.enumerated() {
        for (band, share) in [place.red, place.green, place.blue].enumerated() {
          given[3 * index + band] = UInt16((6 * cell[band] + share) * width / 6)
        }
      }
      conversion(given, exact, count)
      for index in 0..<8 {
        let place = Self.tried[index]
        let corner =
          ((cell[2] + place.blue / 6) * (cells + 1) + cell[1] + place.green / 6) * (cells + 1)
          + cell[0] + place.red / 6
        (corners + 4 * corner).update(from: exact + 3 * index, count: 3)
      }
      kernels.mix_corners(given + 24, near + 24, corners, Int32(count - 8))
      let isEven = (24..<(3 * count)).allSatisfy {
        abs(Int(exact[$0]) - Int(near[$0])) <= Self.tolerance
      }
      safelight_set_state(state, isEven ? 1 : 2)
    }
  }
}
