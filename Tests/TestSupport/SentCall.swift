package import DBus

/// Returns a call that was sent, because a reply has its number.
package func sentCall() throws -> Message {
  let bus = try PrivateBus()
  let connection = try Connection(address: bus.address)
  let call = try Message.call("org.example.A", "/x", "org.example.A", "M")
  call.refuseReply()
  try connection.send(call)
  connection.close()
  return call
}
