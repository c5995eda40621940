import FoundationEssentials
import SafelightAdjustments
import SafelightDarkroom
import SafelightFiles
import SafelightFormats
import SafelightMetadata
import SafelightRendering
import SafelightStorage

extension EditActions {
  /// Takes another frame of the photo's video as the picture that edits start from.
  package struct KeyPhoto: EditAction {
    package static let id = "key-photo"
    package static let summary = "Take a frame of the video as the photo's picture."
    package static let rules: [ParameterRule] = [.one(["at", "frame", "original"])]
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.at, "at", range: 0...3600, unit: .seconds,
        summary: "The frame that is shown then, in seconds of the camera's video."),
      Parameter(
        \.frame, "frame", range: 0...1_000_000,
        summary: "The frame of a number; the first is 0."),
      Parameter(\.original, "original", summary: "Take the camera's still again."),
    ]

    package var at: Double?
    package var frame: Int?
    package var original = false

    package init() {}

    package var did: String { original ? "the camera's still again" : "another key photo" }

    package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
      if let skip = try edit.planToSkip() { return skip }
      let place = at.map(VideoPlace.time) ?? frame.map(VideoPlace.frame)
      return try edit.planToTakeKeyPhoto(original ? nil : place, quality: call.quality)
    }
  }
}

extension EditOperation {
  /// Takes the frame that the photo's video shows at a time as the picture that edits start from.
  ///
  /// - Parameter time: In seconds of the camera's video; `nil` takes the camera's still again.
  public static func keyPhoto(at time: Double?) -> EditOperation {
    var action = EditActions.KeyPhoto()
    (action.at, action.original) = (time, time == nil)
    return EditOperation(action)
  }
}

/// What the metadata of a key photo say in place of an edit: from which time of the video it is.
struct KeyPhotoMark {
  /// In seconds of the camera's video.
  let time: Double

  private static let words = "key photo "

  init(time: Double) { self.time = time }

  /// Reads what a picture's metadata say; `nil` for another picture.
  init?(_ reference: OriginalReference?) {
    guard let reference, reference.manager == OriginalReference.safelight,
      let digits = reference.edit?.utf8.map({ $0 }), digits.count % 2 == 0, digits.count < 128
    else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { place in
      UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix(Self.words), let time = Double(String(text.dropFirst(Self.words.count))),
      (0...3600).contains(time)
    else { return nil }
    self.time = time
  }

  /// The text in hexadecimal digits, as references name edits.
  var text: String {
    (Self.words + time.decimal(digits: 6)).utf8.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

extension OpenEdit {
  /// From which time of the video the picture is that an edit starts from, in seconds; `nil` for one that is no key photo.
  func keyPhotoTime(of start: EditStart) -> Double? {
    guard start.pixels == .base else { return nil }
    return KeyPhotoMark(try? pixels(of: start).derivedFrom())?.time
  }

  /// A plan to let the photo's edit start from a frame of the video.
  ///
  /// - Parameter place: Which frame; `nil` is the camera's still.
  fileprivate func planToTakeKeyPhoto(_ place: VideoPlace?, quality: Int?) throws -> EditPlan {
    try checkForEdit()
    let stack = try stack()
    try stack.checkIsKnown()
    let recorded = record?.render.flatMap { RendererDescription($0.renderer).quality }
    let output = RendererDescription(quality: quality ?? recorded).output
    let present = keyPhotoTime(of: try start())
    guard let place else {
      if present == nil { return .nothing(.sameEdit, for: self) }
      return try planToCommit(
        NewEdit(
          data: stack.adjustmentData, start: originalStart, render: .rendered(stack, output)))
    }
    guard let video = PhotoVideo(of: path, .real) else { throw EditError.noVideo(path) }
    switch place {
    case .time(let time):
      if let present, abs(present - time) < 0.001 { return .nothing(.sameEdit, for: self) }
      if time >= video.duration {
        throw Self.refused("The video is only \(video.duration.decimal(digits: 2)) s long.")
      }
    case .frame(let number):
      if number >= video.frameCount {
        throw Self.refused("The video has only \(video.frameCount) frames.")
      }
    }
    // The frame takes the base's place when the plan is performed.
    return try planToCommit(
      NewEdit(
        data: stack.adjustmentData, start: EditStart(pixels: .base, path: path),
        render: .rendered(stack, output), keyPhoto: place))
  }

  fileprivate static func refused(_ sentence: String) -> EditError {
    .invalidOperation(.contradiction(sentence, of: EditActions.KeyPhoto.id))
  }
}

extension PhotoSnapshot {
  /// From which time of the video the base photo is, in seconds; `nil` for a photo without such a base.
  var keyPhotoTime: Double? {
    guard record?.base != nil, let base,
      let beginning = try? original.fileSystem.beginningOfFile(at: base)
    else { return nil }
    return KeyPhotoMark(XMPPacket.derivedFrom(inJPEG: Data(beginning)))?.time
  }
}

extension PhotoEditor {
  /// Stages a frame of the camera's video as the picture that an edit starts from, with the original's metadata.
  ///
  /// - Throws: ``EditError`` when the frame cannot be taken.
  func stageKeyPhoto(
    _ place: VideoPlace, of edit: OpenEdit, _ cancellation: RenderCancellation
  ) throws -> StagedFile {
    guard let video = PhotoVideo(of: edit.path, .real) else { throw EditError.noVideo(edit.path) }
    do {
      let frame = try renderer(cancellation).frame(of: video.bytes(fileSystem), at: place)
      let mark = KeyPhotoMark(time: frame.time)
      let original = try edit.reference()
      let reference = OriginalReference(
        fileName: original.fileName, sha256: try edit.files.originalDigest().description,
        edit: mark.text)
      var plain: [UInt8] = []
      _ = try darkroom.render(
        source(of: frame.picture), edit: EditStack(),
        as: RenderOutput(format: .jpeg, quality: 97, following: .nothing), derivedFrom: reference,
        cancellation: cancellation
      ) { plain += $0 }
      var whole: [UInt8] = []
      let warnings = try Renderer().renewMetadata(
        of: source(of: plain), madeFrom: edit.pixels(of: edit.originalStart).header(),
        with: EditStack(), derivedFrom: reference
      ) { whole += $0 }
      guard warnings != nil else { throw VideoFailure.unsupported("its frame cannot be stored") }
      return try edit.changing.stageBase(whole)
    } catch let failure as VideoFailure {
      throw OpenEdit.refused("No frame can be taken from the video: \(failure.description).")
    }
  }

  /// A picture in memory.
  private func source(of bytes: [UInt8]) throws -> PhotoSource {
    guard let file = OpenFile.ofMemory("safelight-picture") else {
      throw VideoFailure.failed("there is no memory for it")
    }
    try FileSystem.real.write(bytes, to: file)
    return configuration.source(file, name: "frame")
  }
}
