import CalendarBus
import CalendarModel
import CalendarStore
import Sync

/// The items of a web calendar that are stored here, read some at a time.
final class KnownFeed {
  private let access: SourceAccess
  private let calendar: CalendarID
  private var remaining: ArraySlice<ItemRow>
  private var known: [FeedItem] = []

  /// - Returns: nil if a listing has the known UIDs, so that nothing needs to be read.
  init?(
    _ access: SourceAccess, _ calendar: CalendarID, _ rows: [ItemRow], for listed: [ListedItem]
  ) {
    guard !rows.isEmpty, FeedIdentity.isNeeded(for: listed, known: Set(rows.map(\.href))) else {
      return nil
    }
    (self.access, self.calendar, remaining) = (access, calendar, rows[...])
  }

  /// Reads some items; false once all are read.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func readSome(atMost most: Int) throws(CallError) -> Bool {
    guard !remaining.isEmpty else { return false }
    let store = try access.storage.store()
    for row in remaining.prefix(most) {
      let series = try translated { () throws(StoreError) in
        try store.series(row.uid, in: calendar)
      }
      guard let series else { continue }
      let stored = try access.coder.text(of: series, in: store)
      guard let text = try? ItemText(stored) else { continue }
      known.append(
        FeedItem(uid: row.uid.text, key: FeedIdentity.key(of: text), href: row.href))
    }
    remaining = remaining.dropFirst(most)
    return true
  }

  /// Returns a listing in which known events have their known UIDs, though the feed has others.
  func recognised(_ listed: [ListedItem]) -> [ListedItem] {
    FeedIdentity.recognised(listed, among: known)
  }
}
