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

/// A scope by an author outside of the package: from login to logout, with a word to each object at the end.
let package = Package(
    name: "CustomScope",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "SessionScope", targets: ["SessionScope"])],
    dependencies: [.package(name: "swift-di", path: "../..")],
    targets: [
        .target(
            name: "SessionScope",
            dependencies: [.product(name: "DICore", package: "swift-di")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SessionScopeTests",
            dependencies: [
                "SessionScope",
                .product(name: "DICore", package: "swift-di"),
                .product(name: "DITesting", package: "swift-di"),
                .product(name: "DIThreadSafe", package: "swift-di"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
