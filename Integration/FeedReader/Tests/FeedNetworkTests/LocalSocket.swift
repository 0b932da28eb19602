import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A socket bound to a port of this machine that the system chooses. As long as it does not listen, nobody can
/// connect.
final class LocalSocket: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = Self.makeDescriptor()
        let descriptor = descriptor
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var address = Self.address(port: 0)
        let code = Self.withGeneric(&address) { address in
            bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0 ? 0 : errno
        }
        port = UInt16(bigEndian: address.sin_port)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    }

    deinit {
        close(descriptor)
    }

    func listen() throws {
        guard Foundation.listen(descriptor, 64) == 0 else { throw POSIXError(.EINVAL) }
    }

    /// Waits for the next connection; nil if there can be no more.
    func accept() -> Int32? {
        let connection = Foundation.accept(descriptor, nil, nil)
        return connection >= 0 ? connection : nil
    }

    /// Connects and hangs up at once.
    static func knock(at port: UInt16) {
        let descriptor = makeDescriptor()
        var address = address(port: port)
        _ = withGeneric(&address) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        close(descriptor)
    }

    private static func makeDescriptor() -> Int32 {
        #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withGeneric(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
