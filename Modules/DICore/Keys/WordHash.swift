// The arithmetic of hashes and tables, with constants that are made for the width of a word. In a file that needs nothing
// but the standard library: `Integration/Checks/thirty-two-bit` compiles it for targets of 32 bits, as watches have.

/// Hashes of one machine word.
@usableFromInline
enum WordHash {
    /// An odd number with well mixed bits, the golden ratio as a fraction of all words. To multiply by it loses nothing.
    @inlinable
    @inline(__always)
    static var multiplier: UInt { UInt(truncatingIfNeeded: (0x9E37_79B9_7F4A_7C15 as UInt64) >> spareBits) }

    @inlinable
    @inline(__always)
    static var spareBits: Int { UInt64.bitWidth - UInt.bitWidth }

    /// Puts another word into a hash.
    @inline(__always)
    static func mix(_ hash: UInt, _ part: UInt) -> UInt {
        let multiplier = UInt(truncatingIfNeeded: (0xD6E8_FEB8_6659_FD93 as UInt64) >> spareBits) | 1
        let product = (hash ^ part) &* multiplier
        return product ^ (product &>> UInt(UInt.bitWidth / 2)) ^ part
    }

    /// The place of a number that was counted up in a table whose capacity is a power of two, of at most 24 bits.
    @inline(__always)
    static func slot(of number: UInt, capacity: Int) -> Int {
        Int(bitPattern: (number &* multiplier) &>> UInt(UInt.bitWidth - 24)) & (capacity &- 1)
    }

    /// Hashes bytes a word at a time. Nil when some byte is not ASCII.
    @inline(__always)
    static func hash(ofASCII bytes: UnsafeRawBufferPointer) -> UInt? {
        let count = bytes.count
        let wordSize = MemoryLayout<UInt>.size
        var hash = UInt(bitPattern: count)
        var seen: UInt = 0
        // The last word overlaps the one before it; a name of less than one word is put together.
        if count >= wordSize {
            var offset = 0
            while offset < count {
                let word = bytes.loadUnaligned(fromByteOffset: min(offset, count - wordSize), as: UInt.self)
                seen |= word
                hash = mix(hash, word)
                offset += wordSize
            }
        } else if count >= 4 {
            // Only where a word has eight bytes.
            let low = bytes.loadUnaligned(as: UInt32.self)
            let high = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            seen = UInt(low) | UInt(high) << UInt(UInt.bitWidth / 2)
            hash = mix(hash, seen)
        } else if count > 0 {
            seen = UInt(bytes[0]) | UInt(bytes[count / 2]) << 8 | UInt(bytes[count - 1]) << 16
            hash = mix(hash, seen)
        }
        // The highest bit of each byte.
        return seen & (UInt.max / 255 * 128) == 0 ? hash : nil
    }

    /// Whether two values are seen to be equal by comparing their words. If not they may still be.
    @inline(__always)
    static func haveSameWords<Value>(_ left: Value, _ right: Value) -> Bool {
        let wordSize = MemoryLayout<UInt>.size
        guard MemoryLayout<Value>.size % wordSize == 0 else { return false }
        return withUnsafeBytes(of: left) { left in
            withUnsafeBytes(of: right) { right in
                var offset = 0
                while offset < MemoryLayout<Value>.size {
                    let words = (
                        left.load(fromByteOffset: offset, as: UInt.self),
                        right.load(fromByteOffset: offset, as: UInt.self)
                    )
                    if words.0 != words.1 { return false }
                    offset += wordSize
                }
                return true
            }
        }
    }
}
