import PhotoEditing
import SafelightArguments

import enum SafelightAdjustments.AdjustmentRegistry

/// `edit sync`: copies one photo's edit to others.
struct SyncCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Copy one photo's edit to others.",
    discussion: """
      The others get the adjustments and filters of the photo in place of their own. Crop, \
      straightening and other geometry belong to what is in a photo: they are copied only with \
      --geometry, and those of the others stay without it. With --only, just the \
      adjustments named are copied; those that the photo does not have are removed from the others.

      Example:
        edit sync --from beach.jpg holiday/*.jpg
        edit sync --from beach.jpg --only filter,vibrance harbour.jpg
      """)

  @Option(
    help: ArgumentHelp("The photo whose edit is copied.", valueName: "photo"),
    completion: .photos)
  var from: String

  @Option(
    help: ArgumentHelp(
      "Copy only these adjustments, with commas between; “edit adjustments” lists them.",
      valueName: "ids"), completion: .adjustmentList)
  var only: String?

  @Flag(help: "Copy crop, straightening and other geometry too.")
  var geometry = false

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  private var ids: [String]? {
    only?.split(separator: ",", omittingEmptySubsequences: false).map { id in
      String(id.drop { $0 == " " })
    }
  }

  func validate() throws {
    guard let ids else { return }
    if geometry { throw ValidationError("--only names all that is copied; leave --geometry out.") }
    let known = AdjustmentDescription.all.map(\.id)
    if let unknown = ids.first(where: { !known.contains($0) }) {
      let near = didYouMean(nearest(to: unknown, among: known))
      throw ValidationError(
        "There is no adjustment called “\(unknown)”. "
          + (near ?? "“edit adjustments” lists them."))
    }
  }

  /// The edit to copy, with what of it.
  struct Source: Sendable {
    let path: FilePath
    let edit: EditStack
    let part: EditCopying
  }

  func prepare(for photos: [FilePath]) async throws(EditError) -> Source {
    let path = FilePath(argument: from)
    let edit = try await PhotoEditor(editing).edit(of: Photo(path: path))
    let part = ids.map { .only(Set($0)) } ?? (geometry ? .all : EditCopying.allButGeometry)
    if part == .allButGeometry, edit.entries.allSatisfy(\.isGeometry) {
      throw .nothingToCopy(path: path, reason: .onlyGeometry)
    }
    return Source(path: path, edit: edit, part: part)
  }

  func work(on task: PhotoTask<Source>) async throws(EditError) -> PhotoResult {
    let source = task.preparation
    if task.path.leadsToSameFile(as: source.path) {
      return .skipped(because: "It is the photo that the others get their edit from.")
    }
    return try await adjust(task, did: "edited as \(source.path)") { edit throws(AdjustmentError) in
      try edit.copy(source.part, from: source.edit)
    }
  }
}
