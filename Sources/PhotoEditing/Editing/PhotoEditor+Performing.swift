import Glibc
import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// The one way from a photo to a result: open it, plan, and report or perform the plan.
extension PhotoEditor {
  /// What a call does with the files of a photo that is not a dry run.
  enum FileAccess: Sendable {
    /// It reads them.
    case reading
    /// It changes them. Nobody else may read them meanwhile.
    case changing
    /// It moves an edit to the photo from where the photo was before; `nil` when record and photo
    /// were renamed together.
    case relinking(from: FilePath?)
  }

  /// Opens a photo, has a call plan what it changes, and performs the plan unless it is a dry run.
  func perform(
    on photo: Photo, _ access: FileAccess = .changing, dryRun: Bool,
    _ plan: (OpenEdit) throws -> EditPlan
  ) async throws(EditError) -> EditResult {
    try await working(on: photo.path) { cancellation in
      try perform(
        on: photo, access, EditCall(dryRun: dryRun, cancellation: cancellation), plan)
    }
  }

  /// The same for a call that works on the editor's thread already.
  func perform(
    on photo: Photo, _ access: FileAccess, _ call: EditCall,
    _ plan: (OpenEdit) throws -> EditPlan
  ) throws -> EditResult {
    let cancellation = call.cancellation
    let transaction: Transaction
    var holder: Transaction?
    defer { holder?.end() }
    switch access {
    case .changing where !call.dryRun:
      transaction = try waiting(cancellation) { timeout in
        try files(of: photo).begin(timeout: timeout, holding: configuration.holdsChanges)
      }
    case .relinking(let former) where !call.dryRun:
      // Another photo may have the former name; nobody may edit it meanwhile.
      let other =
        try former.flatMap { former in
          let isOther =
            try fileSystem.exists(former) && !fileSystem.areSameFile(former, photo.path)
          return isOther ? Photo(path: former) : nil
        }
      (holder, transaction) = try waiting(cancellation) { timeout in
        let holder = try other.map { try files(of: $0).begin(timeout: timeout) }
        do {
          return (holder, try files(of: photo).begin(timeout: timeout, former: former))
        } catch {
          // Two photos that give each other their edits must not wait for each other.
          holder?.end()
          usleep(.random(in: 0...50_000))
          throw error
        }
      }
    case .reading, .changing, .relinking:
      return try reading(photo, cancellation) { snapshot in
        try checkRevision(of: photo, call)
        let (edit, plan) = try open(snapshot).followingOriginal { ($0, try plan($0)) }
        guard call.dryRun else { return try perform(plan, on: edit, cancellation) }
        // A dry run, too, throws when the file is no picture that can be rendered.
        if let start = plan.start { try edit.pixels(of: start).checkDecoder() }
        try tryOutput(of: plan, on: edit, cancellation)
        // And when nothing may be written where the files belong.
        if let file = plan.newFile {
          try fileSystem.checkMayMake(file.path, makingFolders: file.makesFolders)
        } else if let folder = plan.folder(of: edit) {
          try fileSystem.checkMayWrite(in: folder)
        }
        let report = plan.report.adding(
          [], render: nil, isUnfinished: false, isLossless: plan.isLossless(of: edit))
        if case .reading = access { return report }
        return report.adding(edit: plan.edit(of: edit), revision: try? revision(of: photo))
      }
    }
    defer { end(transaction, of: photo) }
    try checkRevision(of: photo, call)
    let (edit, plan) = try open(transaction.snapshot, in: transaction)
      .followingOriginal { ($0, try plan($0)) }
    let watched = WatchedFiles(plan.isNothing ? [] : plan.files(of: edit), fileSystem)
    let result = try perform(plan, on: edit, cancellation)
    if case .reading = access { return result }
    return result.adding(
      edit: plan.edit(of: edit), revision: try? revision(of: photo),
      files: watched.changes(with: plan.isNothing ? [] : [result.rendered]))
  }

  /// The photo's revision; see ``EditResult/revision``.
  private func revision(of photo: Photo) throws -> String {
    try PhotoRevision(photo.path, fileSystem: fileSystem).revision
  }

  /// Throws when a photo is not as it was at the revision that a call is made for.
  ///
  /// - Throws: ``EditError/inputOutdated(_:)``.
  private func checkRevision(of photo: Photo, _ call: EditCall) throws {
    if let required = call.revision, try revision(of: photo) != required {
      throw EditError.inputOutdated(photo.path)
    }
  }

  /// Opens a photo for reading: nobody can change its files until `body` is done.
  ///
  /// - Parameter canHandle: Which earlier edits the caller can go on from.
  func reading<Result>(
    _ photo: Photo, canHandle: ((AdjustmentData) -> Bool)? = EditStack.canHandle,
    _ body: (OpenEdit, RenderCancellation) throws -> Result
  ) async throws(EditError) -> Result {
    try await working(on: photo.path) { cancellation in
      try reading(photo, cancellation) { snapshot in
        try open(snapshot, canHandle: canHandle)
          .followingOriginal { edit in try body(edit, cancellation) }
      }
    }
  }

  /// What `body` makes of a photo's files while nobody can change them.
  nonisolated func reading<Result>(
    _ photo: Photo, _ cancellation: RenderCancellation, _ body: (PhotoSnapshot) throws -> Result
  ) throws -> Result {
    try waiting(cancellation) { timeout in
      try files(of: photo).reading(timeout: timeout, body)
    }
  }

  /// Waits for other programs in short intervals, so that a cancelled call ends soon.
  nonisolated func waiting<Result>(
    _ cancellation: RenderCancellation, _ open: (_ timeout: Duration) throws -> Result
  ) throws -> Result {
    let start = ContinuousClock.now
    while true {
      let left = max(.zero, configuration.lockTimeout - (ContinuousClock.now - start))
      let interval = min(left, .milliseconds(250))
      do {
        return try open(interval)
      } catch StorageError.busy(let path, let waited, let process) {
        if cancellation.isCancelled { throw CancellationError() }
        // Where there is no use in waiting, nobody waited.
        guard waited > .zero, interval < left else {
          let total = waited == .zero ? waited : ContinuousClock.now - start
          throw StorageError.busy(path, waited: total, process: process)
        }
      }
    }
  }

  nonisolated func open(
    _ snapshot: PhotoSnapshot, in transaction: Transaction? = nil,
    canHandle: ((AdjustmentData) -> Bool)? = EditStack.canHandle
  ) -> OpenEdit {
    OpenEdit(
      LockedFiles(snapshot: snapshot, fileSystem: fileSystem, configuration: configuration),
      in: transaction, canHandle: canHandle)
  }

  /// Throws what the run would throw of what the output of a new picture names.
  private func tryOutput(
    of plan: EditPlan, on edit: OpenEdit, _ cancellation: RenderCancellation
  ) throws {
    guard case .write(let picture) = plan.change, case .photo = picture.content,
      picture.output.needsTrial
    else { return }
    try darkroom.tryOutput(
      picture.output, of: edit.pixels(of: picture.shown).source, edit: picture.shown.needed,
      cancellation: cancellation)
  }

  /// Performs a plan.
  private func perform(
    _ plan: EditPlan, on edit: OpenEdit, _ cancellation: RenderCancellation
  ) throws -> EditResult {
    let done: Performed =
      switch plan.change {
      case .none: Performed()
      case .write(let picture):
        Performed(try write(picture, of: edit, cancellation))
      case .commit(let new): try commit(new, of: edit, cancellation)
      case .revert(let keepingRender, let droppingVersions):
        Performed(
          try edit.changing.revert(
            keepingRender: keepingRender, droppingVersions: droppingVersions))
      case .saveVersion(let name, let replacing):
        Performed(try edit.changing.saveVersion(named: name, replacing: replacing))
      case .keep(let edits, let records, let copies):
        try keep(edits, of: records, puttingAway: copies, in: edit, cancellation)
      case .removeVersion(let name): Performed(try edit.changing.removeVersion(named: name))
      case .move(let move): try moveEdit(move, by: edit)
      }
    return plan.report.adding(
      done.warnings, render: done.render, isUnfinished: done.isUnfinished,
      isLossless: done.isLossless)
  }

  /// What came up while a plan was performed.
  private struct Performed {
    var warnings: [String] = []
    /// Where a new render went; another photo may have taken the name that was planned.
    var render: FilePath?
    /// Whether files were left for the next call to put into their places.
    var isUnfinished = false
    /// Whether the new render or the picture has the coefficients of a JPEG.
    var isLossless = false

    /// A picture that was drawn.
    init(_ report: Renderer.Report) {
      (warnings, isLossless) = (report.warnings.map(\.description), report.isLossless)
    }

    init(warnings: [String] = []) { self.warnings = warnings }

    init(_ outcome: ChangeOutcome, warnings: [String] = []) {
      self.warnings = warnings
      guard let unfinished = outcome.unfinished else { return }
      isUnfinished = true
      self.warnings.append(
        "The edit is stored, but its files are not all in place; the next call finishes that. "
          + unfinished.description)
    }
  }

  /// Makes an edit the photo's.
  private func commit(
    _ new: NewEdit, of edit: OpenEdit, _ cancellation: RenderCancellation
  ) throws -> Performed {
    let transaction = edit.changing
    var new = new
    let keyPhoto = try new.keyPhoto.map { try stageKeyPhoto($0, of: edit, cancellation) }
    if let keyPhoto { new.start = EditStart(pixels: .base, path: keyPhoto.path) }
    let base: BasePhoto =
      switch new.start.pixels {
      case .base where keyPhoto != nil: keyPhoto.map(BasePhoto.replace) ?? .keep
      case .original: .none
      case .base: .keep
      case .render: .replace(try transaction.stageBaseFromCurrentRender())
      }
    var warnings: [RenderWarning] = []
    let video = try stageVideo(for: new, of: edit, cancellation)
    let render: StagedRender?
    switch new.render {
    case .rendered(let stack, let output):
      (render, warnings) = try stage(
        stack, as: output, from: new.start, naming: new.data, with: video.inner, of: edit,
        cancellation)
    case .copied(let copy):
      (render, warnings) = try stage(copy, with: video.inner, by: transaction)
    case .converted(let picture):
      (render, warnings) = try stageConverted(
        picture, for: new, of: edit, by: transaction, cancellation)
    case .withNewMetadata(let present):
      (render, warnings) = try stageRenewedRender(present, for: new, with: video.inner, of: edit)
    case .none: render = nil
    }
    var versions: [StagedRender] = []
    for version in new.versions {
      if version.isPresent, let render {
        versions.append(try transaction.stageCopy(of: render, forVersion: version.name))
        continue
      }
      let (staged, more) = try stage(version, of: edit, cancellation)
      versions.append(staged)
      warnings += more.filter { !warnings.contains($0) }
    }
    // The warning with the reason replaces the plain one.
    if video.replacesRendererWarning { warnings.removeAll { $0.isAboutInnerVideo } }
    var texts = warnings.map(\.description)
    texts += video.warnings.filter { !texts.contains($0) }
    // The last strips of a render ask no more.
    if cancellation.isCancelled { throw CancellationError() }
    var staged = StagedEdit(
      new.data, editor: new.editorBundleIdentifier ?? configuration.editorBundleIdentifier,
      timestamp: new.date ?? configuration.now(), render: render)
    (staged.base, staged.history, staged.versions) = (base, new.history, versions)
    (staged.acceptsOriginal, staged.converted) = (new.acceptsOriginal, new.turned)
    staged.keepsVideo = video.isKept
    let outcome = try transaction.commit(staged)
    var done = Performed(outcome, warnings: texts)
    (done.render, done.isLossless) = (outcome.render, render?.isLossless == true)
    return done
  }

  /// Keeps other machines' edits under names.
  private func keep(
    _ edits: [KeptEdit], of records: [Record], puttingAway copies: [FilePath], in edit: OpenEdit,
    _ cancellation: RenderCancellation
  ) throws -> Performed {
    let transaction = edit.changing
    var done = Performed()
    if !edits.isEmpty {
      var kept: [KeptVersion] = []
      for new in edits {
        let render: StagedRender
        switch new.render {
        case .rendered(let stack, let output):
          let version = RenderedVersion(
            name: new.name, stack: stack, start: new.start, output: output)
          let warnings: [RenderWarning]
          (render, warnings) = try stage(version, of: edit, cancellation)
          done.warnings += warnings.map(\.description).filter { !done.warnings.contains($0) }
        case .copied(let copy):
          (render, _) = try stage(copy, ofVersion: new.name, by: transaction)
        case .converted, .withNewMetadata, .none:
          preconditionFailure("A version that is kept gets a render of its own.")
        }
        kept.append(KeptVersion(new.edit, after: new.earlier, render: render))
      }
      if cancellation.isCancelled { throw CancellationError() }
      let outcome = try transaction.keepVersions(kept, of: records)
      done = Performed(outcome, warnings: done.warnings)
    }
    // The copies stay until the versions count; “edit verify --fix” puts away those that stay.
    guard !transaction.holdsChange, !done.isUnfinished, !copies.isEmpty else { return done }
    let names = (copies + edit.files.knownConflictRenders()).compactMap(\.lastComponent)
    do {
      try FolderTrash(edit.path.removingLastComponent(), fileSystem)
        .put(names, named: edit.path.lastComponent ?? edit.path)
    } catch {
      done.warnings.append("The copies stay where they are. \(error.description)")
    }
    return done
  }

  /// Moves an edit to the photo.
  private func moveEdit(_ move: EditMove, by edit: OpenEdit) throws -> Performed {
    var done = Performed()
    if let unfinished = try edit.changing.moveEdit(move) {
      done.isUnfinished = true
      done.warnings = [
        "The edit has moved, but not all files are in place; relinking again finishes that. "
          + unfinished.description
      ]
    }
    return done
  }

  /// Writes a picture of a photo that becomes no part of the photo.
  ///
  /// - Returns: What the renderer says of it.
  private func write(
    _ picture: NewPicture, of edit: OpenEdit, _ cancellation: RenderCancellation
  ) throws -> Renderer.Report {
    if let file = picture.target.newFolders { try fileSystem.createFolders(file, mode: 0o755) }
    let original = try edit.reference(export: edit.files.mark(of: picture))
    func draw(to append: @escaping (UnsafeRawBufferPointer) throws -> Void) throws
      -> Renderer.Report
    {
      try darkroom.draw(
        picture.content, showing: picture.shown, of: edit, as: picture.output,
        derivedFrom: original, cancellation: cancellation, to: append)
    }
    switch picture.target {
    case .stream(let stream): return try draw(to: stream)
    case .file(let path, let existing, _):
      let replacing = existing == .replaced || existing == .renewed
      // Not more readable than the original.
      let original = try fileSystem.statusFollowingLinks(of: edit.path)
      let mode = 0o644 & (original?.modeOfCompanion ?? 0o644)
      let report = try fileSystem.writeWhole(path, replacing: replacing, mode: mode) { sink in
        let report = try draw { bytes in try sink.write(bytes) }
        if cancellation.isCancelled { throw CancellationError() }
        // A photo may have come to the path meanwhile.
        try edit.files.checkDestination(path, replacing: replacing)
        return report
      }
      guard let report else { throw EditError.destinationTaken(path, .exists) }
      return report
    }
  }
}
