import Testing

/// The stress suites of this module, one after the other: each has more threads than there are processors, and what is
/// shown is shown sooner when others do not take those away.
@Suite("Stress", .serialized)
enum ThreadStressTests {}
