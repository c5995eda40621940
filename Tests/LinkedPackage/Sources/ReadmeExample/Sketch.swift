import Foundation

/// Stands for the parameters of somebody's own edit.
let parameters = Data("pencil".utf8)

/// Stands for somebody's own edit, which turns a picture into an upright JPEG.
func sketch(_ picture: URL) throws -> Data {
  try Data(contentsOf: picture)
}

/// Stands for somebody's own screen.
func show(_ picture: Data) {}
