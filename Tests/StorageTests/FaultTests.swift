import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// What a reader sees of a photo.
struct View: Equatable {
  var edit: String?
  var render: String?
  var base: String?
  var video: String?
  /// What the renders of the versions say, by name.
  var versions: [String: String] = [:]
  /// The edits that can be undone, and those that can be redone.
  var history: [String] = []
  var redo: [String] = []
  /// Whether the edit is another program's.
  var isForeign = false
  /// The sidecar that the edit took the place of.
  var replaced: [UInt8]?

  /// - Parameter files: The photo, when it is not the one that the folder was made with.
  init(_ folder: PhotoFolder, of files: PhotoFiles? = nil) throws {
    self = try (files ?? folder.files).reading(timeout: .zero) { snapshot in
      try View(snapshot, folder)
    }
  }

  private init(_ snapshot: PhotoSnapshot, _ folder: PhotoFolder) throws {
    try snapshot.checkOriginal()
    try snapshot.check(.render)
    try snapshot.check(.base)
    try snapshot.check(.video)
    func text(_ path: FilePath?) -> String? {
      path.flatMap { folder.bytes($0) }.map { String(decoding: $0, as: UTF8.self) }
    }
    edit = snapshot.record.map { String(decoding: $0.adjustmentData.data, as: UTF8.self) }
    render = text(snapshot.render)
    base = text(snapshot.base)
    video = text(snapshot.path(of: .video))
    for version in snapshot.record?.versions ?? [] {
      try snapshot.check(.version(version.name))
      versions[version.name] = text(snapshot.path(of: .version(version.name))) ?? "missing"
    }
    func texts(_ entries: [HistoryEntry]?) -> [String] {
      (entries ?? []).compactMap(\.adjustmentData).map { String(decoding: $0.data, as: UTF8.self) }
    }
    history = texts(snapshot.record?.history)
    redo = texts(snapshot.record?.redo)
    isForeign = snapshot.record?.isForeign == true
    replaced = snapshot.record?.replacedSidecar.map(Array.init)
  }

  init(
    edit: String? = nil, base: String? = nil, video: String? = nil, over replaced: [UInt8]? = nil,
    after history: [String] = [], before redo: [String] = [], versions: [String: String] = [:]
  ) {
    self.history = history
    self.redo = redo
    self.versions = versions
    self.edit = edit
    self.render = edit.map { "render of \($0)" }
    self.base = base
    self.video = video
    self.replaced = replaced
  }

  /// What another program's sidecar alone looks like.
  init(foreign bytes: [UInt8]) throws {
    edit = String(decoding: try Record(parsing: bytes).adjustmentData.data, as: UTF8.self)
    isForeign = true
  }
}

/// A change to a photo, with what there is before and after.
enum Change: String, CaseIterable {
  case apply
  case reapply
  case reapplyOnNewBase
  case reapplyDroppingBase
  case revert
  case applyOverForeign
  case reapplyOverForeign
  case revertToForeign
  case undo
  case undoTheFirst
  case redoTwo
  case saveVersion
  case replaceVersion
  case removeVersion
  case applyBesideVersions
  case revertWithVersions
  case applyWithVideo
  case reapplyWithVideo
  case reapplyKeepingVideo
  case reapplyDroppingVideo
  case revertWithVideo

  /// The files beside the original before the change, to be put into many folders.
  func preparedFiles() throws -> [FilePath: [UInt8]] {
    let folder = PhotoFolder()
    switch self {
    case .apply, .applyWithVideo: break
    case .reapplyWithVideo, .reapplyKeepingVideo, .reapplyDroppingVideo, .revertWithVideo:
      try folder.edit("first", video: .new)
    case .reapply, .reapplyOnNewBase: try folder.edit("first", by: "com.example.other")
    case .reapplyDroppingBase, .revert:
      try folder.edit("first", by: "com.example.other")
      try folder.edit("second", base: .currentRender)
    case .applyOverForeign: folder.put(try Self.foreign(), at: folder.sidecar)
    case .reapplyOverForeign, .revertToForeign:
      folder.put(try Self.foreign(), at: folder.sidecar)
      try folder.edit("first", by: "com.example.other")
      try folder.edit("second", base: .currentRender)
    case .undo, .undoTheFirst, .redoTwo:
      try folder.edit("first")
      try folder.edit("second")
      try folder.edit("third")
      if self == .redoTwo { try folder.edit("first", history: .undo(steps: 2)) }
    case .saveVersion, .replaceVersion, .removeVersion, .applyBesideVersions,
      .revertWithVersions:
      try folder.edit("first")
      try folder.saveVersion("warm")
      if self == .revertWithVersions { try folder.saveVersion("cold") }
      try folder.edit("second")
    }
    let names = folder.names.filter { $0 != "beach.jpg" }
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, folder.bytes(folder.path.appending($0)) ?? []) })
  }

  /// Whether the change removes renders, and may do so beforehand on a full disk.
  var makesRoom: Bool {
    [.revert, .revertToForeign, .revertWithVersions, .revertWithVideo, .removeVersion]
      .contains(self)
  }

  /// What the data of an edit of nothing says.
  static let nothing = #"{"adjustments":[]}"#

  static func foreignEdit() throws -> String {
    String(decoding: try Record(parsing: foreign()).adjustmentData.data, as: UTF8.self)
  }

  static func foreign() throws -> [UInt8] { try ForeignSidecar.apple.bytes() }

  func run(_ folder: PhotoFolder, _ fileSystem: FileSystem) throws {
    switch self {
    case .apply, .reapply, .applyOverForeign, .reapplyOverForeign:
      try folder.edit("new", through: fileSystem)
    case .reapplyOnNewBase: try folder.edit("new", base: .currentRender, through: fileSystem)
    case .reapplyDroppingBase: try folder.edit("new", base: .none, through: fileSystem)
    case .revert, .revertToForeign, .revertWithVideo: try folder.revert(through: fileSystem)
    case .applyWithVideo, .reapplyWithVideo:
      try folder.edit("new", video: .new, through: fileSystem)
    case .reapplyKeepingVideo: try folder.edit("new", video: .kept, through: fileSystem)
    case .reapplyDroppingVideo: try folder.edit("new", through: fileSystem)
    case .undo: try folder.edit("second", history: .undo(steps: 1), through: fileSystem)
    case .undoTheFirst:
      try folder.edit(Self.nothing, history: .undo(steps: 3), through: fileSystem)
    case .redoTwo: try folder.edit("third", history: .redo(steps: 2), through: fileSystem)
    case .saveVersion: try folder.saveVersion("cold", through: fileSystem)
    case .replaceVersion: try folder.saveVersion("warm", replacing: true, through: fileSystem)
    case .removeVersion: try folder.removeVersion("warm", through: fileSystem)
    case .applyBesideVersions: try folder.edit("new", through: fileSystem)
    case .revertWithVersions: try folder.revert(droppingVersions: true, through: fileSystem)
    }
  }

  func old() throws -> View {
    switch self {
    case .apply, .applyWithVideo: View()
    case .reapplyWithVideo, .reapplyKeepingVideo, .reapplyDroppingVideo, .revertWithVideo:
      View(edit: "first", video: "video of first")
    case .reapply, .reapplyOnNewBase: View(edit: "first")
    case .reapplyDroppingBase, .revert:
      View(edit: "second", base: "render of first", after: ["first"])
    case .undo, .undoTheFirst: View(edit: "third", after: ["first", "second"])
    case .redoTwo: View(edit: "first", before: ["third", "second"])
    case .saveVersion, .replaceVersion, .removeVersion, .applyBesideVersions:
      View(edit: "second", after: ["first"], versions: ["warm": "render of first"])
    case .revertWithVersions:
      View(
        edit: "second", after: ["first"],
        versions: ["warm": "render of first", "cold": "render of first"])
    case .applyOverForeign: try View(foreign: Self.foreign())
    case .reapplyOverForeign, .revertToForeign:
      View(
        edit: "second", base: "render of first", over: try Self.foreign(),
        after: [try Self.foreignEdit(), "first"])
    }
  }

  func new() throws -> View {
    switch self {
    case .apply: View(edit: "new")
    case .applyWithVideo: View(edit: "new", video: "video of new")
    case .reapplyWithVideo: View(edit: "new", video: "video of new", after: ["first"])
    case .reapplyKeepingVideo: View(edit: "new", video: "video of first", after: ["first"])
    case .reapply, .reapplyDroppingVideo: View(edit: "new", after: ["first"])
    case .reapplyDroppingBase: View(edit: "new", after: ["first", "second"])
    case .reapplyOnNewBase: View(edit: "new", base: "render of first", after: ["first"])
    case .revert, .revertWithVersions, .revertWithVideo: View()
    case .applyOverForeign:
      View(edit: "new", over: try Self.foreign(), after: [try Self.foreignEdit()])
    case .reapplyOverForeign:
      View(
        edit: "new", base: "render of first", over: try Self.foreign(),
        after: [try Self.foreignEdit(), "first", "second"])
    case .undo: View(edit: "second", after: ["first"], before: ["third"])
    case .undoTheFirst: View(edit: Self.nothing, before: ["third", "second", "first"])
    case .redoTwo: View(edit: "third", after: ["first", "second"])
    case .saveVersion:
      View(
        edit: "second", after: ["first"],
        versions: ["warm": "render of first", "cold": "render of second"])
    case .replaceVersion:
      View(edit: "second", after: ["first"], versions: ["warm": "render of second"])
    case .removeVersion: View(edit: "second", after: ["first"])
    case .applyBesideVersions:
      View(edit: "new", after: ["first", "second"], versions: ["warm": "render of first"])
    case .revertToForeign: try View(foreign: Self.foreign())
    }
  }
}

extension View {
  /// The same with all renders missing.
  var withoutRenders: View {
    var view = self
    (view.render, view.video) = (nil, nil)
    view.versions = versions.mapValues { _ in "missing" }
    return view
  }

  /// The names that this view's files have once nothing is left to recover.
  var names: [FilePath] {
    guard edit != nil else { return ["beach.jpg"] }
    if isForeign { return ["beach.jpg", "beach.jpg.aae"] }
    let base: [FilePath] = base == nil ? [] : ["beach_base.jpg"]
    let versions = versions.keys.sorted().map { FilePath("beach_edited-\($0).jpg") }
    let video: [FilePath] = video == nil ? [] : ["beach_edited.mov"]
    return ["beach.jpg", "beach.jpg.aae"] + base + versions + ["beach_edited.jpg"] + video
  }
}

@Suite struct FaultTests {
  @Test(arguments: Change.allCases, FaultInjection.Kind.tried)
  func whateverStepFailsReadersSeeTheOldEditOrTheNew(
    change: Change, kind: FaultInjection.Kind
  ) throws {
    try check(change, kind, isHolding: false)
  }

  /// Changes of several photos are made ready together before any of them is made.
  @Test(arguments: Change.allCases, [FaultInjection.Kind.crash])
  func thatHoldsForChangesThatAreHeldToo(
    change: Change, kind: FaultInjection.Kind
  ) throws {
    try check(change, kind, isHolding: true)
  }

  private func check(_ change: Change, _ kind: FaultInjection.Kind, isHolding: Bool) throws {
    let files = try change.preparedFiles()
    let (old, new) = (try change.old(), try change.new())
    var outcomes: Set<Bool> = []
    for step in 1... {
      let folder = PhotoFolder(isHolding: isHolding)
      for (name, bytes) in files { folder.put(bytes, at: folder.path.appending(name)) }
      let original = try #require(try FileSystem.real.status(of: folder.photo))
      let faults = FaultInjection(kind, at: step)
      let succeeded = (try? change.run(folder, faults.fileSystem)) != nil
      outcomes.insert(succeeded)

      try #expect(FileSystem.real.status(of: folder.photo) == original)
      let seen = try View(folder)
      // A dead process tells nobody; all others must have told the truth.
      let expected =
        kind == .crash ? [old, new] : [succeeded ? new : old]
      if !succeeded, kind == .diskFullFromThenOn, change.makesRoom, seen != old {
        // On a disk that stays full, renders that the old edit makes again went for room.
        #expect(seen.withoutRenders == old.withoutRenders, "step \(step)")
        try folder.files.begin(timeout: .zero).end()
        #expect(Set(folder.names).isSubset(of: old.names), "step \(step): \(folder.names)")
        try #expect(FileSystem.real.status(of: folder.photo) == original)
        continue
      }
      #expect(expected.contains(seen), "step \(step)")

      let transaction = try folder.files.begin(timeout: .zero)
      #expect(!transaction.snapshot.needsRecovery)
      transaction.end()
      try #expect(View(folder) == seen, "after recovery from step \(step)")
      #expect(folder.names == seen.names, "after recovery from step \(step)")
      if seen.isForeign { #expect(try folder.bytes(folder.sidecar) == Change.foreign()) }
      try #expect(FileSystem.real.status(of: folder.photo) == original)
      #expect(folder.text("beach.jpg") == "pixels of beach.jpg")
      if !faults.wasReached {
        #expect(succeeded && seen == new)
        break
      }
    }
    #expect(outcomes == [true, false])
  }

  @Test(arguments: Change.allCases)
  func aCrashDuringRecoveryIsRecoveredFromToo(change: Change) throws {
    let files = try change.preparedFiles()
    for step in 1... {
      var lastStepOfChange = false
      // Every few steps, others each time: together they are all of them.
      let gap = Rounds.count(48, long: 4)
      for recoveryStep in stride(from: 1 + step % gap, to: .max, by: gap) {
        let folder = PhotoFolder()
        for (name, bytes) in files { folder.put(bytes, at: folder.path.appending(name)) }
        let faults = FaultInjection(.crash, at: step)
        _ = try? change.run(folder, faults.fileSystem)
        lastStepOfChange = !faults.wasReached
        // Without anything hidden there is nothing to recover, and nothing new to learn.
        if !folder.names.contains(where: { $0.string.hasPrefix(".") }) { break }
        let seen = try View(folder)

        let recoveryFaults = FaultInjection(.crash, at: recoveryStep)
        _ = try? PhotoFiles(folder.photo, fileSystem: recoveryFaults.fileSystem)
          .begin(timeout: .zero)
        try #expect(View(folder) == seen, "steps \(step), \(recoveryStep)")
        try folder.files.begin(timeout: .zero).end()
        #expect(folder.names == seen.names, "steps \(step), \(recoveryStep)")
        if seen.isForeign { #expect(try folder.bytes(folder.sidecar) == Change.foreign()) }
        if !recoveryFaults.wasReached { break }
      }
      if lastStepOfChange { break }
    }
  }
}
