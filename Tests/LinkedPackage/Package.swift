// swift-tools-version: 6.0
import PackageDescription

// Names of targets that a program may have beside Safelight's.
let ownNames = [
  "Arguments", "Catalog", "CSQLite", "Files", "Filters", "Formats", "Metadata", "Rendering",
  "Storage",
]

// What tools that link Safelight look like.
let package = Package(
  name: "linked-package",
  dependencies: [.package(name: "safelight", path: "../..")],
  targets: [
    .executableTarget(
      name: "LinkedPackage",
      dependencies: [.product(name: "PhotoEditing", package: "safelight")]),
    .executableTarget(
      name: "ReadmeExample",
      dependencies: [.product(name: "PhotoEditing", package: "safelight")]),
    .executableTarget(
      name: "LibraryExample",
      dependencies: [
        .product(name: "PhotoEditing", package: "safelight"),
        .product(name: "PhotoLibraryKit", package: "safelight"),
      ]),

    // A program that uses the library and makes no edits.
    .executableTarget(
      name: "LibraryAlone",
      dependencies: ["Darkroom", .product(name: "PhotoLibraryKit", package: "safelight")]),

    // A program with PhotoKit's names.
    .executableTarget(
      name: "PhotosExample", dependencies: [.product(name: "Photos", package: "safelight")]),

    // A program whose own targets have the names of Safelight's folders.
    .executableTarget(
      name: "OwnNames",
      dependencies: ownNames.map { .byName(name: $0) } + [
        "Darkroom",
        .product(name: "PhotoEditing", package: "safelight"),
        .product(name: "PhotoLibraryKit", package: "safelight"),
      ]),
    .target(name: "Darkroom", path: "Sources/Own/Darkroom"),
  ]
    + ownNames.map { .target(name: $0, path: "Sources/Own/" + $0) },
  swiftLanguageModes: [.v6]
)
