import FeedModel
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Collects the answers to the tasks of one session, each up to a limit.
///
/// A task is entered before it starts and leaves once, with a result: whoever takes it out of the table resumes
/// the caller, outside of the lock.
final class DownloadDelegate: NSObject, Sendable {
    private typealias Answer = (Data, HTTPURLResponse)

    private struct Download {
        let source: FeedSource
        let continuation: CheckedContinuation<Answer, any Error>
        var data = Data()
    }

    private let byteLimit: Int
    private let downloads = Mutex<[Int: Download]>([:])

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// Starts a task of the session this is the delegate of, and waits for the whole answer.
    ///
    /// Throws `URLError`, `FeedError.tooLarge`, or `CancellationError` if the calling task is cancelled.
    func run(_ task: URLSessionDataTask, of source: FeedSource) async throws -> (Data, HTTPURLResponse) {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                downloads.withLock {
                    $0[task.taskIdentifier] = Download(source: source, continuation: continuation)
                }
                // A cancellation before this line found nothing in the table to finish.
                if Task.isCancelled {
                    finish(task, with: .failure(CancellationError()))
                } else {
                    task.resume()
                }
            }
        } onCancel: {
            finish(task, with: .failure(CancellationError()))
            task.cancel()
        }
    }

    private func finish(_ task: URLSessionTask, with result: Result<Answer, any Error>) {
        let download = downloads.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        download?.continuation.resume(with: result)
    }
}

extension DownloadDelegate: URLSessionDataDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let exceeded: FeedSource? = downloads.withLock { downloads in
            guard var download = downloads.removeValue(forKey: dataTask.taskIdentifier) else { return nil }
            download.data.append(data)
            let isTooLarge = download.data.count > byteLimit
            if isTooLarge { download.data = Data() }
            downloads[dataTask.taskIdentifier] = download
            return isTooLarge ? download.source : nil
        }
        if let exceeded {
            finish(dataTask, with: .failure(FeedError.tooLarge(exceeded, limit: byteLimit)))
            dataTask.cancel()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            // On Linux an answer that ends too early is an unknown error; that it had begun says what it is.
            let brokeOff = (error as? URLError)?.code == .unknown && task.response != nil
            finish(task, with: .failure(brokeOff ? URLError(.networkConnectionLost) : error))
        } else if let response = task.response as? HTTPURLResponse {
            let data = downloads.withLock { $0[task.taskIdentifier]?.data } ?? Data()
            finish(task, with: .success((data, response)))
        } else {
            finish(task, with: .failure(URLError(.badServerResponse)))
        }
    }
}
