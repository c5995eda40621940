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

try await editor.revertAssetContentToOriginal(photo)
