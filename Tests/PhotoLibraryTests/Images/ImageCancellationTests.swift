import Foundation
import SafelightStorage
import SafelightTestSupport
import Testing

@testable import PhotoEditing
@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct ImageCancellationTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  /// A manager that makes no picture before the queue is released.
  private func held(_ test: TestLibrary) -> (ImageManager, HeldQueue) {
    test.library.imageCache.settlingTime = -3600
    let queue = HeldQueue()
    return (ImageManager(source: ImageSource(test.library, making: queue.queue)), queue)
  }

  @Test func aCancelledRequestIsNeverBegun() async throws {
    let asset = try await test.create("progressive.jpg")
    let (manager, queue) = held(test)
    let heard = Heard()
    await withCheckedContinuation { done in
      let id = manager.requestImage(
        for: asset, targetSize: .square(50), contentMode: .aspectFit, options: .good
      ) { image, info in
        heard.add(image, info)
        done.resume()
      }
      manager.cancelImageRequest(id)
      manager.cancelImageRequest(id)
    }
    await queue.finish()
    #expect(heard.calls.map(\.info.error) == [.userCancelled] && heard.calls[0].info.isCancelled)
    #expect(manager.requests.count == 0)
    // No picture was made, so none is in the cache.
    #expect(test.cachedFiles.isEmpty)
  }

  @Test func aCancelledTaskDoesNotWait() async throws {
    let asset = try await test.create("progressive.jpg")
    let (manager, queue) = held(test)
    let task = Task {
      try await manager.requestImage(for: asset, targetSize: .square(50), options: .good)
    }
    task.cancel()
    let result = await task.result
    #expect(throws: PhotoLibraryError.userCancelled) { try result.get() }
    await queue.finish()
    #expect(test.cachedFiles.isEmpty)
  }

  @Test func aCancelledReaderOfPicturesDoesNotWait() async throws {
    let asset = try await test.create("progressive.jpg")
    let (manager, queue) = held(test)
    let task = Task {
      for try await _ in manager.images(for: asset, targetSize: .square(50), options: .good) {}
    }
    task.cancel()
    let result = await task.result
    #expect(throws: PhotoLibraryError.userCancelled) { try result.get() }
    await queue.finish()
    #expect(test.cachedFiles.isEmpty)
  }

  @Test func twoRequestsForOnePictureMakeItOnce() async throws {
    let asset = try await test.create("progressive.jpg")
    let (manager, queue) = held(test)
    let heard = Heard()
    await withCheckedContinuation { done in
      for number in 0..<3 {
        let id = manager.requestImage(
          for: asset, targetSize: .square(50), contentMode: .aspectFit, options: .good
        ) { image, info in
          heard.add(image, info)
          if heard.calls.count == 3 { done.resume() }
        }
        // One of three requests is cancelled; the others wait.
        if number == 1 { manager.cancelImageRequest(id) }
      }
      queue.letGo()
    }
    #expect(heard.calls.filter(\.info.isCancelled).count == 1)
    #expect(heard.calls.compactMap(\.image).map(\.width) == [50, 50])
  }

  @Test func whatIsAskedForComesFirstAndInOrder() async throws {
    let queue = HeldQueue()
    let order = Box<[Int]>([])
    for number in 0..<100 { queue.queue.add(.ahead) { order.value.append(1000 + number) } }
    for number in 0..<100 { queue.queue.add(.requested) { order.value.append(number) } }
    await queue.finish()
    #expect(order.value == Array(0..<100) + Array(1000..<1100))
  }

  /// An order for a picture that nobody makes.
  private func order(_ urgency: PictureRequest.Urgency = .requested) -> PictureOrder {
    var request = PictureRequest()
    request.urgency = urgency
    return PictureOrder(request) {
      try PhotoRevision("a")
    } onEvent: { _ in
    }
  }

  @Test func workThatIsWantedNowIsLinedUpAgain() throws {
    let key = PictureKey(digest: SHA256.digest(of: [1]))
    let works = PicturesInWork()
    let ahead = order(.ahead)
    let requested = [order(), order()]
    let work = try #require(works.join(key, ahead))
    #expect(works.join(key, requested[0]) === work)
    #expect(works.join(key, requested[1]) == nil)
    #expect(work.begin() && !work.begin())
    #expect(works.end(work).count == 3)
    let again = try #require(works.join(key, order()))
    #expect(again !== work)
  }

  @Test func workThatNobodyWaitsForIsCancelled() throws {
    let works = PicturesInWork()
    let orders = [order(), order()]
    let work = try #require(works.join(PictureKey(digest: SHA256.digest(of: [1])), orders[0]))
    _ = works.join(PictureKey(digest: SHA256.digest(of: [1])), orders[1])
    orders[0].cancel()
    #expect(!work.cancellation.isCancelled)
    orders[1].cancel()
    #expect(work.cancellation.isCancelled && !work.begin())
  }
}
