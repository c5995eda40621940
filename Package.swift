// swift-tools-version: 6.0
import PackageDescription

// Dependencies point down, from `edit` to the system's libraries. ARCHITECTURE.md says what each part is for.
let package = Package(
  name: "safelight",
  products: [
    .library(name: "PhotoEditing", targets: ["PhotoEditing"]),
    .library(name: "PhotoLibraryKit", targets: ["PhotoLibraryKit"]),
    .executable(name: "edit", targets: ["edit"]),
  ],
  targets: [
    // The command line.
    .executableTarget(
      name: "edit", dependencies: dependencies(on: ["EditCommands"], products: ["PhotoEditing"])),
    part(
      "EditCommands", on: ["Adjustments", "Arguments", "Files", "Formats"],
      products: ["PhotoEditing", "PhotoLibraryKit"]),
    part("Arguments"),

    // What other programs link.
    .target(
      name: "PhotoLibraryKit",
      dependencies: dependencies(
        on: ["Catalog", "Files", "Formats", "Metadata", "Rendering", "Storage"],
        products: ["PhotoEditing"]),
      path: "Sources/PhotoLibrary"),
    part("Catalog", on: ["Files", "Formats", "CSQLite"]),
    .target(
      name: "PhotoEditing",
      dependencies: dependencies(
        on: [
          "Adjustments", "Files", "Filters", "Formats", "LookupTables", "Metadata", "Rendering",
          "Storage",
        ])),

    // From an edit to pixels.
    part(
      "Rendering",
      on: [
        "Adjustments", "LookupTables", "Metadata", "Vips", "CLCMS", "CTurboJPEG", "ColorKernels",
      ]),
    part("ColorKernels"),
    part("Vips", on: ["CVips"]),

    // From an edit to files.
    part("Storage", on: ["Adjustments", "Files", "Formats"]),
    part("Files", on: ["CCrypto", "CLinux"]),
    part("Metadata", on: ["Formats", "CCrypto"]),

    // What an edit is.
    part("Filters", at: "Filters", on: ["Adjustments"], resources: [.embedInCode("Looks")]),
    part("LookupTables", on: ["Formats"]),
    part("Adjustments", on: ["Formats"]),

    // One reader for each format.
    part("Formats", on: ["CZlib"]),

    // The system's libraries.
    // Calls of Linux that Swift's module of the C library leaves out; no library.
    .systemLibrary(name: prefixed("CLinux"), path: "Sources/CLinux"),
    system("CVips", pkgConfig: "vips", package: "libvips-dev"),
    system("CLCMS", pkgConfig: "lcms2", package: "liblcms2-dev"),
    system("CTurboJPEG", pkgConfig: "libturbojpeg", package: "libturbojpeg0-dev"),
    system("CCrypto", pkgConfig: "libcrypto", package: "libssl-dev"),
    system("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    system("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),

    // Tests.
    part("TestSupport", at: "Tests/TestSupport", on: ["Files"]),
    tests("Adjustments", on: ["Adjustments"]),
    tests("Arguments", on: ["Arguments"]),
    tests("Formats", on: ["Formats"]),
    tests("LookupTables", on: ["Formats", "LookupTables"]),
    tests("Metadata", on: ["Formats", "Metadata"]),
    tests("Files", on: ["Files"]),
    tests("Storage", on: ["Files", "Formats", "Storage"]),
    tests(
      "Rendering",
      on: [
        "Adjustments", "Filters", "ColorKernels", "LookupTables", "Metadata", "Rendering", "Vips",
      ]),
    tests("PhotoEditing", on: ["Files", "Storage", "Vips"], products: ["PhotoEditing"]),
    tests(
      "PhotoLibrary", on: ["Catalog", "Files", "Metadata", "Rendering", "Storage", "CSQLite"],
      products: ["PhotoLibraryKit", "PhotoEditing"]),
    tests(
      "EditCommands", on: ["Arguments", "EditCommands", "Files"],
      products: ["PhotoEditing", "PhotoLibraryKit", "edit"]),
  ],
  swiftLanguageModes: [.v6]
)

/// Targets that are no products have the package's name before their own, so that they collide with
/// no target of a program that links Safelight. Their folders have the short names.
func prefixed(_ name: String) -> String { "Safelight" + name }

func dependencies(on parts: [String], products: [String] = []) -> [Target.Dependency] {
  (parts.map(prefixed) + products).map { .byName(name: $0) }
}

/// A target that is no product.
func part(
  _ name: String, at path: String? = nil, on parts: [String] = [], products: [String] = [],
  resources: [Resource]? = nil
) -> Target {
  .target(
    name: prefixed(name), dependencies: dependencies(on: parts, products: products),
    path: path ?? "Sources/" + name, resources: resources)
}

/// A library of the system, by its name for pkg-config and its Debian package.
func system(_ name: String, pkgConfig: String, package: String) -> Target {
  .systemLibrary(
    name: prefixed(name), path: "Sources/" + name, pkgConfig: pkgConfig,
    providers: [.apt([package])])
}

/// The tests of a part or a product.
func tests(_ name: String, on parts: [String], products: [String] = []) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: dependencies(on: parts + ["TestSupport"], products: products))
}
