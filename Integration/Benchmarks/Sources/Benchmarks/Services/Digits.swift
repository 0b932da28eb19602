// Ten types, of which two make a number below a hundred: for services that are told apart by their type alone, of which
// nobody wants to write a hundred.
//
// This is compiled as if they had been written out. All functions that have digits as type parameters and register or
// resolve are inlined always, so that each registration and each request has concrete types, known where it is compiled.
// The services are generic classes asked for by their own type, without a protocol.

protocol Digit: SendableMetatype {}
enum D0: Digit {}
enum D1: Digit {}
enum D2: Digit {}
enum D3: Digit {}
enum D4: Digit {}
enum D5: Digit {}
enum D6: Digit {}
enum D7: Digit {}
enum D8: Digit {}
enum D9: Digit {}
