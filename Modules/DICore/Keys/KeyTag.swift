/// The bits of a key that the registry looks for.
///
/// A key without arguments, name and option, by far the most frequent, has a tag that no other key has: the bits of its
/// metatype times an odd number, which loses nothing, with the low bits clear because metatypes are aligned. All other
/// keys are hashed into a tag with the low bit set, and what is found for one is compared in full.
@usableFromInline
struct KeyTag: Equatable {
    @usableFromInline let bits: UInt

    @usableFromInline static var multiplier: UInt { 0x9E37_79B9_7F4A_7C15 }

    var isUnique: Bool { bits & 1 == 0 }

    @inlinable
    @inline(__always)
    init(unnamed serviceType: Any.Type) {
        bits = UInt(bitPattern: ObjectIdentifier(serviceType)) &* KeyTag.multiplier
    }

    @inline(__always)
    init(_ key: ServiceKey) {
        let service = UInt(bitPattern: ObjectIdentifier(key.serviceType))
        if key.name == nil, key.boxedOption == nil, key.takesNoArguments {
            bits = service &* KeyTag.multiplier
            return
        }
        var hash = KeyTag.mix(service, UInt(bitPattern: ObjectIdentifier(key.argumentsType)))
        if let name = key.name { hash = KeyTag.mix(hash, KeyTag.hash(of: name)) }
        if let box = key.boxedOption { hash = KeyTag.mix(hash, KeyTag.hash(of: box)) }
        bits = (hash &* KeyTag.multiplier) | 1
    }

    @inline(__always)
    private static func mix(_ hash: UInt, _ part: UInt) -> UInt {
        let product = (hash ^ part) &* 0xD6E8_FEB8_6659_FD93
        return product ^ (product &>> 32) ^ part
    }

    /// Hashes ASCII names eight bytes at a time, a sixth of what the standard hasher takes for a short name. Names with
    /// other characters go to the standard hasher, since equal strings may then differ in their bytes.
    @inline(__always)
    private static func hash(of name: String) -> UInt {
        let fast = name.utf8.withContiguousStorageIfAvailable { hash(ofASCII: UnsafeRawBufferPointer($0)) }
        if let fast, let fast { return fast }
        return slowHash(of: name)
    }

    /// Nil when some byte is not ASCII.
    @inline(__always)
    private static func hash(ofASCII bytes: UnsafeRawBufferPointer) -> UInt? {
        let count = bytes.count
        var hash = UInt(bitPattern: count)
        var seen: UInt = 0
        // The last word overlaps the one before it; a name of less than one word is put together.
        if count >= 8 {
            var offset = 0
            while offset < count {
                let word = bytes.loadUnaligned(fromByteOffset: min(offset, count - 8), as: UInt64.self)
                seen |= UInt(word)
                hash = mix(hash, UInt(word))
                offset += 8
            }
        } else if count >= 4 {
            let low = bytes.loadUnaligned(as: UInt32.self)
            let high = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            seen = UInt(low) | UInt(high) << 32
            hash = mix(hash, seen)
        } else if count > 0 {
            seen = UInt(bytes[0]) | UInt(bytes[count / 2]) << 8 | UInt(bytes[count - 1]) << 16
            hash = mix(hash, seen)
        }
        return seen & 0x8080_8080_8080_8080 == 0 ? hash : nil
    }

    @inline(never)
    private static func slowHash(of name: String) -> UInt {
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

    @inline(never)
    private static func hash(of box: ServiceKey.OptionBox) -> UInt {
        var hasher = Hasher()
        box.option.hash(into: &hasher)
        return UInt(bitPattern: hasher.finalize())
    }
}

extension KeyTag {
    /// The tag with bits read from a table.
    init(bits: UInt) {
        self.bits = bits
    }
}
