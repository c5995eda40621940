// swift-tools-version: 6.0
import PackageDescription

/// Whether another package has this package as a dependency, in its checkouts or from a registry.
/// SwiftPM refuses unsafe flags there, and `-O` is one of them.
let isDependency = ["/checkouts/", "/registry/"].contains { Context.packageDirectory.contains($0) }
let ownDebugBuilds = BuildSettingCondition.when(configuration: .debug)
/// Tables of addresses are read-only once the program runs. libvips is not loaded with it, though pkg-config names it
/// and its libraries: it is opened when the first picture is made. Only LLVM's linker can leave them out.
let programLinking =
  ["-use-ld=lld"]
  + (["-z", "relro", "-z", "now"]
  + ["vips", "gobject-2.0", "glib-2.0", "gio-2.0"].map { "--remap-inputs=*/lib\($0).so=/dev/null" })
  .flatMap { ["-Xlinker", $0] }

// Dependencies point down, from `edit` to the system's libraries. ARCHITECTURE.md says what each
// part is for.
let package = Package(
  name: "safelight",
  products: [
    .library(name: "PhotoEditing", targets: ["PhotoEditing"]),
    .library(name: "PhotoLibraryKit", targets: ["PhotoLibraryKit"]),
    .library(name: "Photos", targets: ["Photos"]),
    .executable(name: "edit", targets: ["edit"]),
  ],
  targets: [
    // The command line.
    .executableTarget(
      name: "edit",
      dependencies: dependencies(on: ["Darkroom", "EditCommands"], products: ["PhotoEditing"]),
      linkerSettings: isDependency ? [] : [.unsafeFlags(programLinking)]),
    part(
      "EditCommands",
      on: ["Adjustments", "Arguments", "EditServer", "Files", "Formats", "Processes"],
      products: ["PhotoEditing", "PhotoLibraryKit"]),
    part("Arguments"),
    part(
      "EditServer",
      on: [
        "Adjustments", "Files", "Formats", "Storage", "CLinux", "CMicroHTTPD",
      ],
      products: ["PhotoEditing", "PhotoLibraryKit"],
      resources: [.embedInCode("Page"), .embedInCode("Interface/interface.json")]),

    // What other programs link.
    .target(
      name: "Photos", dependencies: dependencies(on: [], products: ["PhotoLibraryKit"])),
    .target(
      name: "PhotoLibraryKit",
      dependencies: dependencies(
        on: [
          "Adjustments", "Catalog", "Darkroom", "Files", "Formats", "Metadata", "Rendering",
          "Storage",
        ],
        products: ["PhotoEditing"]),
      path: "Sources/PhotoLibrary"),
    part("Catalog", on: ["Files", "Formats", "CSQLite"], isHot: true),
    .target(
      name: "PhotoEditing",
      dependencies: dependencies(
        on: [
          "Adjustments", "Darkroom", "Files", "Filters", "Formats", "LookupTables", "Metadata",
          "Rendering", "Storage",
        ])),

    // From an edit to pixels.
    part(
      "Rendering",
      on: [
        "Adjustments", "Files", "Formats", "LookupTables", "Metadata", "Vips", "CLCMS",
        "CTurboJPEG", "ColorKernels",
      ], isHot: true),
    part("ColorKernels", isHot: true, isC: true),
    part("Vips", on: ["Files", "CVips", "VipsOpening"], isHot: true),
    part("VipsOpening", on: ["CVips"], isC: true),

    // Rendering behind a wall: in processes without rights.
    part(
      "Darkroom",
      on: [
        "Adjustments", "Files", "Formats", "LookupTables", "Metadata", "Processes", "Rendering",
        "CLinux",
      ], isHot: true),
    part("Processes", on: ["Files", "CLinux", "CSeccomp"], isHot: true),

    // From an edit to files.
    part("Storage", on: ["Adjustments", "Files", "Formats", "Metadata"], isHot: true),
    part("Files", on: ["CCrypto", "CLinux"], isHot: true),
    part("Metadata", on: ["Files", "Formats", "CCrypto"], isHot: true),

    // What an edit is.
    part("Filters", at: "Filters", on: ["Adjustments"], resources: [.embedInCode("Looks")]),
    part("LookupTables", on: ["Formats"], isHot: true),
    part("Adjustments", on: ["Formats"], isHot: true),

    // One reader for each format.
    part("Formats", on: ["CZlib"], isHot: true),

    // The system's libraries.
    // Calls of Linux that Swift's module of the C library leaves out; no library.
    .systemLibrary(name: prefixed("CLinux"), path: "Sources/CLinux"),
    system("CVips", pkgConfig: "vips", package: "libvips-dev"),
    system("CLCMS", pkgConfig: "lcms2", package: "liblcms2-dev"),
    system("CTurboJPEG", pkgConfig: "libturbojpeg", package: "libturbojpeg0-dev"),
    system("CMicroHTTPD", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),
    system("CSeccomp", pkgConfig: "libseccomp", package: "libseccomp-dev"),
    system("CCrypto", pkgConfig: "libcrypto", package: "libssl-dev"),
    system("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    system("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),

    // Tests.
    part("TestSupport", at: "Tests/TestSupport", on: ["Files"], isHot: true),
    tests("Adjustments", on: ["Adjustments"]),
    tests("Arguments", on: ["Arguments"]),
    tests("Formats", on: ["Formats"]),
    tests("LookupTables", on: ["Formats", "LookupTables"]),
    tests("Metadata", on: ["Files", "Formats", "Metadata"]),
    tests("Files", on: ["Files"]),
    tests(
      "Darkroom",
      on: ["Adjustments", "Darkroom", "Files", "Formats", "Metadata", "Processes", "Rendering"]),
    tests("Storage", on: ["Files", "Formats", "Storage"]),
    // The arithmetic that renders are compared with goes through whole pictures. Optimizing the tests too
    // would take the compiler longer than all of them run.
    part(
      "RenderingReference", at: "Tests/RenderingTests/Reference",
      on: ["Adjustments", "Metadata", "TestSupport"], isHot: true),
    tests(
      "Rendering",
      on: [
        "Adjustments", "CLCMS", "CTurboJPEG", "Files", "Filters", "ColorKernels", "LookupTables",
        "Metadata", "Rendering", "RenderingReference", "Vips",
      ], excluding: ["Reference"]),
    tests(
      "PhotoEditing", on: ["Adjustments", "Files", "Metadata", "Storage", "Vips"],
      products: ["PhotoEditing"]),
    tests(
      "PhotoLibrary", on: ["Catalog", "Files", "Metadata", "Rendering", "Storage", "CSQLite"],
      products: ["PhotoLibraryKit", "PhotoEditing"]),
    tests("Photos", on: [], products: ["PhotoEditing", "PhotoLibraryKit", "Photos"]),
    tests(
      "EditServer", on: ["EditCommands", "EditServer", "Files", "Formats"],
      products: ["PhotoEditing", "PhotoLibraryKit", "edit"]),
    tests(
      "EditCommands",
      on: ["Arguments", "CSQLite", "EditCommands", "EditServer", "Files", "Formats"],
      products: ["PhotoEditing", "PhotoLibraryKit", "edit"]),
  ],
  swiftLanguageModes: [.v6]
)

// `Tests/Fuzzers/run.py` asks for this target: with `--sanitize fuzzer`, libFuzzer has the entry point.
if let fuzzers = Context.environment["SAFELIGHT_FUZZERS"] {
  // Without those of the program, half as much is built.
  let isProgramTried = fuzzers == "all"
  package.targets.append(
    .executableTarget(
      name: "Fuzzers",
      dependencies: dependencies(
        on: ["Adjustments", "Files", "Formats", "LookupTables", "Metadata", "Storage"]
          + (isProgramTried ? ["Arguments", "Catalog", "EditCommands"] : []),
        products: isProgramTried ? ["PhotoEditing", "PhotoLibraryKit"] : []),
      path: "Tests/Fuzzers",
      exclude: ["run.py"] + (isProgramTried ? [] : ["ProgramFuzzers.swift"]),
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]
        + (isProgramTried ? [.define("PROGRAM_FUZZERS")] : [])))
}

/// Targets that are no products have the package's name before their own, so that they collide with
/// no target of a program that links Safelight. Their folders have the short names.
func prefixed(_ name: String) -> String { "Safelight" + name }

/// Optimizes inner loops and readers in debug builds too, so that tests of them are fast.
/// `-Xswiftc -Onone` switches this off, for a debugger.
func swiftSettings(isHot: Bool) -> [SwiftSetting] {
  isHot && !isDependency ? [.unsafeFlags(["-O"], ownDebugBuilds)] : []
}

func dependencies(on parts: [String], products: [String] = []) -> [Target.Dependency] {
  (parts.map(prefixed) + products).map { .byName(name: $0) }
}

/// A target that is no product.
func part(
  _ name: String, at path: String? = nil, on parts: [String] = [], products: [String] = [],
  resources: [Resource]? = nil, isHot: Bool = false, isC: Bool = false
) -> Target {
  .target(
    name: prefixed(name), dependencies: dependencies(on: parts, products: products),
    path: path ?? "Sources/" + name, resources: resources,
    // Checks of lengths that the C library has for optimized code. Swift's parts may not see it: the headers
    // that they import would differ from those of the toolchain.
    cSettings: (isC ? [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))] : [])
      + (isHot && !isDependency ? [.unsafeFlags(["-O2"], ownDebugBuilds)] : []),
    swiftSettings: swiftSettings(isHot: isHot))
}

/// A library of the system, by its name for pkg-config and its Debian package.
func system(_ name: String, pkgConfig: String, package: String) -> Target {
  .systemLibrary(
    name: prefixed(name), path: "Sources/" + name, pkgConfig: pkgConfig,
    providers: [.apt([package])])
}

/// The tests of a part or a product.
func tests(
  _ name: String, on parts: [String], products: [String] = [], excluding: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: dependencies(on: parts + ["TestSupport"], products: products),
    exclude: excluding)
}
