import PhotoEditing

/// What a report says of one photo.
struct ReportEntry: Sendable {
  /// The photo as it was given; its name may hold anything.
  var photo: FilePath
  /// What became of it, as JSON has it under `status`: a word such as `edited`.
  var status: String
  /// The filter, by which entries can be chosen; `nil` for photos without one.
  var filter: String?
  /// What was done, for people.
  var text = ""
  /// What could not be kept or done, one sentence each.
  var warnings: [String] = []
  /// Why it failed; `nil` when it did not.
  var failure: PhotoFailure?
  /// How long the work took; `nil` leaves it out.
  var milliseconds: Int?
  /// The picture without the edit, as a path from the report's folder; `nil` when there is none.
  var before: String?
  /// The picture with the edit, in the same way.
  var after: String?

  /// An entry that says only what became of a photo.
  init(_ photo: FilePath, status: String) {
    self.photo = photo
    self.status = status
  }
}

extension ReportEntry {
  /// The entry as a piece of the page.
  var html: String {
    let name = HTMLText.escaped(photo.description.onOneLine)
    var parts = [
      "<article class=\"\(failure == nil ? "done" : "failed")\""
        + " data-status=\"\(HTMLText.escaped(status.onOneLine))\""
        + " data-filter=\"\(HTMLText.escaped((filter ?? "").onOneLine))\">"
    ]
    if let pictures = pictures(of: name) { parts.append(pictures) }
    parts.append("<h2><bdi>\(name)</bdi></h2>")
    let time = milliseconds.map { $0 < 1000 ? "\($0) ms" : "\(Double($0 / 100) / 10) s" }
    let facts = [status, filter, time].compactMap { $0.map { HTMLText.escaped($0.onOneLine) } }
    parts.append("<p class=\"facts\">\(facts.joined(separator: " · "))</p>")
    if !text.isEmpty { parts.append("<p><bdi>\(HTMLText.escaped(text.onOneLine))</bdi></p>") }
    if let failure {
      parts.append(
        "<p class=\"error\"><bdi>\(HTMLText.escaped(failure.message.onOneLine))</bdi></p>")
      if let hint = failure.hint {
        parts.append("<p class=\"hint\">\(HTMLText.escaped(hint.onOneLine))</p>")
      }
    }
    if !warnings.isEmpty {
      let items = warnings.map { "<li><bdi>\(HTMLText.escaped($0.onOneLine))</bdi></li>" }
      parts.append("<ul>\(items.joined())</ul>")
    }
    return parts.joined() + "</article>"
  }

  /// One picture, or two with a slider over them; `nil` without any.
  private func pictures(of name: String) -> String? {
    func picture(_ path: String, _ kind: String) -> String {
      "<img class=\"\(kind)\" loading=\"lazy\" decoding=\"async\" src=\"\(HTMLText.url(path))\""
        + " alt=\"\(name), \(kind == "before" ? "original" : "edited")\">"
    }
    switch (before, after) {
    case (nil, nil): return nil
    case (let before?, nil): return "<div class=\"view\">\(picture(before, "before"))</div>"
    case (nil, let after?): return "<div class=\"view\">\(picture(after, "after"))</div>"
    case (let before?, let after?):
      return "<div class=\"view pair\">\(picture(after, "after"))\(picture(before, "before"))"
        + "<input type=\"range\" min=\"0\" max=\"100\" value=\"50\""
        + " aria-label=\"How much of the original is seen of \(name), in percent\"></div>"
    }
  }
}

/// Text that is safe in HTML.
enum HTMLText {
  /// The text for between tags and within quoted attributes.
  static func escaped(_ text: String) -> String {
    var html = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": html += "&amp;"
      case "<": html += "&lt;"
      case ">": html += "&gt;"
      case "\"": html += "&quot;"
      case "'": html += "&#39;"
      default: html.unicodeScalars.append(scalar)
      }
    }
    return html
  }

  /// A path below the page as a relative URL. Every byte but letters, digits and `-._~/` is written in
  /// percent, a colon too, so that nothing becomes a scheme.
  ///
  /// Source: RFC 3986, sections 2.3 and 4.2.
  static func url(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        String(UnicodeScalar(byte))
      default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }.joined()
  }
}
