/// What a server made of a text that was written to it.
package enum KeptItem: Hashable, Sendable {
  /// It says the same, perhaps in another way.
  case asSent
  /// The server changed what it says: its version is to be stored here.
  case changed
}

/// Compares a text that was written with what the server says that it keeps.
///
/// Servers order properties and parameters in their own way, fold lines again, and write other
/// DTSTAMPs, time zones and PRODIDs. In either case the kept text is the base of the next edit.
///
/// If the item was edited again in the meantime, ``decide(base:etag:local:remote:)`` settles it,
/// with the sent text as the base.
///
/// - Throws: ``UnreadableItem`` if either cannot be read.
package func afterPut(sent: String, kept: String) throws(UnreadableItem) -> KeptItem {
  if sent == kept { return .asSent }
  return try read(sent, .local).meaning == read(kept, .remote).meaning ? .asSent : .changed
}
