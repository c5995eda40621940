// swift-tools-version: 6.0
import PackageDescription

// Dependencies point down; Sources/edit is the top. What each module is for stands in README.md.
let package = Package(
  name: "safelight",
  products: [
    .library(name: "PhotoEditing", targets: ["PhotoEditing"]),
    .executable(name: "edit", targets: ["edit"]),
  ],
  targets: [
    .executableTarget(name: "edit", dependencies: ["EditCommands", "PhotoEditing"]),
    .target(name: "EditCommands", dependencies: ["Arguments", "PhotoEditing"]),
    .target(name: "Arguments"),
    .target(
      name: "PhotoEditing", dependencies: ["Adjustments", "Filters", "Rendering", "Storage"]),
    .target(name: "Rendering", dependencies: ["Adjustments", "Vips", "CLCMS"]),
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
      name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    .testTarget(name: "AdjustmentsTests", dependencies: ["Adjustments"]),
    .testTarget(name: "ArgumentsTests", dependencies: ["Arguments"]),
    .testTarget(name: "StorageTests", dependencies: ["Storage"]),
    .testTarget(
      name: "RenderingTests", dependencies: ["Adjustments", "Filters", "Rendering", "Vips"]),
    .testTarget(name: "PhotoEditingTests", dependencies: ["PhotoEditing", "Storage", "Vips"]),
    .testTarget(
      name: "EditCommandsTests",
      dependencies: ["Arguments", "EditCommands", "PhotoEditing", "edit"]),
  ],
  swiftLanguageModes: [.v6]
)
