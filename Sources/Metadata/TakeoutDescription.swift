import FoundationEssentials
import SafelightFiles
import SafelightFormats

/// What Google Photos knows of a photo, as Takeout writes it beside the photo: `IMG.jpg.supplemental-metadata.json`.
///
/// The file is only read, and counts where the photo's own metadata say nothing.
package struct TakeoutDescription: Sendable, Hashable {
  /// The most bytes that such a file may have: 1 MiB.
  package static let maximumSize = 1 << 20

  /// When the photo was taken; `nil` when not recorded.
  package let creationDate: Date?
  /// Degrees north of the equator; `nil` when not recorded.
  package let latitude: Double?
  /// Degrees east of Greenwich; `nil` when not recorded.
  package let longitude: Double?
  /// What the user wrote about it; `nil` for nothing.
  package let caption: String?
  /// Whether it is a favorite.
  package let isFavorite: Bool

  /// Reads a description; `nil` for other JSON and other files.
  package init?(parsing bytes: [UInt8]) {
    guard bytes.count <= Self.maximumSize, let json = try? JSONValue(parsing: bytes),
      json["title"]?.string != nil,
      json["photoTakenTime"] != nil || json["creationTime"] != nil || json["geoData"] != nil
    else { return nil }
    func moment(_ name: String) -> Date? {
      let stamp = json[name]?["timestamp"]
      let seconds = stamp?.number ?? stamp?.string.flatMap(Double.init)
      guard let seconds, abs(seconds) < 1e11, seconds != 0 else { return nil }
      return Date(timeIntervalSince1970: seconds)
    }
    creationDate = moment("photoTakenTime")
    let places = ["geoData", "geoDataExif"].compactMap { name -> (Double, Double)? in
      guard let north = json[name]?["latitude"]?.number,
        let east = json[name]?["longitude"]?.number,
        (-90...90).contains(north), (-180...180).contains(east), north != 0 || east != 0
      else { return nil }
      return (north, east)
    }
    (latitude, longitude) = (places.first?.0, places.first?.1)
    let text = json["description"]?.string?.withoutOuterSpaces ?? ""
    caption = text.isEmpty ? nil : text
    if case .bool(true)? = json["favorited"]?.content {
      isFavorite = true
    } else {
      isFavorite = false
    }
  }

  /// Reads the file; `nil` when it is none.
  package init?(at path: FilePath, _ fileSystem: FileSystem) {
    guard let bytes = try? fileSystem.contents(of: path, limit: Self.maximumSize) else {
      return nil
    }
    self.init(parsing: bytes)
  }
}

extension PhotoHeader {
  /// The header with what Google says where the photo itself says nothing.
  package func completed(by description: TakeoutDescription?) -> PhotoHeader {
    guard let description else { return self }
    var header = self
    // Google has the moment and no clock.
    header.captureTime =
      captureTime ?? description.creationDate.map { ClockTime(reading: $0, secondsFromUTC: 0) }
    if latitude == nil || longitude == nil, let north = description.latitude,
      let east = description.longitude
    {
      (header.latitude, header.longitude) = (north, east)
    }
    header.caption = caption ?? description.caption
    return header
  }
}
