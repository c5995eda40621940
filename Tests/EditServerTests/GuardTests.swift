import Glibc
import Testing

@testable import SafelightEditServer

/// Which requests are refused by their header alone.
@Suite struct GuardTests {
  private let gate = Guard(token: "word", address: "127.0.0.1", port: 80, hosts: [])

  private func request(_ fields: [String: String], path: [String] = ["v1", "photos"]) -> HTTPRequest
  {
    HTTPRequest(
      method: "GET", path: path, query: [:],
      fields: ["host": "127.0.0.1:80", "authorization": "Bearer word"].merging(fields) { $1 },
      repeatedFields: [])
  }

  @Test(arguments: ["cross-site", "same-site", "SAME-ORIGIN", "", "new-word"])
  func aPageOfAnotherServerIsRefusedAlsoOfThisMachine(site: String) {
    #expect(throws: ServerError.self) { try gate.check(request(["sec-fetch-site": site])) }
  }

  @Test(arguments: ["same-origin", "none"])
  func theOwnPageAndTheAddressBarAreAnswered(site: String) throws {
    try gate.check(request(["sec-fetch-site": site]))
    try gate.check(request([:]))
  }

  @Test func whatTheLibraryCouldNotReadIsToldWhenItCan() {
    let events = Events(ServerLimits())
    func isTold(_ act: () -> Void) -> Bool {
      let before = events.last
      act()
      return events.last != before
    }
    #expect(isTold { events.tellEarly("a", "1") })
    #expect(!isTold { events.tell("a", "1") })
    events.tellEarly("a", "2")
    events.forgetEarly("a", "1")
    #expect(!isTold { events.tell("a", "2") })
    events.tellEarly("a", "3")
    events.forgetEarly("a", "3")
    #expect(isTold { events.tell("a", "3") })
  }

  @Test func aBodyThatWasReadBeforeSaysTheSame() throws {
    var request = request(["content-type": "application/json"])
    for (body, isWhole) in [(#"{"title":"a"}"#, true), ("{", false)] {
      request.body = Array(body.utf8)
      let call = Call(
        request: request, parameters: [:], row: InterfaceDescription.row("renameAlbum"))
      for call in [call, call.readingBody()] {
        #expect((try? call.body().requiredText("title")) == (isWhole ? "a" : nil))
      }
    }
  }

  @Test func connectionsThatWaitLongestMakeRoom() throws {
    let watch = ConnectionWatch()
    var pairs: [(Int32, Int32)] = []
    defer {
      for (one, other) in pairs {
        Glibc.close(one)
        Glibc.close(other)
      }
    }
    for _ in 0..<40 {
      var ends: [Int32] = [0, 0]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      pairs.append((ends[0], ends[1]))
    }
    func isEnded(_ index: Int) -> Bool {
      var byte: UInt8 = 0
      return recv(pairs[index].1, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }
    for index in 0..<32 { watch.awaitRequest(pairs[index].0, atMost: 60, most: 32) }
    #expect(!(0..<32).contains(where: isEnded))
    // One that works on a request stays.
    watch.limit(pairs[0].0, to: 60)
    watch.awaitRequest(pairs[32].0, atMost: 60, most: 32)
    #expect((0..<33).filter(isEnded) == [1, 2])
    for index in 1...2 { watch.forget(pairs[index].0) }
    #expect(watch.count == 31)
  }
}
