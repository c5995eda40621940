import PhotoEditing

let photo = Photo(path: "beach.jpg")
let editor = PhotoEditor()
try await editor.apply(Filter.named("noir").applied(intensity: 0.8), to: photo)

// Any program can edit under its own identifier, on top of what is there.
let input = try await editor.contentEditingInput(for: photo)
let output = ContentEditingOutput(contentEditingInput: input)
output.adjustmentData = AdjustmentData(
  formatIdentifier: "com.example.sketch", formatVersion: "1.0", data: parameters)
try sketch(input.fullSizeImageURL).write(to: output.renderedContentURL)  // an upright JPEG
try await editor.commit(output)

// For editing by eye: decoded once, and shown with one edit after another.
let session = try await EditSession(photo, fitting: PixelSize(width: 1600, height: 1200))
var edit = session.currentEdit
try edit.set("exposure", to: "0.5")
show(try await session.draft(of: edit).jpegData)  // quick, for a slider that moves
show(try await session.preview(of: edit).jpegData)  // a newer call makes an older one end
try await session.commit(edit)
await session.close()

try await editor.revertAssetContentToOriginal(photo)
