import SafelightAdjustments
import SafelightLookupTables

extension ColorLookup: ColorRenderable {
  func colorSteps(in context: StepContext) throws(RenderError) -> [ColorStep] {
    guard !isNeutral else { return [] }
    guard let bytes = table.bytes else {
      throw .damagedLookupTable(title: title, detail: "it is not base64")
    }
    do {
      return [.kernel(LookupKernel(try LookupTable(stored: bytes)))]
    } catch .damaged(let detail) {
      throw .damagedLookupTable(title: title, detail: detail)
    } catch {
      throw .damagedLookupTable(title: title, detail: error.description)
    }
  }
}

/// A lookup table as a loop over tiles: its shaper's curves, then its own curves or cube.
struct LookupKernel: ColorKernel {
  let space = ColorSpace.encoded
  let dependsOnPlace = false
  private let curves: CurvesLookup?
  private let cube: CubeLookup?

  init(_ table: LookupTable) {
    switch (table.shaper, table.lattice.shape) {
    case (_, .curves(let size)):
      curves = CurvesLookup(table.lattice, size: size)
      cube = nil
    case (let shaper, .cube(let size)):
      curves = shaper.map { CurvesLookup($0, size: $0.samples.count / 3) }
      cube = CubeLookup(table.lattice, size: size)
    }
  }

  func apply(to tile: ColorTile) {
    curves?.map(tile)
    cube?.map(tile)
  }
}
