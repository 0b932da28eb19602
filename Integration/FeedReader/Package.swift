// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
    "ExistentialAny",
    "InternalImportsByDefault",
    "MemberImportVisibility",
    "InferIsolatedConformances",
    "NonisolatedNonsendingByDefault",
    "ImmutableWeakCaptures",
].map { .enableUpcomingFeature($0) }

/// The modules that do one part of the work each, and what each uses of the framework to say how it is put together.
/// Every one knows the model and nothing of the others; the model knows nothing of the framework.
let parts = [
    "FeedParsing": ["DICore", "DIAssembly"],
    "FeedNetwork": ["DICore", "DIScopes", "DIAssembly"],
    "FeedStorage": ["DICore", "DIScopes", "DIAssembly"],
    "FeedSamples": ["DICore", "DIAssembly"],
]

/// What the app uses.
let everything = ["DICore", "DIScopes", "DIWrappers", "DIAssembly", "DILogging", "DIThreadSafe"]

/// What a suite needs beyond its own module and the model; most need nothing.
let testDependencies: [String: [String]] = [
    "FeedParsing": ["FeedSamples"]
]

/// What the suites of the parts are put together with, as the app does it.
let testProducts = ["DICore", "DIWrappers", "DIAssembly", "DIThreadSafe", "DITesting"]

/// Compiled into the module, so that the samples are found wherever the executable is moved to.
let resources: [String: [Resource]] = [
    "FeedSamples": [
        .embedInCode("Feeds/observatory.rss"), .embedInCode("Feeds/bakery.atom"), .embedInCode("Feeds/tides.json"),
    ]
]

func products(_ names: [String]) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "swift-di") }
}

func modules(_ names: Set<String>) -> [Target.Dependency] {
    names.sorted().map { .byName(name: $0) }
}

let allParts = Set(parts.keys).union(["FeedModel"])

let package = Package(
    name: "FeedReader",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "feeds", targets: ["feeds"])],
    dependencies: [.package(name: "swift-di", path: "../..")],
    targets: [
        .target(name: "FeedModel"),
        .target(name: "FeedApp", dependencies: modules(allParts) + products(everything)),
        .executableTarget(
            name: "feeds",
            dependencies: modules(["FeedApp"])
        ),
        .testTarget(
            name: "FeedAppTests",
            dependencies: modules(allParts.union(["FeedApp"])) + products(everything + ["DITesting"])
        ),
    ]
        + parts.sorted { $0.key < $1.key }.map { part, used in
            .target(name: part, dependencies: modules(["FeedModel"]) + products(used), resources: resources[part])
        }
        + allParts.subtracting(["FeedSamples"]).sorted().map { module in
            .testTarget(
                name: "\(module)Tests",
                dependencies: modules(Set(["FeedModel", module] + testDependencies[module, default: []]))
                    + (parts[module] == nil ? [] : products(testProducts))
            )
        },
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}
