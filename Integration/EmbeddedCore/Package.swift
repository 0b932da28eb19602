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

/// The smallest consumer: the core alone, in a program that does not link Foundation.
let package = Package(
    name: "EmbeddedCore",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-di", path: "../..")],
    targets: [
        .executableTarget(
            name: "embedded-core",
            dependencies: [.product(name: "DICore", package: "swift-di")],
            path: "Sources/EmbeddedCore",
            swiftSettings: settings
        )
    ],
    swiftLanguageModes: [.v6]
)
