extension Event {
  /// Whether its owner said no to the invitation.
  ///
  /// Where nobody knows the owner's addresses, an event that all attendees declined is supposed to be one. Where
  /// they are known and none of them is invited, the answers are those of others: the owner of a list's event, or
  /// of one that somebody sent along, has said nothing.
  ///
  /// - Parameter addresses: the owner's, in lower case, without "mailto:".
  package func isDeclined(by addresses: some Collection<String>) -> Bool {
    guard !attendees.isEmpty, attendees.contains(where: { $0.participation == "declined" })
    else { return false }
    let own = attendees.filter { $0.isOne(of: addresses) }
    if own.isEmpty && !addresses.isEmpty { return false }
    return (own.isEmpty ? attendees : own).allSatisfy { $0.participation == "declined" }
  }

  /// Whether it has an organizer who is not known to be its owner.
  ///
  /// - Parameter addresses: the owner's, in lower case, without "mailto:". Where none are known, everybody is
  ///   another: what has an organizer came from elsewhere.
  package func isOrganizedByAnother(than addresses: some Collection<String>) -> Bool {
    organizer.map { !$0.isOne(of: addresses) } ?? false
  }
}

extension Attendee {
  private static let scheme = "mailto:"

  /// Whether one of these addresses is theirs.
  ///
  /// - Parameter addresses: in lower case, without "mailto:".
  package func isOne(of addresses: some Collection<String>) -> Bool {
    if addresses.isEmpty { return false }
    let small = address.lowercased()
    return addresses.contains(
      small.hasPrefix(Attendee.scheme) ? String(small.dropFirst(Attendee.scheme.count)) : small)
  }
}
