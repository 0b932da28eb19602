import Foundation
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A real HTTP server on a port of this machine that the system chooses.
///
/// Small and blunt: one thread per connection, one request per connection.
final class TestServer: Sendable {
    /// What a client asked.
    struct Request: Sendable {
        var path: String
        /// By lower-case names.
        var headers: [String: String]
    }

    /// What the server does with a request.
    enum Answer: Sendable {
        case reply(status: Int, headers: [String: String] = [:], body: Data = Data())
        /// Promises more bytes than it sends, and hangs up.
        case truncated(promised: Int, body: Data)
        /// Not HTTP.
        case raw(String)
        /// Says nothing until the client hangs up.
        case silence
        /// Sends one byte after the other, for as long as the client listens.
        case dribble
        /// Sends some fifty megabytes a second, and never ends.
        case flood
    }

    let port: UInt16
    /// Each request, as soon as it is read and before it is answered.
    let requests: AsyncStream<Request>

    private let isStopped = Atomic(false)
    private let arrivals: AsyncStream<Request>.Continuation
    private let answer: @Sendable (Request) -> Answer

    /// Listens until `stop` is called.
    init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        self.answer = answer
        (requests, arrivals) = AsyncStream.makeStream()
        let socket = try LocalSocket()
        port = socket.port
        try socket.listen()
        Thread.detachNewThread { self.acceptConnections(of: socket) }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Takes no more connections. Those that are open end by themselves.
    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        arrivals.finish()
        // The thread that waits for connections gets one, and looks at the flag. Closing its socket from here
        // would let it wait on whatever gets the number of the socket next.
        LocalSocket.knock(at: port)
    }

    private func acceptConnections(of socket: LocalSocket) {
        while let connection = socket.accept() {
            guard !isStopped.load(ordering: .sequentiallyConsistent) else {
                close(connection)
                return
            }
            Thread.detachNewThread { self.serve(connection) }
        }
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let request = readRequest(connection) else { return }
        arrivals.yield(request)
        switch answer(request) {
        case .reply(let status, var headers, let body):
            headers["Content-Length"] = String(body.count)
            _ = send(head(status, headers) + body, to: connection)
        case .truncated(let promised, let body):
            _ = send(head(200, ["Content-Length": String(promised)]) + body, to: connection)
        case .raw(let text):
            _ = send(Data(text.utf8), to: connection)
        case .silence:
            waitForHangUp(connection)
        case .dribble:
            guard send(head(200, ["Content-Length": "1000000"]), to: connection) else { return }
            // The pause is what makes it dribble; nothing waits for it.
            while !hasHungUp(connection, within: 20), send(Data(" ".utf8), to: connection) {}
        case .flood:
            guard send(head(200, [:]), to: connection) else { return }
            // The pause leaves the machine to the tests beside this one; nothing waits for it.
            while !hasHungUp(connection, within: 1), send(Data(repeating: 0x20, count: 65_536), to: connection) {}
        }
    }

    private func head(_ status: Int, _ headers: [String: String]) -> Data {
        let lines = headers.map { "\($0): \($1)\r\n" }.joined()
        return Data("HTTP/1.1 \(status) Status\r\n\(lines)Connection: close\r\n\r\n".utf8)
    }

    private func readRequest(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer.prefix(count)
        }
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers[line[..<colon].lowercased()] = value
        }
        return Request(path: String(words[1]), headers: headers)
    }

    /// False if the client hung up.
    private func send(_ data: Data, to connection: Int32) -> Bool {
        #if canImport(Darwin)
        var isOn: Int32 = 1
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func waitForHangUp(_ connection: Int32) {
        while !hasHungUp(connection, within: -1) {}
    }

    private func hasHungUp(_ connection: Int32, within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, milliseconds) > 0 else { return false }
        var byte: UInt8 = 0
        return recv(connection, &byte, 1, 0) <= 0
    }
}
