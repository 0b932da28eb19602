public import DICore

extension ResolutionRecorder {
    /// Expects that a service was asked for, whoever asked and whatever came of it.
    public func expectRequested<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        if requests.contains(where: { $0.key.isOf(serviceType, name) }) { return }
        TestPlace(fileID, filePath, line, column).fail(self, "\(key(serviceType, name)) was not requested")
    }

    /// Expects that a service was asked for by the factory or a callback of another one.
    public func expectRequested<Service, Requester>(
        _ serviceType: Service.Type,
        name: String? = nil,
        by requesterType: Requester.Type,
        name requesterName: String? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let isThere = requests.contains {
            $0.key.isOf(serviceType, name) && $0.requester?.isOf(requesterType, requesterName) == true
        }
        if isThere { return }
        let requester = key(requesterType, requesterName)
        TestPlace(fileID, filePath, line, column)
            .fail(self, "\(key(serviceType, name)) was not requested by \(requester)")
    }

    /// Expects that nobody asked for a service.
    public func expectNotRequested<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        if !requests.contains(where: { $0.key.isOf(serviceType, name) }) { return }
        TestPlace(fileID, filePath, line, column).fail(self, "\(key(serviceType, name)) was requested")
    }

    /// Expects that a service was created a number of times.
    public func expectCreated<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        times count: Int = 1,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let found = created.count { $0.isOf(serviceType, name) }
        if found == count { return }
        TestPlace(fileID, filePath, line, column)
            .fail(self, "\(key(serviceType, name)) was created \(times(found)), not \(times(count))")
    }

    /// Expects that a service was complete for the first time before another one was.
    public func expectCreated<Service, Other>(
        _ serviceType: Service.Type,
        name: String? = nil,
        before otherType: Other.Type,
        name otherName: String? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let created = created
        let first = created.firstIndex { $0.isOf(serviceType, name) }
        let second = created.firstIndex { $0.isOf(otherType, otherName) }
        if let first, let second, first < second { return }
        let one = key(serviceType, name)
        let two = key(otherType, otherName)
        let place = TestPlace(fileID, filePath, line, column)
        guard first != nil else { return place.fail(self, "\(one) was not created") }
        guard second != nil else { return place.fail(self, "\(two) was not created") }
        place.fail(self, "\(one) was not created before \(two)")
    }

    /// Expects that no request has failed, apart from those for the given reasons.
    public func expectNoFailures(
        except codes: [ResolutionError.Code] = [],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let failures = requests.compactMap { request -> ResolutionError? in
            if case .failed(let error) = request.outcome, !codes.contains(error.code) { error } else { nil }
        }
        if failures.isEmpty { return }
        TestPlace(fileID, filePath, line, column)
            .fail("requests have failed:\n" + failures.map { "\($0)" }.joined(separator: "\n"))
    }

    private func key(_ type: Any.Type, _ name: String?) -> ServiceKey { ServiceKey(serviceType: type, name: name) }
}

extension TestPlace {
    fileprivate func fail(_ recorder: ResolutionRecorder, _ text: String) {
        fail("\(text); recorded:\n\(indented("\(recorder)"))")
    }
}

extension ServiceKey {
    /// Whether the key is of a type and name, whatever the runtime arguments.
    fileprivate func isOf(_ type: Any.Type, _ name: String?) -> Bool { serviceType == type && self.name == name }
}
