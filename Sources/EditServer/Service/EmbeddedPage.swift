/// The files of the page that are in the program. A new file needs a line here.
enum EmbeddedPage {
  static let files: [String: [UInt8]] = [
    "index.html": PackageResources.index_html
  ]

  /// The description of the interface.
  static let interface = PackageResources.openapi_json
}
