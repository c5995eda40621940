@testable import SafelightRendering

extension [RenderWarning] {
  /// The warnings without the words of decoders: in this process those of other tests' photos speak, too.
  var own: [RenderWarning] { filter { if case .decoder = $0 { false } else { true } } }
}
