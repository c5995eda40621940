import SafelightCVips

extension Library {
  /// Loads the module that brings HEIC and AVIF, where libvips was built with modules and the
  /// program told it to load none by itself (by `VIPSHOME`, as `edit` does).
  ///
  /// Does nothing when it is there already, or not installed: the decoder is then missing, and
  /// said to be.
  static func loadHEIFModule() throws(VipsError) {
    try start()
    _ = heifModule
  }

  private static let heifModule: Bool = {
    if vips_type_find("VipsOperation", "heifload_source") != 0 { return true }
    guard let folder = libraryFolder else { return false }
    let path = "\(folder)/vips-modules-\(vips_version(0)).\(vips_version(1))/vips-heif.so"
    guard let module = g_module_open(path, G_MODULE_BIND_LAZY) else { return false }
    // Its types stay registered, so its code has to stay too.
    g_module_make_resident(module)
    return true
  }()

  /// Where the libvips that is running was loaded from.
  private static var libraryFolder: String? {
    guard let path = safelight_vips_path().map({ String(cString: $0) }) else { return nil }
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}
