import DBus

/// Waits until a name has an owner, or has none; on a connection of its own, which is closed then, so
/// that the one that is measured hears of nothing else.
func wait(until name: BusName, isThere: Bool) throws {
  let listener = try Connection.session()
  defer { listener.close() }
  let loop = BlockingLoop()
  loop.add(listener)
  var found = !isThere
  let watch = try listener.watchOwner(of: name) { found = $0 != nil }
  defer { watch.cancel() }
  guard loop.run(timeoutMilliseconds: 60_000, until: { found == isThere }) else {
    throw UsageError(description: "\(name) did not \(isThere ? "come" : "go") within a minute")
  }
}
