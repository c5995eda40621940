import PhotoEditing
import PhotoLibraryKit

/// Why the server did not do what a client asked for.
package enum ServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The request has neither the token nor the cookie.
  case unauthorized
  /// The request comes from another page, or for another host; the text says which.
  case refused(String)
  /// Changes are not allowed on this server.
  case readOnly
  /// The request is not as the interface says.
  case badRequest(String)
  /// A request names something that is not known, such as an adjustment; among what is known may be what was meant.
  /// The first text says so.
  case unknownName(String, name: String, among: [String])
  /// The interface has no such address.
  case unknownAddress
  /// The address has no such method.
  case methodNotAllowed(String)
  /// There is no photo of this identifier in the folders.
  case noSuchPhoto(String)
  /// The photo of this name has no edit, and so no render.
  case notEdited(String)
  /// There is no album of this identifier.
  case noSuchAlbum(String)
  /// There is an album of this title already.
  case albumExists(String)
  /// There is no job of this identifier.
  case noSuchJob(String)
  /// There is no folder of this identifier.
  case noSuchFolder(String)
  /// The text is no predicate.
  case invalidPredicate(String)
  /// The request is larger than the server takes.
  case tooLarge
  /// The body is no JSON.
  case notJSON(String)
  /// The key was used for another request.
  case keyReused
  /// A newer preview took this one's place.
  case superseded
  /// Too much is under way.
  case busy

  /// The stable names of the errors.
  package enum Code: String, CaseIterable, Sendable {
    case unauthorized
    case requestRefused = "request-refused"
    case readOnly = "read-only"
    case badRequest = "bad-request"
    case unknownAddress = "unknown-address"
    case methodNotAllowed = "method-not-allowed"
    case noSuchPhoto = "no-such-photo"
    case notEdited = "not-edited"
    case noSuchAlbum = "no-such-album"
    case albumExists = "album-exists"
    case noSuchJob = "no-such-job"
    case noSuchFolder = "no-such-folder"
    case invalidPredicate = "invalid-predicate"
    case requestTooLarge = "request-too-large"
    case notJSON = "not-json"
    case keyReused = "key-reused"
    case superseded
    case serverBusy = "server-busy"

    /// The status of HTTP that goes with it.
    var status: Int {
      switch self {
      case .badRequest: 400
      case .unauthorized: 401
      case .requestRefused, .readOnly: 403
      case .unknownAddress, .noSuchPhoto, .notEdited, .noSuchAlbum, .noSuchJob, .noSuchFolder: 404
      case .methodNotAllowed: 405
      case .albumExists, .superseded: 409
      case .requestTooLarge: 413
      case .notJSON: 415
      case .invalidPredicate, .keyReused: 422
      case .serverBusy: 503
      }
    }
  }

  private var kind: Code {
    switch self {
    case .unauthorized: .unauthorized
    case .refused: .requestRefused
    case .readOnly: .readOnly
    case .badRequest, .unknownName: .badRequest
    case .unknownAddress: .unknownAddress
    case .methodNotAllowed: .methodNotAllowed
    case .noSuchPhoto: .noSuchPhoto
    case .notEdited: .notEdited
    case .noSuchAlbum: .noSuchAlbum
    case .albumExists: .albumExists
    case .noSuchJob: .noSuchJob
    case .noSuchFolder: .noSuchFolder
    case .invalidPredicate: .invalidPredicate
    case .tooLarge: .requestTooLarge
    case .notJSON: .notJSON
    case .keyReused: .keyReused
    case .superseded: .superseded
    case .busy: .serverBusy
    }
  }

  /// A stable word for programs; “edit help errors” lists them.
  package var code: String { kind.rawValue }

  /// What happened, in one sentence.
  package var description: String {
    switch self {
    case .unauthorized: "The request has no token of this server."
    case .refused(let reason): reason
    case .readOnly: "This server changes nothing."
    case .badRequest(let reason): reason
    case .unknownName(let reason, _, _): reason
    case .unknownAddress: "There is nothing at this address."
    case .methodNotAllowed(let method): "The address does not take \(method.prefix(20))."
    case .noSuchPhoto(let id): "There is no photo “\(id.prefix(100))” in the folders."
    case .notEdited(let name): "\(name) has no edit, and so no render."
    case .noSuchAlbum(let id): "There is no album “\(id.prefix(100))”."
    case .albumExists(let title): "There is an album called “\(title.prefix(100))” already."
    case .noSuchJob(let id): "There is no job “\(id.prefix(100))”."
    case .noSuchFolder(let id): "There is no folder “\(id.prefix(100))”."
    case .invalidPredicate(let reason): reason
    case .tooLarge: "The request is larger than this server takes."
    case .notJSON(let reason): "The body is not JSON: \(reason)"
    case .keyReused: "The Idempotency-Key was used for another request."
    case .superseded: "A newer preview of the same session took the place of this one."
    case .busy: "The server has too much to do."
    }
  }
}

/// An error as it is answered.
package struct ServerFailure: Error, Sendable {
  /// A stable word for programs.
  package let code: String
  /// What happened, in one sentence.
  package let message: String
  /// What can be done; `nil` when there is nothing to be said.
  package let hint: String?

  package init(code: String, message: String, hint: String?) {
    (self.code, self.message, self.hint) = (code, message, hint)
  }

  var json: JSONValue {
    let members = [("code", code), ("message", message)] + (hint.map { [("hint", $0)] } ?? [])
    return .object(members.map { JSONValue.Member($0, .string($1)) })
  }

  /// The status of HTTP, also for errors of the libraries.
  var status: Int {
    if let own = ServerError.Code(rawValue: code) { return own.status }
    switch code {
    case "original-missing", "not-in-library", "unknown-filter", "unknown-preset", "no-such-step",
      "no-such-version", "no-video":
      return 404
    case EditError.inputOutdated("").code, "original-touched", "filter-name-taken",
      "preset-name-taken", "version-exists":
      return 409
    case "busy", "library-busy", "cancelled", "worker-unavailable": return 503
    case "disk-full": return 507
    case "unexpected", "file-system", "out-of-memory", "timed-out", "worker-crashed",
      "render-failed", "library-damaged", "library-unusable", "library-newer", "library-older":
      return 500
    default: return 422
    }
  }
}

extension ServerError {
  /// One of each, for tables and tests.
  package static let samples: [ServerError] = [
    .unauthorized, .refused("A."), .readOnly, .badRequest("A."), .unknownAddress,
    .methodNotAllowed("PUT"), .noSuchPhoto("a"), .notEdited("a"), .noSuchAlbum("a"),
    .albumExists("a"), .unknownName("A.", name: "a", among: []),
    .noSuchJob("a"), .noSuchFolder("a"), .invalidPredicate("A."), .tooLarge, .notJSON("a."),
    .keyReused, .superseded, .busy,
  ]
}
