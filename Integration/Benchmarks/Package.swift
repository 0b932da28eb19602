// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-di", path: "../..")],
    targets: [
        .systemLibrary(name: "Allocator", path: "Sources/Allocator"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "Allocator",
                .product(name: "DICore", package: "swift-di"),
                .product(name: "DIScopes", package: "swift-di"),
                .product(name: "DIWrappers", package: "swift-di"),
                .product(name: "DIThreadSafe", package: "swift-di"),
            ],
            path: "Sources/Benchmarks"
        ),
    ],
    swiftLanguageModes: [.v6]
)
