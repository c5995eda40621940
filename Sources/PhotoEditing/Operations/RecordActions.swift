import SafelightAdjustments
import SafelightFiles
import SafelightStorage

// The operations on what a photo's record holds besides the adjustments: its history, its versions, its original.

/// An operation that goes through a photo's history.
package protocol HistoryAction: EditAction {
  var target: HistoryTarget { get }
}

extension HistoryAction {
  package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
    try edit.planToSkip() ?? edit.planToGo(to: target, quality: call.quality)
  }
}

extension EditActions {
  private static let mostSteps = 1_000_000.0

  /// Takes photos back to their earlier edits.
  package struct Undo: HistoryAction {
    package static let id = "undo"
    package static let summary = "Take photos back to their earlier edits."
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.steps, "steps", range: 1...mostSteps, summary: "How many edits to go, at most.")
    ]

    package var steps = 1

    package init() {}

    package var did: String { "undone" }
    package var target: HistoryTarget { .back(min(max(steps, 0), .max / 2)) }
  }

  /// Brings back edits that were undone.
  package struct Redo: HistoryAction {
    package static let id = "redo"
    package static let summary = "Bring back edits that were undone."
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.steps, "steps", range: 1...mostSteps, summary: "How many edits to go, at most.")
    ]

    package var steps = 1

    package init() {}

    package var did: String { "redone" }
    package var target: HistoryTarget { .back(-min(max(steps, 0), .max / 2)) }
  }

  /// Takes photos to a step of their history.
  package struct GoToStep: HistoryAction {
    package static let id = "go-to-step"
    package static let summary = "Take photos to a step of their history, back or forth."
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.step, "step", range: 0...mostSteps, option: .word, required: true,
        summary: "The step's number; 0 is the original.")
    ]

    package var step = 0

    package init() {}

    package var did: String { "taken to step \(step)" }
    package var target: HistoryTarget { .step(step) }
  }

  /// Keeps the present edits of photos under a name.
  package struct SaveVersion: EditAction {
    package static let id = "save-version"
    package static let summary = "Keep the present edits of photos under a name."
    package static let takesQuality = false
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.name, "name", option: .word, required: true,
        summary: "1 to 64 letters, digits, hyphens, underscores and dots."),
      Parameter(
        \.replace, "replace", summary: "Replace the version of this name that a photo has."),
      Parameter(
        \.from, "from",
        summary:
          "Keep the edit in this copy of the photo's sidecar, which a sync made of a conflict."),
    ]

    package var name = VersionName()
    package var replace = false
    package var from: FileName?

    package init() {}

    package var did: String { "saved" }

    package func resolved(by names: EditNames) async throws(EditError) -> Self {
      try name.check()
      var action = self
      if let from { action.from = FileName(path: try names.file(from.argument)) }
      return action
    }

    package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
      try plan(for: edit, expectingRender: false)
    }

    private func plan(for edit: OpenEdit, expectingRender: Bool) throws -> EditPlan {
      if let skip = try edit.planToSkip() { return skip }
      if let from { return try edit.planToKeep(from.path, named: name.text, replacing: replace) }
      return try edit.planToSaveVersion(
        named: name.text, replacing: replace, expectingRender: expectingRender)
    }

    package func perform(
      on photo: Photo, by editor: isolated PhotoEditor, _ call: EditCall
    ) throws -> EditResult {
      do {
        return try editor.perform(on: photo, .changing, call) { edit in
          try plan(for: edit, expectingRender: false)
        }
      } catch EditError.renderMissing where !editor.configuration.holdsChanges {
        // A folder that is being synced may have the sidecar and not yet the render.
        let again = try RenderAgain().perform(on: photo, by: editor, call)
        var call = call
        // What was required is so, and has another revision now.
        call.revision = nil
        return try editor.perform(on: photo, .changing, call) { edit in
          try plan(for: edit, expectingRender: call.dryRun)
        }.following(again)
      }
    }
  }

  /// Makes a version the edit of photos.
  package struct UseVersion: EditAction {
    package static let id = "use-version"
    package static let summary = "Make a version the edit of photos."
    package static let takesQuality = false
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.name, "name", option: .word, required: true, summary: "The version's name.")
    ]

    package var name = VersionName()

    package init() {}

    package var did: String { name.text }

    package func resolved(by names: EditNames) async throws(EditError) -> Self {
      try name.check()
      return self
    }

    package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
      try edit.planToSkip() ?? edit.planToUseVersion(named: name.text)
    }
  }

  /// Drops a version of photos.
  package struct RemoveVersion: EditAction {
    package static let id = "remove-version"
    package static let summary = "Drop a version of photos."
    package static let takesQuality = false
    package static let dropsForGood = true
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.name, "name", option: .word, required: true, summary: "The version's name.")
    ]

    package var name = VersionName()

    package init() {}

    package var did: String { "\(name.text) removed" }

    package func resolved(by names: EditNames) async throws(EditError) -> Self {
      try name.check()
      return self
    }

    package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
      try edit.planToSkip() ?? edit.planToRemoveVersion(named: name.text)
    }
  }

  /// Keeps other machines' edits as versions.
  package struct MergeEdits: EditAction {
    package static let id = "merge-edits"
    package static let summary =
      "Keep other machines' edits as versions, and put the copies of the sidecar away."
    package static let takesQuality = false
    package static let parameters: [Parameter<Self>] = []

    package init() {}

    package var did: String { "merged" }

    package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
      try edit.planToSkip() ?? edit.planToMerge()
    }
  }

  /// Drops the edits of photos.
  package struct Revert: EditAction {
    package static let id = "revert"
    package static let summary = "Drop the edits of photos."
    package static let takesQuality = false
    package static let dropsForGood = true
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.keepRender, "keepRender", summary: "Leave the render where it is, as a file of its own."),
      Parameter(\.versions, "versions", summary: "Drop the photo's named versions too."),
    ]

    package var keepRender = false
    package var versions = false

    package init() {}

    package var did: String { "reverted" }

    package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
      try edit.planToRevert(keepingRender: keepRender, droppingVersions: versions)
    }
  }

  /// Renders the present edits of photos once more.
  package struct RenderAgain: EditAction {
    package static let id = "render-again"
    package static let summary =
      "Render the edits of photos again, where their renders are missing or outdated."
    package static let takesQuality = false
    package static let parameters: [Parameter<Self>] = []

    package init() {}

    package var did: String { "rendered again" }

    package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
      try edit.checkForRenderingAgain()
      return try edit.planToSkip(verb: "name") ?? edit.planToRenderAgain()
    }
  }

  /// Gives photos the edits that they left behind.
  package struct Relink: EditAction {
    package static let id = "relink"
    package static let summary =
      "Give photos the edits that they left behind when they were moved or renamed."
    package static let takesQuality = false
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.from, "from",
        summary: """
          Where the photo was, or the sidecar that is there still. Without it, the sidecar was renamed with the photo, \
          and gets the present names of the files.
          """)
    ]

    package var from: FileName?

    package init() {}

    package var did: String { "relinked" }

    package func resolved(by names: EditNames) async throws(EditError) -> Self {
      guard let former else { return self }
      var action = self
      action.from = FileName(path: try names.file(former.argument))
      return action
    }

    /// Where the photo was.
    package var former: FilePath? { from.map { $0.path.originalOfRecord ?? $0.path } }

    package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
      try edit.planToRelink(from: former, to: edit.path)
    }

    package func perform(
      on photo: Photo, by editor: isolated PhotoEditor, _ call: EditCall
    ) throws -> EditResult {
      if let former {
        // A photo that has an edit may have got it from there before.
        let names = [former, former.recordPath, photo.path.recordPath]
        guard try names.contains(where: { try editor.fileSystem.exists($0) }) else {
          throw EditError.storage(.originalMissing(former))
        }
      }
      return try editor.perform(on: photo, .relinking(from: former), call) { edit in
        try edit.planToRelink(from: former, to: photo.path)
      }
    }
  }

  /// Goes on with edits although the originals are other pictures now.
  package struct AcceptOriginal: EditAction {
    package static let id = "accept-original"
    package static let summary =
      "Go on with the edits of photos whose originals are other pictures now."
    package static let takesQuality = false
    package static let dropsForGood = true
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.fromOriginal, "fromOriginal",
        summary: "Take the edit even from the picture that was edited, where that is found.")
    ]

    package var fromOriginal = false
    /// Where else to look for the picture that was edited than in the photo's folder.
    package var folders: [FilePath] = []

    package init() {}

    package var did: String { "accepted" }

    package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
      try edit.planToAcceptOriginal()
    }

    package func perform(
      on photo: Photo, by editor: isolated PhotoEditor, _ call: EditCall
    ) throws -> EditResult {
      if !fromOriginal,
        let found = try editor.editedOriginals(
          of: photo, lookingIn: folders, call.cancellation)?.first
      {
        throw EditError.originalElsewhere(photo.path, found: found)
      }
      return try editor.perform(on: photo, .changing, call) { edit in try plan(for: edit, call) }
    }
  }
}

/// The name of a version.
package struct VersionName: TextValue {
  package var text = ""

  package init(_ text: String = "") { self.text = text }

  package static var kind: String { "a version's name" }
  package static var typeName: String { "version" }

  /// Checks the name, for which there is an error of its own.
  ///
  /// - Throws: ``EditError/storage(_:)`` when no version can be called so.
  func check() throws(EditError) {
    guard PhotoVersion.isName(text) else { throw .storage(.invalidVersionName(text)) }
  }

  package init?(argument: String, unit: ParameterUnit) { text = argument }

  package var argument: String { text }
}
