import PhotoLibraryKit

extension ClientAuthorization {
  /// The line for people.
  var text: String {
    let status =
      switch (readWrite, addOnly) {
      case (.authorized, _): "sees and changes everything"
      case (.limited, _): "sees and changes \(counted(selectionCount, "photo"))"
      case (_, .authorized): "adds photos, sees none"
      case (.restricted, _), (_, .restricted): "may do nothing, and not ask"
      case (.denied, _), (_, .denied): "may do nothing"
      default: "has not been decided on"
      }
    return "\(client): \(status)"
  }

  /// The object for programs.
  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("client", .string(client)), .init("readWrite", .string(readWrite.word)),
      .init("addOnly", .string(addOnly.word)),
    ]
    if readWrite == .limited {
      members.append(.init("photos", .number(Double(selectionCount))))
    }
    if let usageDescription {
      members.append(.init("usageDescription", .string(usageDescription)))
    }
    if let answered {
      members.append(.init("answered", .string(StateDescription.timestamp(answered))))
    }
    return .object(members)
  }
}

extension AuthorizationStatus {
  /// PhotoKit's name of it.
  fileprivate var word: String {
    switch self {
    case .notDetermined: "notDetermined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .authorized: "authorized"
    case .limited: "limited"
    }
  }
}
