extension Event {
  /// Whether the owner declined the invitation.
  ///
  /// If the owner's addresses are not known, all attendees must have declined. If they are known
  /// and none is invited, the answers are other people's and the event is not declined.
  ///
  /// - Parameter addresses: The owner's, in lower case, without "mailto:".
  package func isDeclined(by addresses: some Collection<String>) -> Bool {
    guard !attendees.isEmpty, attendees.contains(where: { $0.participation == "declined" })
    else { return false }
    let own = attendees.filter { $0.isOne(of: addresses) }
    if own.isEmpty && !addresses.isEmpty { return false }
    return (own.isEmpty ? attendees : own).allSatisfy { $0.participation == "declined" }
  }

  /// Whether the event has an organizer who is not known to be the owner.
  ///
  /// - Parameter addresses: The owner's, in lower case, without "mailto:". If there are none, every
  ///   organizer counts as another person.
  package func isOrganizedByAnother(than addresses: some Collection<String>) -> Bool {
    organizer.map { !$0.isOne(of: addresses) } ?? false
  }
}

extension Attendee {
  private static let scheme = "mailto:"

  /// Whether the attendee has one of these addresses.
  ///
  /// - Parameter addresses: In lower case, without "mailto:".
  package func isOne(of addresses: some Collection<String>) -> Bool {
    if addresses.isEmpty { return false }
    let small = address.lowercased()
    return addresses.contains(
      small.hasPrefix(Attendee.scheme) ? String(small.dropFirst(Attendee.scheme.count)) : small)
  }
}
