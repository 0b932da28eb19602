/// One thing the program can do.
///
/// Made for one run, in a container of its own, with what the command line says of it among its services.
package protocol Command {
    /// Does it, and writes what there is to say. Throws if it could not be done at all.
    func run() async throws
}
