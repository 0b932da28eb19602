/// Numbers of things in words.
enum Count {
    static func items(_ count: Int) -> String { count == 1 ? "1 item" : "\(count) items" }

    static func newItems(_ count: Int) -> String { count == 1 ? "1 new item" : "\(count) new items" }

    static func feeds(_ count: Int) -> String { count == 1 ? "1 feed" : "\(count) feeds" }

    static func problems(_ count: Int) -> String { count == 1 ? "1 problem" : "\(count) problems" }
}
