import SafelightAdjustments
import SafelightFiles
import SafelightFormats
import SafelightLookupTables
import SafelightRendering
import SafelightStorage

/// Looks as tables, for programs that edit videos or pictures and know nothing of Safelight.
///
/// ```swift
/// let look = try Filter.named("noir").baked()
/// try Data(look.cubeFile).write(to: URL(fileURLWithPath: "noir.cube"))
/// ```
extension Filter {
  /// The filter's colors as a table.
  ///
  /// - Parameters:
  ///   - intensity: How strong the filter is, 0 to 1.
  ///   - size: Colors along an edge of the cube: one of `BakedLook.sizes`.
  /// - Throws: ``EditError`` when the filter needs a newer program.
  public func baked(intensity: Double = 1, size: Int = 33) throws(EditError) -> BakedLook {
    var stack = EditStack()
    do {
      try stack.setFilter(applied(intensity: intensity))
      return try BakedLook(stack, size: size, title: title)
    } catch {
      throw EditError(error, path: FilePath(name))
    }
  }
}

extension PhotoEditor {
  /// The colors of a photo's edit as a table. Its crop and other geometry are no part of it.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - size: Colors along an edge of the cube: one of `BakedLook.sizes`.
  /// - Throws: ``EditError/nothingToCopy(path:reason:)`` for a photo without an edit of Safelight's that changes colors, or
  ///   another ``EditError``.
  public func look(of photo: Photo, size: Int = 33) async throws(EditError) -> BakedLook {
    let stack = try await edit(of: photo)
    guard !stack.entries.allSatisfy(\.isGeometry) else {
      throw .nothingToCopy(path: photo.path, reason: .onlyGeometry)
    }
    do {
      return try BakedLook(stack, size: size, title: photo.path.lastComponent?.string)
    } catch {
      throw EditError(error, path: photo.path)
    }
  }

  /// Writes a look as a `.cube` file, which says in comments how exact it is and what is left out.
  ///
  /// - Parameters:
  ///   - look: The look.
  ///   - path: Where the file goes.
  ///   - replacing: Whether a file of that name may be replaced; never a photo.
  /// - Throws: ``EditError``; no file is left behind then.
  public func write(
    _ look: BakedLook, to path: FilePath, replacing: Bool = false
  ) async throws(EditError) {
    try await working(on: path) { _ in
      try OutputRule(fileSystem).check(path, replacing: replacing)
      let written = try fileSystem.writeWhole(path, replacing: replacing) { sink in
        try sink.write(look.cubeFile)
        return true
      }
      if written == nil { throw EditError.destinationTaken(path, .exists) }
    }
  }
}

extension BakedLook {
  /// The table as a `.cube` file with what is known of it as comments.
  public var cubeFile: [UInt8] {
    var comments = ["Made by Safelight, for sRGB colors. \(accuracy)"]
    if !simplified.isEmpty {
      comments.append("As in an even area: \(simplified.joined(separator: ", ")).")
    }
    if !leftOut.isEmpty { comments.append("Left out: \(leftOut.joined(separator: ", ")).") }
    return table.cubeFile(comments: comments)
  }

  /// How exact the table is, as a sentence.
  public var accuracy: String {
    return
      "Error by tetrahedral interpolation, dE2000: mean \(meanError.decimal(digits: 3)), largest \(maximumError.decimal(digits: 3))."
  }
}
