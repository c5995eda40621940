import SafelightFiles

/// The names that Google Takeout gives to the files around a photo of Google Photos.
///
/// Beside `IMG.jpg` is `IMG.jpg.json` or, since 2024, `IMG.jpg.supplemental-metadata.json`, whose name before `.json` is cut
/// to 46 characters. Of a second `IMG.jpg`, `IMG(1).jpg`, the number stands at the end: `IMG.jpg(1).json`,
/// `IMG.jpg.supplemental-metadata(1).json`; no cut takes it away. The edited picture is `IMG-edited.jpg`, with a word of the
/// account's language. The rules are those that users found and published: ente/ente#4956 and
/// TheLastGimbus/GooglePhotosTakeoutHelper#449 with the words in `lib/extras.dart`.
enum TakeoutNames {
  /// Most characters before `.json`, without a number.
  private static let limit = 46
  private static let mark = ".supplemental-metadata"
  private static let ending = ".json"
  /// What follows the stem of an edited picture.
  static let editedMarks = [
    "-edited", "-bearbeitet", "-bewerkt", "-modifié", "-modificato", "-ha editado", "-editado",
    "-editat", "-edytowane", "-отредактировано", "-düzenlendi", "-diedit",
    "-編集済み", "-已编辑", "-편집됨", "-đã chỉnh sửa", "-แก้ไขแล้ว", "-संपादित", "-تم التعديل",
  ]

  /// Whether a name is one of Google's descriptions of photos, as far as a name tells.
  static func mayBeDescription(_ name: FilePath) -> Bool {
    name.bytes.suffix(5).elementsEqual(ending.utf8)
  }

  /// The descriptions that a photo of this name may have, the likeliest first.
  static func descriptions(of photo: FilePath) -> [FilePath] {
    guard let name = String(validating: photo.bytes, as: UTF8.self) else { return [] }
    var bases: [(name: String, number: String)] = [(name, "")]
    if let parts = numbered(name) { bases.insert((parts.stem + parts.ending, parts.number), at: 0) }
    var names: [String] = []
    for base in bases {
      // Programs have counted 46 characters; a letter beyond the basic plane may count twice.
      for whole in [base.name + mark, base.name] {
        names.append(String(whole.prefix(limit)) + base.number + ending)
        let units = String(decoding: Array(whole.utf16.prefix(limit)), as: UTF16.self)
        names.append(units + base.number + ending)
      }
      // Cuts that are shorter than the rule, which are seen too.
      for count in 1..<mark.count where base.name.count + count <= limit {
        names.append(base.name + mark.prefix(count) + base.number + ending)
      }
    }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }.map { FilePath($0) }
  }

  /// The edited pictures that a photo of this name may have.
  static func renders(of photo: FilePath) -> [FilePath] {
    guard let name = String(validating: photo.bytes, as: UTF8.self), let parts = parts(of: name)
    else { return [] }
    let endings = ["." + (photo.extension ?? "")] + [".jpg", ".JPG", ".jpeg"]
    var names: [String] = []
    for mark in editedMarks {
      for ending in endings {
        names.append(parts.stem + mark + parts.number + ending)
      }
    }
    return names.map { FilePath($0) }
  }

  /// The photos that a picture of this name may be Google's edited picture of.
  static func originals(ofRender render: FilePath) -> [FilePath] {
    // Most names have no hyphen after which something could follow.
    guard render.bytes.contains(UInt8(ascii: "-")),
      let name = String(validating: render.bytes, as: UTF8.self), let parts = parts(of: name),
      let mark = editedMarks.first(where: { parts.stem.hasSuffix($0) }),
      parts.stem.count > mark.count
    else { return [] }
    let stem = parts.stem.dropLast(mark.count)
    return render.photoEndings().map { FilePath(stem + parts.number + "." + $0) }
  }

  /// A name as stem, number and ending: `IMG`, `(1)` and `.jpg`; `nil` without an ending.
  private static func parts(
    of name: String
  ) -> (stem: String, number: String, ending: String)? {
    if let parts = numbered(name) { return parts }
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    return (String(name[..<dot]), "", String(name[dot...]))
  }

  /// The same for a name with a number; `nil` for others.
  private static func numbered(
    _ name: String
  ) -> (stem: String, number: String, ending: String)? {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let stem = name[..<dot]
    guard stem.last == ")", let open = stem.lastIndex(of: "("), open > stem.startIndex else {
      return nil
    }
    let digits = stem[stem.index(after: open)...].dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return (String(stem[..<open]), String(stem[open...]), String(name[dot...]))
  }
}
