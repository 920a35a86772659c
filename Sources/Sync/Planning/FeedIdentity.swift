import ICalendar

/// An item of a web calendar.
package struct FeedItem: Hashable, Sendable {
  package let uid: String
  /// See ``FeedIdentity/key(of:)``.
  package let key: String
  package let href: String

  package init(uid: String, key: String, href: String) {
    self.uid = uid
    self.key = key
    self.href = href
  }
}

/// Recognises the events of web calendars that give each event another UID at each fetch.
package enum FeedIdentity {
  /// Returns a key that an event keeps when its UID changes: a hash of its start, title and
  /// RECURRENCE-ID.
  package static func key(of item: ItemText) -> String {
    let event = item.components.first { $0.recurrenceID.isEmpty } ?? item.components.first
    let lines = ["DTSTART", "SUMMARY", "RECURRENCE-ID"].map { event?.first($0)?.meaning ?? "" }
    return fingerprint(Array(lines.joined(separator: "\n").utf8))
  }

  /// Returns by new UID the known item that it means.
  ///
  /// The fetched items get its href before a ``ListingPlan`` is made, and its UID when they are
  /// stored.
  ///
  /// Empty if the feed keeps its UIDs: if at most half of them are new, or if at most half of the
  /// keys are known. Of several events with the same key, the first is paired with the first.
  package static func matches(known: [FeedItem], fetched: [FeedItem]) -> [String: FeedItem] {
    let knownUIDs = Set(known.map(\.uid))
    let new = fetched.filter { !knownUIDs.contains($0.uid) }
    let knownKeys = Set(known.map(\.key))
    guard new.count * 2 > fetched.count,
      fetched.count(where: { knownKeys.contains($0.key) }) * 2 > fetched.count
    else { return [:] }
    let fetchedUIDs = Set(fetched.map(\.uid))
    var free: [String: [FeedItem]] = [:]
    for item in known.reversed() where !fetchedUIDs.contains(item.uid) {
      free[item.key, default: []].append(item)
    }
    var matches: [String: FeedItem] = [:]
    for item in new {
      if let match = free[item.key]?.popLast() { matches[item.uid] = match }
    }
    return matches
  }
}
