/// The bits of a key that the registry looks for.
///
/// A key without arguments, name and option, by far the most frequent, has a tag that no other key has: the bits of its
/// metatype times an odd number, which loses nothing, with the low bits clear because metatypes are aligned. All other
/// keys are hashed into a tag with the low bit set, and what is found for one is compared in full.
struct KeyTag: Equatable {
    let bits: UInt

    private static let multiplier: UInt = 0x9E37_79B9_7F4A_7C15

    var isUnique: Bool { bits & 1 == 0 }

    @inline(__always)
    init(unnamed serviceType: Any.Type) {
        bits = UInt(bitPattern: ObjectIdentifier(serviceType)) &* KeyTag.multiplier
    }

    @inline(__always)
    init(_ key: ServiceKey) {
        let service = UInt(bitPattern: ObjectIdentifier(key.serviceType))
        let noArguments = key.takesNoArguments
        if noArguments, key.name == nil, key.boxedOption == nil {
            bits = service &* KeyTag.multiplier
            return
        }
        var hash = service
        if !noArguments { hash = KeyTag.mix(hash, UInt(bitPattern: ObjectIdentifier(key.argumentsType))) }
        if let name = key.name { hash = KeyTag.mix(hash, KeyTag.hash(of: name)) }
        if let box = key.boxedOption { hash = KeyTag.mix(hash, KeyTag.hash(of: box.option)) }
        bits = (hash &* KeyTag.multiplier) | 1
    }

    @inline(__always)
    private static func mix(_ hash: UInt, _ part: UInt) -> UInt {
        let product = (hash ^ part) &* 0xD6E8_FEB8_6659_FD93
        return product ^ (product &>> 32) ^ part
    }

    /// Hashes ASCII names byte by byte, a third of what the standard hasher takes for names of this length. Names with
    /// other characters go to the standard hasher, since equal strings may then differ in their bytes.
    private static func hash(of name: String) -> UInt {
        let fast = name.utf8.withContiguousStorageIfAvailable { bytes -> UInt? in
            var hash: UInt = 0xCBF2_9CE4_8422_2325
            var seen: UInt8 = 0
            for byte in bytes {
                seen |= byte
                hash = (hash ^ UInt(byte)) &* 0x100_0000_01B3
            }
            return seen < 0x80 ? hash : nil
        }
        if let fast, let fast { return fast }
        let plain = String(String.UnicodeScalarView(name.unicodeScalars.map(asciiEquivalent)))
        return plain.utf8.allSatisfy { $0 < 0x80 } ? hash(of: plain) : UInt(bitPattern: name.hashValue)
    }

    /// The three characters outside of ASCII that are equal to one in it: Kelvin sign, Greek question mark, varia.
    private static func asciiEquivalent(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "\u{212A}": "K"
        case "\u{037E}": ";"
        case "\u{1FEF}": "`"
        default: scalar
        }
    }

    private static func hash(of option: any ServiceKeyOption) -> UInt {
        var hasher = Hasher()
        option.hash(into: &hasher)
        return UInt(bitPattern: hasher.finalize())
    }
}

extension KeyTag {
    /// The tag with bits read from a table.
    init(bits: UInt) {
        self.bits = bits
    }
}
