// swift-tools-version: 6.2
import PackageDescription

let core: Target.Dependency = "SimpleEvents"
let testing: Target.Dependency = "SimpleEventsTesting"

let package = Package(
  name: "SimpleEvents",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "SimpleEvents", targets: ["SimpleEvents"]),
    .library(name: "SimpleEventsTesting", targets: ["SimpleEventsTesting"]),
    .library(name: "SimpleObservables", targets: ["SimpleObservables"]),
    .executable(name: "coalesce", targets: ["coalesce"]),
  ],
  targets: [
    .target(name: "SimpleEvents", dependencies: ["CSimpleEvents"]),
    // What Swift has no words for: a function of its runtime here, a program's own `malloc` in the tests.
    .target(name: "CSimpleEvents"),
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    .target(name: "SimpleEventsTesting", dependencies: [core]),
    .target(name: "SimpleObservables", dependencies: [core]),
    .executableTarget(name: "coalesce", dependencies: [core]),
    .executableTarget(
      name: "SimpleEventsBenchmarks", dependencies: [core, testing, "SimpleObservables"]),
    .target(name: "TestSupport", dependencies: [core, testing], path: "Tests/TestSupport"),
    .testTarget(
      name: "SimpleEventsTests", dependencies: [core, testing, "TestSupport", "CAllocationCount"]),
    .testTarget(name: "SimpleEventsTestingTests", dependencies: [core, testing, "TestSupport"]),
    .testTarget(
      name: "SimpleObservablesTests", dependencies: [core, testing, "TestSupport", "SimpleObservables"]),
    .testTarget(name: "CoalesceTests", dependencies: ["coalesce", core]),
    .testTarget(
      name: "Swift5ClientTests", dependencies: [core, testing, "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ],
  swiftLanguageModes: [.v6]
)

// Warnings stop our own builds, never those of a package that depends on this one.
let strict = Context.environment["SIMPLEEVENTS_STRICT"] == "1"

let cTargets: Set<String> = ["CSimpleEvents", "CAllocationCount"]

for target in package.targets where !cTargets.contains(target.name) {
  var settings = target.swiftSettings ?? []
  if target.name != "Swift5ClientTests" {
    settings += [
      // Where a call is dispatched dynamically, the type says so.
      .enableUpcomingFeature("ExistentialAny"),
      // What a module imports is not what it hands on.
      .enableUpcomingFeature("InternalImportsByDefault"),
      // A member is found only where its module is imported.
      .enableUpcomingFeature("MemberImportVisibility"),
      // An async function runs where its caller runs.
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      // An actor-isolated type conforms on its actor, without saying so twice.
      .enableUpcomingFeature("InferIsolatedConformances"),
    ]
  }
  if strict {
    settings.append(.treatAllWarnings(as: .error))
  }
  target.swiftSettings = settings
}
