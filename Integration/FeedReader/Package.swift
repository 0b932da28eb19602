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

/// The modules that do one part of the work each. Every one knows the model and nothing of the others.
let parts = ["FeedParsing", "FeedNetwork", "FeedStorage", "FeedSamples"]

/// What a suite needs beyond its own module and the model; most need nothing.
let testDependencies: [String: [String]] = [
    "FeedParsing": ["FeedSamples"]
]

/// Compiled into the module, so that the samples are found wherever the executable is moved to.
let resources: [String: [Resource]] = [
    "FeedSamples": [
        .embedInCode("Feeds/observatory.rss"), .embedInCode("Feeds/bakery.atom"), .embedInCode("Feeds/tides.json"),
    ]
]

let package = Package(
    name: "FeedReader",
    platforms: [.macOS(.v15)],
    dependencies: [],
    targets: [.target(name: "FeedModel")]
        + parts.map { .target(name: $0, dependencies: ["FeedModel"], resources: resources[$0]) }
        + (["FeedModel"] + parts.filter { $0 != "FeedSamples" }).map { module in
            .testTarget(
                name: "\(module)Tests",
                dependencies: Set(["FeedModel", module] + testDependencies[module, default: []])
                    .sorted().map { .byName(name: $0) }
            )
        },
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}
