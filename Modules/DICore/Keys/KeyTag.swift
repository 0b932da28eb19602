// `Integration/Checks/thirty-two-bit` compiles this file for targets of 32 bits.

/// The bits of a key that the registry looks for.
///
/// A key without arguments, name and option, by far the most frequent, has a tag that no other key has: the bits of its
/// metatype times an odd number, which loses nothing, with the low bits clear because metatypes are aligned. All other
/// keys are hashed into a tag with the low bit set, and what is found for one is compared in full.
@usableFromInline
struct KeyTag: Equatable {
    @usableFromInline let bits: UInt

    var isUnique: Bool { bits & 1 == 0 }

    /// Makes the tag with bits read from a table.
    @inlinable
    @inline(__always)
    init(bits: UInt) {
        self.bits = bits
    }
}
