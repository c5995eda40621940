import SafelightCVips
import Synchronization

/// The running libvips: started once, when the first image is opened.
public enum Library {
  /// The version of libvips that is linked, such as `8.14.1`. Does not start it.
  public static var version: String {
    "\(vips_version(0)).\(vips_version(1)).\(vips_version(2))"
  }

  /// What libvips and the decoders below it warned about since the last call, oldest first.
  ///
  /// The list belongs to the process: it is right only where one image is worked on at a time.
  public static func takeWarnings() -> [String] {
    warnings.withLock { list in
      defer { list = [] }
      return list
    }
  }

  /// Starts libvips, or says why it did not. Every entry into the module passes here.
  static func start() throws(VipsError) {
    if let failure = startFailure { throw failure }
  }

  private static let warnings = Mutex<[String]>([])

  private static func note(_ message: String) {
    for line in message.split(separator: "\n") {
      // libvips counts the decoder's warnings before it repeats them, and says of HEIF's coded
      // colors that it ignores them, which the renderer does not.
      guard !line.hasPrefix("read gave"), !line.hasSuffix("ignoring nclx profile") else { continue }
      let text = line.hasPrefix("VipsJpeg: ") ? String(line.dropFirst(10)) : String(line)
      warnings.withLock { list in
        // A damaged file can warn for each of its rows; the first few say all there is to say.
        if list.count < 8, !list.contains(text) { list.append(text) }
      }
    }
  }

  private static let startFailure: VipsError? = {
    guard vips_init("safelight") == 0 else {
      return .start(detail: VipsError.takeErrorText())
    }
    vips_block_untrusted_set(1)
    // The operation cache returns the old pixels of a file that was rewritten under its name.
    vips_cache_set_max(0)
    g_log_set_handler(
      "VIPS", G_LOG_LEVEL_MASK,
      { _, level, message, _ in
        guard level.rawValue & G_LOG_LEVEL_WARNING.rawValue != 0, let message else { return }
        Library.note(String(cString: message))
      }, nil)
    return nil
  }()
}
