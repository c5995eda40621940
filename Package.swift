// swift-tools-version: 6.0
import PackageDescription

// Dependencies point down; Sources/edit is the top. What each module is for stands in README.md.
let package = Package(
  name: "safelight",
  products: [
    .library(name: "PhotoEditing", targets: ["PhotoEditing"]),
    .library(name: "PhotoLibrary", targets: ["PhotoLibrary"]),
    .executable(name: "edit", targets: ["edit"]),
  ],
  targets: [
    .executableTarget(name: "edit", dependencies: ["EditCommands", "PhotoEditing"]),
    .target(name: "EditCommands", dependencies: ["Arguments", "PhotoEditing", "PhotoLibrary"]),
    .target(name: "Arguments"),
    .target(
      name: "PhotoLibrary",
      dependencies: ["PhotoEditing", "Metadata", "Rendering", "Storage", "CCrypto", "CSQLite"]),
    .target(
      name: "PhotoEditing",
      dependencies: [
        "Adjustments", "Filters", "LookupTables", "Metadata", "Rendering", "Storage",
      ]),
    .target(
      name: "Rendering",
      dependencies: [
        "Adjustments", "LookupTables", "Metadata", "Vips", "CLCMS", "CTurboJPEG", "ColourKernels",
      ]),
    .target(name: "LookupTables", dependencies: ["CZlib"]),
    .target(name: "ColourKernels"),
    .target(name: "Metadata", dependencies: ["CCrypto", "CZlib"]),
    .target(name: "Storage", dependencies: ["Adjustments", "CCrypto"]),
    .target(
      name: "Filters", dependencies: ["Adjustments"], path: "Filters",
      resources: [.embedInCode("Looks")]),
    .target(name: "Adjustments"),
    .target(name: "Vips", dependencies: ["CVips"]),

    .systemLibrary(
      name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(
      name: "CLCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(name: "AdjustmentsTests", dependencies: ["Adjustments", "TestSupport"]),
    .testTarget(name: "ArgumentsTests", dependencies: ["Arguments", "TestSupport"]),
    .testTarget(name: "LookupTablesTests", dependencies: ["LookupTables", "TestSupport"]),
    .testTarget(name: "MetadataTests", dependencies: ["Metadata", "TestSupport"]),
    .testTarget(name: "StorageTests", dependencies: ["Storage", "TestSupport"]),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "Adjustments", "Filters", "ColourKernels", "LookupTables", "Metadata", "Rendering",
        "TestSupport", "Vips",
      ]),
    .testTarget(
      name: "PhotoEditingTests", dependencies: ["PhotoEditing", "Storage", "TestSupport", "Vips"]),
    .testTarget(
      name: "PhotoLibraryTests",
      dependencies: [
        "PhotoLibrary", "PhotoEditing", "Metadata", "Rendering", "Storage", "TestSupport",
        "CSQLite",
      ]),
    .testTarget(
      name: "EditCommandsTests",
      dependencies: [
        "Arguments", "EditCommands", "PhotoEditing", "PhotoLibrary", "TestSupport", "edit",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
