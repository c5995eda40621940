import Dispatch
import PhotoEditing
import Synchronization

/// Learns when a library's catalog can no longer be read, as when its file was removed or damaged, or its
/// disk is gone.
///
/// ```swift
/// final class Shelf: PhotoLibraryAvailabilityObserver {
///   func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary) {
///     print(library.unavailabilityReason?.description ?? "")
///   }
/// }
/// ```
public protocol PhotoLibraryAvailabilityObserver: AnyObject, Sendable {
  /// Called once, on a thread of the library's own. Open the library again to go on.
  func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary)
}

extension PhotoLibrary {
  /// Why the catalog can no longer be read; `nil` as long as nobody found that it cannot.
  public var unavailabilityReason: PhotoLibraryError? { availability.reason }

  /// Tells an object when the catalog can no longer be read, for as long as the object exists.
  ///
  /// - Parameter observer: Held weakly. It is told at once when the library is unavailable already.
  public func register(_ observer: any PhotoLibraryAvailabilityObserver) {
    notices.watchCatalog()
    if availability.add(observer) { tell([observer]) }
  }

  /// Tells an object no more.
  public func unregisterAvailabilityObserver(_ observer: any PhotoLibraryAvailabilityObserver) {
    availability.remove(observer)
  }

  /// Notes that the catalog cannot be read, and tells the observers the first time.
  func becomeUnavailable(_ error: PhotoLibraryError) { tell(availability.note(error)) }

  private func tell(_ observers: [any PhotoLibraryAvailabilityObserver]) {
    guard !observers.isEmpty else { return }
    DispatchQueue.global().async {
      for observer in observers { observer.photoLibraryDidBecomeUnavailable(self) }
    }
  }
}

/// Whether a library can be read, and who wants to know.
final class Availability: Sendable {
  private struct Listener: @unchecked Sendable {
    // Any thread may read a weak reference.
    weak var object: (any PhotoLibraryAvailabilityObserver)?
  }

  private struct State {
    var reason: PhotoLibraryError?
    var listeners: [Listener] = []
  }
  private let state = Mutex(State())

  var reason: PhotoLibraryError? { state.withLock(\.reason) }

  /// - Returns: Whether the library is unavailable already.
  func add(_ observer: any PhotoLibraryAvailabilityObserver) -> Bool {
    state.withLock { state in
      state.listeners.removeAll { $0.object == nil || $0.object === observer }
      state.listeners.append(Listener(object: observer))
      return state.reason != nil
    }
  }

  func remove(_ observer: any PhotoLibraryAvailabilityObserver) {
    state.withLock { state in
      state.listeners.removeAll { $0.object == nil || $0.object === observer }
    }
  }

  /// - Returns: Who is to be told; nobody when the reason was known.
  func note(_ error: PhotoLibraryError) -> [any PhotoLibraryAvailabilityObserver] {
    state.withLock { state in
      guard state.reason == nil else { return [] }
      state.reason = error
      return state.listeners.compactMap(\.object)
    }
  }
}
