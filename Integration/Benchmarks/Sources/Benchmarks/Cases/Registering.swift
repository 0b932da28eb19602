/// Names that take no memory of their own, as most do.
private func names(_ count: Int) -> [String] { (0..<count).map { "name \($0)" } }

/// How a case registers. The functions that do it are methods of each kind of container.
enum Registration: String, CaseIterable {
    case register, autoregister, forward
}

extension Case {
    /// What one registration costs where a container gets so many, the growth of its table included.
    ///
    /// They differ by name, since there are no hundred thousand types. A key without a name costs less.
    @inline(__always)
    static func registering<Box: MeasuredContainer>(in _: Box.Type, prefix: String) -> [Case] {
        [10, 1_000, 100_000].flatMap { size in
            Registration.allCases.map { kind in
                // One of the large ones says what size does to all.
                let isGated = size < 100_000 || (prefix.isEmpty && kind == .register)
                return Case("\(prefix)\(kind)-\(size)", sizes: [0], role: isGated ? .gated : .large) { measurement in
                    let names = names(size)
                    let containers = max(1, 1_000 / size)
                    measurement.once(count: containers * size) {
                        (0..<containers).map { _ in Box.make() }
                    } _: { boxes in
                        for box in boxes { box.register(kind, names) }
                    }
                }
            }
        }
    }
}
