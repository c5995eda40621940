import Glibc
import PhotoEditing
import SafelightArguments
import SafelightFiles
import Synchronization

/// The photo on standard input, which is rendered without a file.
extension RenderCommand {
  /// Whether the photo comes on standard input.
  var readsStandardInput: Bool { selection.photos == ["-"] }

  /// Refuses what is for photos that are files.
  func checkStandardInput() throws(ValidationError) {
    guard readsStandardInput else {
      if selection.photos.contains("-") {
        throw ValidationError("“-” is the photo on standard input, and goes with no other one.")
      }
      return
    }
    let others: [(String, Bool)] = [
      ("--stale", stale), ("--name", name != nil), ("--keep-folders", keepFolders),
      ("--skip-existing", skipExisting), ("--newer", newer), ("--dry-run", dryRun.isOn),
      ("--recursive", selection.recursive),
    ]
    if let other = others.first(where: \.1)?.0 {
      throw ValidationError(
        "\(other) is for photos that are files, and “-” is standard input; leave it out.")
    }
  }

  /// Renders the photo.
  func renderStandardInput(on console: Console) async throws -> ExitCode {
    let printer = ResultPrinter(
      console: writesToStandardOutput ? console.withoutResults : console, json: options.json,
      quiet: options.quiet)
    let photo: FilePath = "-"
    let start = ContinuousClock.now
    do {
      guard let destination = try await prepare(for: [photo]) else { return .failure }
      if let mismatch = destination.mismatch { throw ValidationError(mismatch) }
      let data = try PhotoData(descriptor: STDIN_FILENO, name: "standard input")
      let path = destination.paths[0]
      let picture: RenderedPicture
      if writesToStandardOutput {
        picture = try await PhotoEditor(editing).render(
          data, edit: destination.edit ?? EditRequest(), as: destination.output
        ) { bytes in try FileSystem.real.writeToStandardOutput(bytes) }
      } else {
        picture = try await PhotoEditor(editing).render(
          data, edit: destination.edit ?? EditRequest(), as: destination.output)
        try OutputRule().check(path, replacing: overwrite)
        let written: Void? = try FileSystem.real.writeWhole(path, replacing: overwrite, mode: 0o644)
        { sink in try sink.write(picture.bytes) }
        guard written != nil else { throw EditError.destinationTaken(path, .exists) }
      }
      let result = PhotoResult(
        status: EditResult.Status.rendered.rawValue, text: "rendered to \(path)", rendered: path,
        warnings: picture.warnings, details: picture.members)
      printer.print(PhotoReport(photo: photo, outcome: .success(result), since: start))
      return .success
    } catch let error as ValidationError {
      throw error
    } catch {
      let failure = PhotoFailure(EditError(error, path: photo))
      printer.print(PhotoReport(photo: photo, outcome: .failure(failure), since: start))
      return .failure
    }
  }
}

extension RenderedPicture {
  /// What JSON says of it: its size, and the edit with every value that was chosen, to be stored.
  var members: [JSONValue.Member] {
    JSONValue.members([
      "pixelWidth": pixelWidth, "pixelHeight": pixelHeight, "lossless": isLossless ? true : nil,
      "adjustments": JSONValue.array(edit.entriesAsJSON),
    ])
  }
}
