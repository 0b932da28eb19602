import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Puts the errors of `URLSession` into words; on Linux many of them come without any.
enum ConnectionFailure {
    /// Half a sentence, for `FeedError.connectionFailed`.
    static func words(for error: URLError) -> String {
        switch error.code {
        case .cannotFindHost, .dnsLookupFailed: "there is no host of this name, or no network"
        case .cannotConnectToHost: "nothing answers there"
        case .networkConnectionLost: "it broke before the answer was complete"
        case .notConnectedToInternet: "there is no network"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            "the server cannot prove that it is the right one"
        case .httpTooManyRedirects: "the server redirects in circles"
        // The address is one of HTTP, so what is unsupported is what came back.
        case .badServerResponse, .cannotParseResponse, .zeroByteResource, .unsupportedURL: "the answer is not HTTP"
        default: error.localizedDescription.trimmingCharacters(in: ["."])
        }
    }
}
