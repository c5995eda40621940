import PhotoEditing

/// What is said of a photo's named versions, as text and as JSON.
struct VersionsDescription {
  private let versions: [PhotoVersion]
  private let photo: FilePath

  init(_ versions: [PhotoVersion], photo: FilePath) {
    self.versions = versions
    self.photo = photo
  }

  /// The line about them all.
  var text: String {
    switch versions.count {
    case 0: "no versions"
    case 1: "1 version"
    default: "\(versions.count) versions"
    }
  }

  /// A line for each version, the present edit marked with a star.
  var rows: [String] {
    let width = versions.map(\.name.count).max() ?? 0
    return versions.map { version in
      let name = version.name + String(repeating: " ", count: width - version.name.count)
      let render = version.rendered?.shown(beside: photo).string ?? "its render is missing"
      return "\(version.isPresent ? "*" : " ") \(name)  \(summary(of: version)), \(render)"
    }
  }

  private func summary(of version: PhotoVersion) -> String {
    let data = version.adjustmentData
    return version.stack?.summary
      ?? "\(data.formatIdentifier) \(data.formatVersion), which Safelight cannot read"
  }

  var json: JSONValue {
    .array(
      versions.map { version in
        let data = version.adjustmentData
        var members: [JSONValue.Member] = [
          .init("name", .string(version.name)), .init("present", .bool(version.isPresent)),
        ]
        if let date = version.date {
          members.append(.init("date", .string(StateDescription.timestamp(date))))
        }
        if let editor = version.editor { members.append(.init("editor", .string(editor))) }
        members.append(.init("formatIdentifier", .string(data.formatIdentifier)))
        members.append(.init("formatVersion", .string(data.formatVersion)))
        if let stack = version.stack {
          members.append(.init("adjustments", .array(stack.inPipelineOrder.map(\.json.compact))))
        }
        if let rendered = version.rendered?.shown(beside: photo) {
          members.append(.init("rendered", .string(rendered.string)))
        }
        return .object(members)
      })
  }
}
