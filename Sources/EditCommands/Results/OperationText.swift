import PhotoEditing

extension PhotoResult {
  /// What operations did to a photo.
  ///
  /// - Parameter operations: What was done; several are one step.
  init(
    _ result: EditResult, of operations: [EditOperation], to photo: FilePath, dryRun: Bool
  ) {
    if let skipped = PhotoResult(skipped: result) {
      self = skipped
      return
    }
    let rendered = result.rendered?.shown(beside: photo)
    let name = rendered?.description ?? "its render"
    let text =
      switch operations.count == 1 ? operations[0].action as? any SaidOperation : nil {
      case let said?: said.text(result, name, dryRun)
      case nil:
        result.text(
          did: operations.map { operation in
            operation.action is EditActions.Auto
              ? result.automaticText ?? operation.action.did : operation.action.did
          }.joined(separator: ", "), name, dryRun)
      }
    self.init(
      status: result.status.rawValue, text: text, rendered: rendered,
      record: result.record?.shown(beside: photo),
      warnings: (result.automatic?.notes ?? []) + result.warnings,
      details: result.details(of: operations, dryRun: dryRun), change: result)
  }
}

extension EditResult {
  /// The line for people on a photo whose edit was changed.
  ///
  /// - Parameters:
  ///   - did: What was done to it, before “, rendered to”.
  ///   - name: The path of the render.
  fileprivate func text(did: String, _ name: String, _ isDry: Bool) -> String {
    switch status {
    case .edited where rendered == nil:
      isDry ? "would be as it was taken" : "\(did), as it was taken"
    case .edited where isDry: "would be rendered to \(name)"
    case .edited: "\(did), rendered to \(name)"
    case .unchanged where rendered == nil: "unchanged, it has no edit"
    case .unchanged: "unchanged, \(name) is up to date"
    case .reverted, .skipped, .rendered, .relinked: status.rawValue
    }
  }

  /// The values that were chosen from what is in the photo, for people; `nil` when nothing asked for them.
  fileprivate var automaticText: String? {
    automatic.map { automatic in
      let changing = automatic.settings.filter { $0.value != $0.parameter.neutral }
      let values = changing.map { "\($0.parameter.option ?? $0.parameter.name) \($0.argument)" }
      return values.isEmpty ? "nothing to improve" : values.joined(separator: ", ")
    }
  }

  /// What JSON says besides status, files and warnings.
  func details(of operations: [EditOperation] = [], dryRun: Bool) -> [JSONValue.Member] {
    let values = automatic?.settings.map { setting in
      JSONValue.Member(setting.parameter.option ?? setting.parameter.name, setting.value)
    }
    let isMerge = operations.contains { $0.action is EditActions.MergeEdits }
    return JSONValue.members([
      "values": values.map { JSONValue.object($0) }, "step": step,
      "lossless": isLossless ? true : nil, "adopted": adopted.map(json),
      "versions": isMerge || !versions.isEmpty ? versions : nil,
    ]) + unfinished + (dryRun ? JSONValue.members(["dryRun": true]) : [])
  }
}

extension EditResult {
  /// How another program's edit was taken over, as JSON.
  fileprivate func json(_ adopted: AdoptedEdit) -> JSONValue {
    .object([
      "way": adopted.way.rawValue, "program": adopted.program.rawValue,
      "description": adopted.description,
      "parts": adopted.parts.map { part in
        JSONValue.object([
          "title": part.title, "source": part.source, "target": part.target,
          "grade": part.grade.rawValue,
        ])
      },
    ])
  }
}

// MARK: - Operations that are said in words of their own

/// An operation whose result is said otherwise than “cropped, rendered to beach_edited.jpg”.
private protocol SaidOperation {
  /// The line for people.
  ///
  /// - Parameter name: The path of the render.
  func text(_ result: EditResult, _ name: String, _ isDry: Bool) -> String
}

/// An operation that takes a photo through its history.
private protocol HistoryOperation: SaidOperation, EditAction {
  /// Why nothing was done, for a photo that is unchanged.
  var nothing: String { get }
}

extension HistoryOperation {
  fileprivate func text(_ result: EditResult, _ name: String, _ isDry: Bool) -> String {
    let place = result.step == 0 ? "\(did), back at the original" : did
    return switch result.status {
    case .edited where result.rendered == nil: isDry ? "would be \(place)" : place
    case .edited where isDry: "would be \(place), rendered to \(name)"
    case .edited: "\(place), rendered to \(name)"
    default: "unchanged, \(nothing)"
    }
  }
}

extension EditActions.Adopt: SaidOperation {
  fileprivate func text(_ result: EditResult, _ name: String, _ isDry: Bool) -> String {
    switch result.status {
    case .unchanged where result.adopted == nil: "unchanged, no other program left an edit"
    case .unchanged: "unchanged, \(name) is up to date"
    default:
      (isDry ? "would be adopted" : did)
        + (result.adopted.map { ", \($0.description)" } ?? "") + ", rendered to \(name)"
    }
  }
}

extension EditActions.Relink: SaidOperation {
  fileprivate func text(_ result: EditResult, _ name: String, _ isDry: Bool) -> String {
    switch result.status {
    case .relinked: isDry ? "would be relinked" : "relinked"
    default: "unchanged, there is no edit to move"
    }
  }
}

extension EditActions.Undo: HistoryOperation {
  fileprivate var nothing: String { "there is nothing to undo" }
}

extension EditActions.Redo: HistoryOperation {
  fileprivate var nothing: String { "there is nothing to redo" }
}

extension EditActions.GoToStep: HistoryOperation {
  fileprivate var nothing: String { "it is at step \(step)" }
}

extension EditActions.SaveVersion: SaidOperation {
  fileprivate func text(_ result: EditResult, _ name: String, _ isDry: Bool) -> String {
    switch result.status {
    case .unchanged: "unchanged, \(name) is up to date"
    default: isDry ? "would be saved as \(name)" : "saved as \(name)"
    }
  }
}

extension EditActions.RemoveVersion: SaidOperation {
  fileprivate func text(_ result: EditResult, _ name: String, _ isDry: Bool) -> String {
    isDry ? "\(self.name.text) would be removed" : did
  }
}

extension EditActions.MergeEdits: SaidOperation {
  fileprivate func text(_ result: EditResult, _ name: String, _ isDry: Bool) -> String {
    let names = result.versions.joined(separator: ", ")
    return switch result.status {
    case .unchanged: "unchanged, there is no other machine's edit"
    case _ where names.isEmpty && isDry: "would be merged, nothing is new"
    case _ where names.isEmpty: "merged, nothing was new"
    default: isDry ? "would be merged as \(names)" : "merged as \(names)"
    }
  }
}

extension EditActions.Revert: SaidOperation {
  fileprivate func text(_ result: EditResult, _ name: String, _ isDry: Bool) -> String {
    switch result.status {
    case .reverted where isDry: "would be reverted"
    case .reverted: did + (result.rendered == nil ? "" : ", \(name) stays")
    default: "unchanged, there is nothing to revert"
    }
  }
}

extension EditActions.RenderAgain: SaidOperation {
  fileprivate func text(_ result: EditResult, _ name: String, _ isDry: Bool) -> String {
    switch result.status {
    case .rendered where result.rendered == nil: "back at the original, without a render"
    case .rendered where isDry: "would be rendered again to \(name)"
    case .rendered: "rendered again to \(name)"
    case .unchanged where result.record == nil: "unchanged, it has no edit"
    case .unchanged where result.rendered == nil: "unchanged, there is no render to renew"
    case .unchanged: "unchanged, \(name) is up to date"
    default: result.status.rawValue
    }
  }
}

extension EditActions.AcceptOriginal: SaidOperation {
  fileprivate func text(_ result: EditResult, _ name: String, _ isDry: Bool) -> String {
    let did =
      isDry
      ? "would give its edit to the picture that is there"
      : "accepted: its edit is now about the picture that is there"
    return switch result.status {
    case .relinked where result.rendered == nil: did
    case .relinked: "\(did), rendered to \(name)"
    case _ where result.record == nil: "unchanged, it has no edit"
    default: "unchanged, it is the picture that was edited"
    }
  }
}
