// swift-tools-version: 6.3

import PackageDescription

/// Every library beside the core. Each depends on the core and on nothing else of ours: the star of `Docs/Architecture.md`.
let satellites = ["DIScopes", "DIWrappers", "DIAssembly", "DILogging", "DIThreadSafe", "DITesting"]

/// What a suite needs beyond its own module and the test support; most need nothing.
let testDependencies: [String: [String]] = [
    "DICore": ["DIScopes"],
    "DIScopes": [],
    "DIWrappers": ["DIScopes", "DIThreadSafe"],
    "DIAssembly": ["DIScopes", "DIThreadSafe"],
    "DILogging": ["DIScopes", "DIThreadSafe", "DIWrappers"],
    "DIThreadSafe": ["DIScopes", "DIWrappers", "DIAssembly", "DILogging"],
    "DITesting": ["DIScopes", "DIThreadSafe", "DIWrappers"],
]

/// The suites that keep texts in files of their own beside the sources.
let suitesWithGoldenTexts = ["DICore", "DIAssembly", "DITesting"]

let settings: [SwiftSetting] = [
    "ExistentialAny",
    "InternalImportsByDefault",
    "MemberImportVisibility",
    "InferIsolatedConformances",
    "NonisolatedNonsendingByDefault",
    "ImmutableWeakCaptures",
].map { .enableUpcomingFeature($0) }

let libraries = ["DICore"] + satellites

let package = Package(
    name: "swift-di",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: libraries.map { .library(name: $0, targets: [$0]) },
    targets: [
        .target(name: "DICore", path: "Modules/DICore"),
        .target(name: "DITestSupport", dependencies: ["DICore"], path: "Tests/DITestSupport"),
        .testTarget(
            name: "DocumentationTests",
            dependencies: (libraries + ["DITestSupport"]).map { .byName(name: $0) }
        ),
    ]
        + satellites.map { .target(name: $0, dependencies: ["DICore"], path: "Modules/\($0)") }
        + libraries.map { library in
            .testTarget(
                name: "\(library)Tests",
                dependencies: (Set([library, "DICore", "DITestSupport"] + testDependencies[library, default: []]))
                    .sorted().map { .byName(name: $0) },
                exclude: suitesWithGoldenTexts.contains(library) ? ["Golden"] : []
            )
        },
    swiftLanguageModes: [.v6]
)

// A check that runs a few suites in a build of its own names them, so that the others are not compiled for it.
if let suites = Context.environment["DI_SUITES"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !suites.contains($0.name) }
}

for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}
