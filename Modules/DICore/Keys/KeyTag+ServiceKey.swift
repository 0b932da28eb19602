extension KeyTag {
    @inlinable
    @inline(__always)
    init(unnamed serviceType: Any.Type) {
        self.init(bits: UInt(bitPattern: ObjectIdentifier(serviceType)) &* WordHash.multiplier)
    }

    @inline(__always)
    init(_ key: ServiceKey) {
        let service = UInt(bitPattern: ObjectIdentifier(key.serviceType))
        if key.name == nil, key.boxedOption == nil, key.takesNoArguments {
            self.init(bits: service &* WordHash.multiplier)
            return
        }
        var hash = WordHash.mix(service, UInt(bitPattern: ObjectIdentifier(key.argumentsType)))
        if let name = key.name { hash = WordHash.mix(hash, KeyTag.hash(of: name)) }
        if let box = key.boxedOption { hash = WordHash.mix(hash, KeyTag.hash(of: box)) }
        self.init(bits: (hash &* WordHash.multiplier) | 1)
    }

    /// Hashes ASCII names a word at a time, a sixth of what the standard hasher takes for a short name. Names with
    /// other characters go to the standard hasher, since equal strings may then differ in their bytes.
    @inline(__always)
    private static func hash(of name: String) -> UInt {
        let fast = name.utf8.withContiguousStorageIfAvailable { WordHash.hash(ofASCII: UnsafeRawBufferPointer($0)) }
        if let fast, let fast { return fast }
        return slowHash(of: name)
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
