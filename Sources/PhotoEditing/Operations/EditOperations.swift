import SafelightAdjustments
import SafelightFiles
import SafelightRendering

// Operations as Swift makes them.

extension EditOperation {
  /// Gives the photo a filter.
  ///
  /// - Parameters:
  ///   - filter: The look.
  ///   - intensity: How strong it is, 0 to 1.
  ///   - adding: Whether it goes on top of the filters that are there, instead of in their place.
  public static func apply(
    _ filter: Filter, intensity: Double = 1, adding: Bool = false
  ) -> EditOperation {
    var action = EditActions.Apply()
    (action.filter, action.intensity, action.add) = (.filter(filter), intensity, adding)
    return EditOperation(action)
  }

  /// Sets parameters of adjustments; everything else stays.
  ///
  /// - Parameters:
  ///   - settings: The parameters with their values; of two settings of one parameter, the last counts.
  ///   - reset: Whether all adjustments go first; filters stay.
  public static func adjust(
    _ settings: [ParameterSetting], reset: Bool = false
  ) -> EditOperation {
    var action = EditActions.Adjust()
    (action.values, action.reset) = (AdjustmentValues(settings), reset)
    return EditOperation(action)
  }

  /// Drops all adjustments; filters stay.
  public static var reset: EditOperation { adjust([], reset: true) }

  /// Sets adjustments by what is in the photo.
  ///
  /// - Parameters:
  ///   - kinds: What to look for.
  ///   - gray: A place that becomes gray by white balance; `nil` looks for what is gray.
  ///   - strength: How far each value goes from neutral, 0 to 1.
  public static func auto(
    _ kinds: Set<AutomaticAdjustment> = [.tone, .whiteBalance], gray: GrayPlace? = nil,
    strength: Double = 1
  ) -> EditOperation {
    var action = EditActions.Auto()
    action.tone = kinds.contains(.tone)
    action.whiteBalance = gray == nil && kinds.contains(.whiteBalance)
    action.gray = gray.map { PicturePlace($0) }
    action.straighten = kinds.contains(.straighten)
    action.denoise = kinds.contains(.denoise)
    action.strength = strength
    return EditOperation(action)
  }

  /// Crops to an area of the picture as it is turned and straightened.
  ///
  /// - Parameters:
  ///   - area: What to keep; `nil` takes the crop away.
  ///   - isLossless: Whether the area is moved to the nearest borders of a JPEG's blocks, so that nothing is encoded again.
  public static func crop(_ area: CropArea?, isLossless: Bool = false) -> EditOperation {
    var action = EditActions.Crop()
    action.lossless = isLossless
    switch area {
    case nil: action.none = true
    case .shares?, .pixels?: action.rect = area.map { CropRectangle($0) }
    case .aspect(let width, let height, let gravity)?:
      (action.aspect, action.gravity) = (CropAspect(width: width, height: height), gravity)
    case .size(let width, let height, let gravity)?:
      (action.size, action.gravity) = (CropSize(width: width, height: height), gravity)
    }
    return EditOperation(action)
  }

  /// Turns the picture a little.
  ///
  /// - Parameter degrees: Clockwise, -45 to 45.
  public static func straighten(degrees: Double) -> EditOperation {
    var action = EditActions.Straighten()
    action.degrees = degrees
    return EditOperation(action)
  }

  /// Turns the picture by quarters, from how the photo was taken.
  public static func rotate(_ turns: QuarterTurns) -> EditOperation {
    var action = EditActions.Rotate()
    action.degrees = turns
    return EditOperation(action)
  }

  /// Mirrors the picture as it is turned, or mirrors it back when both are false.
  public static func flip(horizontal: Bool = false, vertical: Bool = false) -> EditOperation {
    var action = EditActions.Flip()
    action.direction =
      switch (horizontal, vertical) {
      case (true, true): .both
      case (true, false): .horizontal
      case (false, true): .vertical
      case (false, false): .none
      }
    return EditOperation(action)
  }

  /// Makes lines parallel that converge.
  ///
  /// - Parameters:
  ///   - vertical: How much wider the bottom gets, -100 to 100; `nil` leaves it as it is.
  ///   - horizontal: How much taller the right side gets, -100 to 100; `nil` leaves it as it is.
  public static func perspective(
    vertical: Double? = nil, horizontal: Double? = nil
  ) -> EditOperation {
    var action = EditActions.Perspective()
    (action.vertical, action.horizontal) = (vertical, horizontal)
    return EditOperation(action)
  }

  /// Puts a whole edit in place of the present one.
  ///
  /// - Parameters:
  ///   - stack: The new edit.
  ///   - dropped: The ids of adjustments of a newer version that may go with the present edit. Without them, such an edit
  ///     is not replaced.
  public static func replace(with stack: EditStack, dropping dropped: [String] = [])
    -> EditOperation
  {
    var action = EditActions.Replace()
    (action.adjustments, action.dropping.words) = (GivenEdit(stack), dropped)
    return EditOperation(action)
  }

  /// Makes a part of the edit equal to that part of another edit.
  public static func copy(
    _ part: EditCopying = .allButGeometry, from stack: EditStack
  ) -> EditOperation {
    var action = EditActions.Copy()
    action.adjustments = GivenEdit(stack)
    switch part {
    case .all: action.geometry = true
    case .allButGeometry: break
    case .only(let paths): action.only = AdjustmentNames(paths)
    }
    return EditOperation(action)
  }

  /// Goes back to earlier edits, at most as far as the history goes.
  public static func undo(steps: Int = 1) -> EditOperation {
    var action = EditActions.Undo()
    action.steps = steps
    return EditOperation(action)
  }

  /// Brings back edits that were undone, at most as far as they go.
  public static func redo(steps: Int = 1) -> EditOperation {
    var action = EditActions.Redo()
    action.steps = steps
    return EditOperation(action)
  }

  /// Goes to a step of the history; 0 is the original.
  public static func goToStep(_ step: Int) -> EditOperation {
    var action = EditActions.GoToStep()
    action.step = step
    return EditOperation(action)
  }

  /// Keeps the present edit under a name.
  ///
  /// - Parameters:
  ///   - name: The version's name.
  ///   - copy: A copy of the photo's sidecar that a sync made of a conflict: its edit is kept, and not the present one.
  ///   - replacing: Whether a version of this name may be replaced.
  public static func saveVersion(
    named name: String, from copy: FilePath? = nil, replacing: Bool = false
  ) -> EditOperation {
    var action = EditActions.SaveVersion()
    (action.name, action.replace) = (VersionName(name), replacing)
    action.from = copy.map { FileName(path: $0) }
    return EditOperation(action)
  }

  /// Makes a named version the photo's edit.
  public static func useVersion(named name: String) -> EditOperation {
    var action = EditActions.UseVersion()
    action.name = VersionName(name)
    return EditOperation(action)
  }

  /// Drops a named version.
  public static func removeVersion(named name: String) -> EditOperation {
    var action = EditActions.RemoveVersion()
    action.name = VersionName(name)
    return EditOperation(action)
  }

  /// Keeps other machines' edits as versions.
  public static var mergeEdits: EditOperation { EditOperation(EditActions.MergeEdits()) }

  /// Drops the edit.
  ///
  /// - Parameters:
  ///   - keepingRender: Whether the render stays as a file of its own.
  ///   - droppingVersions: Whether the named versions go too; without it they keep the photo from being reverted.
  public static func revert(
    keepingRender: Bool = false, droppingVersions: Bool = false
  ) -> EditOperation {
    var action = EditActions.Revert()
    (action.keepRender, action.versions) = (keepingRender, droppingVersions)
    return EditOperation(action)
  }

  /// Renders the present edit once more, where its render is missing or outdated.
  public static var renderAgain: EditOperation { EditOperation(EditActions.RenderAgain()) }

  /// Gives the photo the edit that it left behind when it was moved or renamed.
  ///
  /// - Parameter former: Where the photo was, or the sidecar that is there still; `nil` when sidecar and photo were
  ///   renamed together. ``PhotoEditor/relink(_:recursively:lookingIn:rules:dryRun:_:)`` finds photos by their content.
  public static func relink(from former: FilePath?) -> EditOperation {
    var action = EditActions.Relink()
    action.from = former.map { FileName(path: $0) }
    return EditOperation(action)
  }

  /// Goes on with the edit although its original is another picture now.
  ///
  /// - Parameters:
  ///   - folders: Where else to look for the picture that was edited than in the photo's folder.
  ///   - takingFromOriginal: Whether the edit is taken even from the picture that was edited, where that is found.
  public static func acceptOriginal(
    lookingIn folders: [FilePath] = [], takingFromOriginal: Bool = false
  ) -> EditOperation {
    var action = EditActions.AcceptOriginal()
    (action.folders, action.fromOriginal) = (folders, takingFromOriginal)
    return EditOperation(action)
  }
}
