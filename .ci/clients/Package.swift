// swift-tools-version: 6.2
import PackageDescription

let products: [Target.Dependency] = [
  .product(name: "SimpleEvents", package: "SimpleEvents"),
  .product(name: "SimpleEventsLoops", package: "SimpleEvents"),
  .product(name: "SimpleObservables", package: "SimpleEvents"),
]

let package = Package(
  name: "Clients",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "SimpleEvents", path: Context.environment["SIMPLEEVENTS"] ?? "../..")],
  targets: [
    .executableTarget(name: "five", dependencies: products, swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "six", dependencies: products),
    .executableTarget(
      name: "virtual",
      dependencies: products + [
        .product(name: "SimpleEventsMonitoring", package: "SimpleEvents"),
        .product(name: "SimpleEventsTesting", package: "SimpleEvents"),
      ]),
    .executableTarget(
      name: "isolated", dependencies: products, swiftSettings: [.defaultIsolation(MainActor.self)]),
    // This client does not link Foundation, so that its size can be measured.
    .executableTarget(name: "values", dependencies: products),
    // The examples of the documentation. The second folder is a link to the first.
    .executableTarget(name: "models", dependencies: products),
    .executableTarget(
      name: "isolatedModels", dependencies: products, swiftSettings: [.defaultIsolation(MainActor.self)]),
    // These clients run under the thread sanitizer: one with threads that contend, and one with actors that
    // are deallocated.
    .executableTarget(name: "contended", dependencies: products),
    .executableTarget(name: "released", dependencies: products),
  ],
  swiftLanguageModes: [.v6]
)
