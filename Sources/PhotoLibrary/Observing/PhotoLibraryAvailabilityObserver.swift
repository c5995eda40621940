import Dispatch
import Synchronization

/// An observer that is called when a library's catalog can no longer be read: its file was removed or damaged,
/// or its disk is gone.
///
/// ```swift
/// final class Shelf: PhotoLibraryAvailabilityObserver {
///   func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary) {
///     print(library.unavailabilityReason?.description ?? "")
///   }
/// }
/// ```
public protocol PhotoLibraryAvailabilityObserver: AnyObject, Sendable {
  /// Called once, on a thread of the library. To continue, open the library again.
  func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary)
}

extension PhotoLibrary {
  /// Why the catalog can no longer be read; `nil` as long as no read has failed.
  public var unavailabilityReason: PhotoLibraryError? { availability.reason }

  /// Calls an observer when the catalog can no longer be read, as long as the observer exists.
  ///
  /// - Parameter observer: Held weakly. It is called at once when the library is already unavailable.
  public func register(_ observer: any PhotoLibraryAvailabilityObserver) {
    notices.watchCatalog()
    if availability.add(observer) { call([observer]) }
  }

  /// Stops calling an observer.
  public func unregisterAvailabilityObserver(_ observer: any PhotoLibraryAvailabilityObserver) {
    availability.remove(observer)
  }

  /// Notes that the catalog cannot be read, and calls the observers the first time.
  func becomeUnavailable(_ error: PhotoLibraryError) { call(availability.note(error)) }

  private func call(_ observers: [any PhotoLibraryAvailabilityObserver]) {
    guard !observers.isEmpty else { return }
    DispatchQueue.global().async {
      for observer in observers { observer.photoLibraryDidBecomeUnavailable(self) }
    }
  }
}

/// Whether a library can be read, and the observers.
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

  /// - Returns: Whether the library is already unavailable.
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

  /// - Returns: The observers to call; none when the library was already unavailable.
  func note(_ error: PhotoLibraryError) -> [any PhotoLibraryAvailabilityObserver] {
    state.withLock { state in
      guard state.reason == nil else { return [] }
      state.reason = error
      return state.listeners.compactMap(\.object)
    }
  }
}
