import DICore

private struct Part {}

extension Case {
    /// A check of the whole wiring, in which each registration but the last ones needs two others.
    @inline(__always)
    static func validating<Box: MeasuredContainer>(_: Box.Type, prefix: String) -> [Case] {
        [200, 2_000, 20_000].map { (size: Int) -> Case in
            Case("\(prefix)validate-\(size)", sizes: [0], role: size < 20_000 ? .gated : .large) { measurement in
                let box = Box.make()
                for number in 0..<size {
                    let entry = box.registering.registerUnshared(Part.self, name: "\(number)") { _ in Part() }
                        .dependsOnNothing()
                    for needed in [2 * number + 1, 2 * number + 2] where needed < size {
                        entry.dependsOn(Part.self, name: "\(needed)")
                    }
                }
                measurement.loop(count: max(1, 2_000 / size)) { count in
                    for _ in 0..<count { use(box.dependencyGraph().validate().problems.isEmpty ? nil : box) }
                }
            }
        }
    }
}
