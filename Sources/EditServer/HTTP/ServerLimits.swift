import PhotoEditing

/// What a server takes from its clients before it ends with them.
package struct ServerLimits: Sendable, Hashable {
  /// Threads that read requests and send answers. Pictures are made elsewhere.
  package var threads = 2
  /// Most connections at once. When few are left, those end that have waited longest for a request.
  package var connections = 1024
  /// Bytes of a request's first line and header, and of an answer's header. The longest condition of a list has
  /// three times its bytes in an address. libmicrohttpd 0.9.75 reads the first line into this memory, refuses
  /// what is longer with a text in HTML before it calls anybody, and has no option for another text. So the limit is
  /// far above what means something; each connection may take so much memory.
  package var headerBytes = 256 << 10
  /// Bytes of a request's body. The largest lookup table of an edit takes some 5 MB, and the largest file of an output
  /// some 22 MB.
  package var bodyBytes = OutputAttachment.mostBytesAsJSON
  /// Bytes of the body of a request that names photos. The most photos that a request may name have some 4 MB.
  package var photosBodyBytes = 8 << 20
  /// Bytes of the body of any other request. Larger bodies are read one at a time.
  package var smallBodyBytes = 1 << 20
  /// Seconds in which a connection has to send or take something.
  package var idleSeconds = 30
  /// Seconds for a request's first line and header from the first moment, however busily they drip.
  package var headerSeconds = 30
  /// Seconds for a request's body.
  package var bodySeconds = 60
  /// Seconds in which a client has to take an answer; streams of events have no end.
  package var answerSeconds = 600
  /// Requests that wait for their answers at once; further ones are told to come later.
  package var requests = 256
  /// Streams of events at once.
  package var streams = 64
  /// Seconds for requests that run when the server stops.
  package var stopSeconds = 30

  package init() {}

  /// Bytes of the body of a request with this content.
  func bodyBytes(of content: Route.Content) -> Int {
    switch content {
    case .values: smallBodyBytes
    case .photos: photosBodyBytes
    case .edit: bodyBytes
    }
  }
}
