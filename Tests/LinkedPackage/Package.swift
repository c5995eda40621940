// swift-tools-version: 6.0
import PackageDescription

// What tools that link Safelight look like. Each depends on nothing but one product.
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
      dependencies: [.product(name: "PhotoLibraryKit", package: "safelight")]),
  ],
  swiftLanguageModes: [.v6]
)
