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

  /// Whether ``recognised(_:among:)`` can find anything: most items are new, or have made UIDs.
  ///
  /// It is asked first, since the keys of the known items cost reading them all.
  package static func isNeeded(for listed: [ListedItem], known hrefs: Set<String>) -> Bool {
    let new = listed.count { !hrefs.contains($0.href) }
    return new * 2 > listed.count || new > 0 && listed.allSatisfy { isMade($0.href) }
  }

  /// Returns a listing in which events that are known under another UID have their known href and
  /// UID, so that they stay the same events.
  ///
  /// Items without a text, and those that cannot be read, stay as they are.
  ///
  /// - Parameter listed: The items of a web calendar, whose hrefs are their UIDs.
  package static func recognised(
    _ listed: [ListedItem], among known: [FeedItem]
  ) -> [ListedItem] {
    let texts = listed.map { item in item.text.flatMap { try? ItemText($0) } }
    let fetched = zip(listed, texts).compactMap { item, text in
      text.map { FeedItem(uid: item.href, key: key(of: $0), href: item.href) }
    }
    let matches = matches(known: known, fetched: fetched)
    return zip(listed, texts).map { item, text in
      guard let text, let match = matches[item.href] else { return item }
      return ListedItem(href: match.href, etag: item.etag, text: text.text(uid: match.uid))
    }
  }

  private static func isMade(_ uid: String) -> Bool { uid.hasPrefix(FeedItems.prefixOfMadeUIDs) }

  /// Returns by new UID the known item that it means.
  ///
  /// The fetched items get its href before a ``ListingPlan`` is made, and its UID when they are
  /// stored.
  ///
  /// Empty if the feed keeps its UIDs: if at most half of them are new, or if at most half of the
  /// keys are known. UIDs that are all made of the events (``FeedItems``) say nothing, and always
  /// are compared by key. Of several events with the same key, the first is paired with the first.
  package static func matches(known: [FeedItem], fetched: [FeedItem]) -> [String: FeedItem] {
    let knownUIDs = Set(known.map(\.uid))
    let new = fetched.filter { !knownUIDs.contains($0.uid) }
    let knownKeys = Set(known.map(\.key))
    let areChanged =
      new.count * 2 > fetched.count
      && fetched.count(where: { knownKeys.contains($0.key) }) * 2 > fetched.count
    guard areChanged || fetched.allSatisfy({ isMade($0.uid) }) else { return [:] }
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
