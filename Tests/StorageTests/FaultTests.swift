import Testing

@testable import Storage

/// What a reader sees of a photo.
private struct View: Equatable {
  var edit: String?
  var render: String?
  var base: String?

  init(_ folder: PhotoFolder) throws {
    self = try folder.files.reading(timeout: .zero) { snapshot in try View(snapshot, folder) }
  }

  private init(_ snapshot: AssetSnapshot, _ folder: PhotoFolder) throws {
    try snapshot.checkOriginal()
    try snapshot.checkRender()
    try snapshot.checkBase()
    func text(_ path: FilePath?) -> String? {
      path.flatMap { folder.bytes($0) }.map { String(decoding: $0, as: UTF8.self) }
    }
    edit = snapshot.record.map { String(decoding: $0.adjustmentData.data, as: UTF8.self) }
    render = text(snapshot.render)
    base = text(snapshot.base)
  }

  init(edit: String? = nil, base: String? = nil) {
    self.edit = edit
    self.render = edit.map { "render of \($0)" }
    self.base = base
  }
}

/// A change to a photo, with what there is before and after.
private enum Change: String, CaseIterable {
  case apply
  case reapply
  case reapplyOnNewBase
  case reapplyDroppingBase
  case revert

  /// The files beside the original before the change, to be put into many folders.
  func preparedFiles() throws -> [FilePath: [UInt8]] {
    let folder = PhotoFolder()
    if self == .apply { return [:] }
    try folder.edit("first", by: "com.example.other")
    if self == .reapplyDroppingBase || self == .revert {
      try folder.edit("second", base: .currentRender)
    }
    let names = folder.names.filter { $0 != "beach.jpg" }
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, folder.bytes(folder.path.appending($0)) ?? []) })
  }

  func run(_ folder: PhotoFolder, _ fileSystem: FileSystem) throws {
    switch self {
    case .apply, .reapply: try folder.edit("new", through: fileSystem)
    case .reapplyOnNewBase: try folder.edit("new", base: .currentRender, through: fileSystem)
    case .reapplyDroppingBase: try folder.edit("new", base: .none, through: fileSystem)
    case .revert: try folder.revert(through: fileSystem)
    }
  }

  var old: View {
    switch self {
    case .apply: View()
    case .reapply, .reapplyOnNewBase: View(edit: "first")
    case .reapplyDroppingBase, .revert: View(edit: "second", base: "render of first")
    }
  }

  var new: View {
    switch self {
    case .apply, .reapply, .reapplyDroppingBase: View(edit: "new")
    case .reapplyOnNewBase: View(edit: "new", base: "render of first")
    case .revert: View()
    }
  }
}

extension View {
  /// The names that this view's files have once nothing is left to recover.
  fileprivate var names: [FilePath] {
    guard edit != nil else { return ["beach.jpg"] }
    let base: [FilePath] = base == nil ? [] : ["beach_base.jpg"]
    return ["beach.jpg", "beach.jpg.aae"] + base + ["beach_edited.jpg"]
  }
}

@Suite struct FaultTests {
  @Test(arguments: Change.allCases, FaultInjection.Kind.allCases)
  fileprivate func whateverStepFailsReadersSeeTheOldEditOrTheNew(
    change: Change, kind: FaultInjection.Kind
  ) throws {
    let files = try change.preparedFiles()
    var outcomes: Set<Bool> = []
    for step in 1... {
      let folder = PhotoFolder()
      for (name, bytes) in files { folder.put(bytes, at: folder.path.appending(name)) }
      let original = try #require(try FileSystem.real.status(of: folder.photo))
      let faults = FaultInjection(kind, at: step)
      let succeeded = (try? change.run(folder, faults.fileSystem)) != nil
      outcomes.insert(succeeded)

      try #expect(FileSystem.real.status(of: folder.photo) == original)
      let seen = try View(folder)
      // A dead process tells nobody; all others must have told the truth.
      let expected =
        kind == .crash ? [change.old, change.new] : [succeeded ? change.new : change.old]
      #expect(expected.contains(seen), "step \(step)")

      let transaction = try folder.files.begin(timeout: .zero)
      #expect(!transaction.snapshot.needsRecovery)
      transaction.end()
      try #expect(View(folder) == seen, "after recovery from step \(step)")
      #expect(folder.names == seen.names, "after recovery from step \(step)")
      try #expect(FileSystem.real.status(of: folder.photo) == original)
      #expect(folder.text("beach.jpg") == "pixels of beach.jpg")
      if !faults.wasReached {
        #expect(succeeded && seen == change.new)
        break
      }
    }
    #expect(outcomes == [true, false])
  }

  @Test(arguments: Change.allCases)
  fileprivate func aCrashDuringRecoveryIsRecoveredFromToo(change: Change) throws {
    let files = try change.preparedFiles()
    for step in 1... {
      var lastStepOfChange = false
      for recoveryStep in 1... {
        let folder = PhotoFolder()
        for (name, bytes) in files { folder.put(bytes, at: folder.path.appending(name)) }
        let faults = FaultInjection(.crash, at: step)
        _ = try? change.run(folder, faults.fileSystem)
        lastStepOfChange = !faults.wasReached
        // Without anything hidden there is nothing to recover, and nothing new to learn.
        if !folder.names.contains(where: { $0.string.hasPrefix(".") }) { break }
        let seen = try View(folder)

        let recoveryFaults = FaultInjection(.crash, at: recoveryStep)
        _ = try? AssetFiles(folder.photo, fileSystem: recoveryFaults.fileSystem)
          .begin(timeout: .zero)
        try #expect(View(folder) == seen, "steps \(step), \(recoveryStep)")
        try folder.files.begin(timeout: .zero).end()
        #expect(folder.names == seen.names, "steps \(step), \(recoveryStep)")
        if !recoveryFaults.wasReached { break }
      }
      if lastStepOfChange { break }
    }
  }
}
