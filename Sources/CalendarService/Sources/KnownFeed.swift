import CalendarBus
import CalendarModel
import CalendarStore
import Sync

/// The items of a web calendar that are stored here.
struct KnownFeed {
  private let access: SourceAccess
  private let calendar: CalendarID
  private let rows: [ItemRow]

  init(_ access: SourceAccess, _ calendar: CalendarID, _ rows: [ItemRow]) {
    (self.access, self.calendar, self.rows) = (access, calendar, rows)
  }

  /// Returns a listing in which known events have their known UIDs, though the feed has others.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func recognised(_ listed: [ListedItem]) throws(CallError) -> [ListedItem] {
    guard !rows.isEmpty, FeedIdentity.isNeeded(for: listed, known: Set(rows.map(\.href)))
    else { return listed }
    let store = try access.storage.store()
    var known: [FeedItem] = []
    for row in rows {
      let series = try translated { () throws(StoreError) in
        try store.series(row.uid, in: calendar)
      }
      guard let series else { continue }
      let stored = try access.coder.text(of: series, in: store)
      guard let text = try? ItemText(stored) else { continue }
      known.append(
        FeedItem(uid: row.uid.text, key: FeedIdentity.key(of: text), href: row.href))
    }
    return FeedIdentity.recognised(listed, among: known)
  }
}
