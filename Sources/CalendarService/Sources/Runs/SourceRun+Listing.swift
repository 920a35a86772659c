import CalendarBus
import CalendarModel
import CalendarStore
import Platform
import Sync

/// What a source lists of a calendar, and what follows from that.
extension SourceRun {
  func heard(
    _ answers: [RemoteAnswer], _ listing: RemoteListing?, of collection: CollectionRow,
    _ calendar: CalendarID
  ) throws(CallError) {
    guard let listing else {
      return end(.failed(RemoteFailure(.malformed, localized("the listing has no end"))))
    }
    refreshSeconds = max(refreshSeconds, listing.refreshSeconds)
    var listed: [ListedItem] = []
    var (gone, unreadable): ([String], [String]) = ([], [])
    for answer in answers {
      switch answer {
      case .item(let href, let etag, let text, _):
        listed.append(ListedItem(href: href, etag: etag, text: text))
      case .gone(let href): gone.append(href)
      case .unreadable(let href, _): unreadable.append(href)
      default: break
      }
    }
    let rows = try access.read { store throws(StoreError) in try store.items(of: collection) }
    let heard = Heard(
      listed: listed, gone: gone, unreadable: unreadable, listing: listing, rows: rows)
    guard settings.kind == .webcal, let feed = KnownFeed(access, calendar, rows, for: listed) else {
      return try carryOut(heard, of: collection, calendar)
    }
    try read(feed) { [unowned self] () throws(CallError) in
      var heard = heard
      heard.listed = feed.recognised(listed)
      try carryOut(heard, of: collection, calendar)
    }
  }

  /// What the source has said about a calendar, and what was known of it.
  struct Heard {
    var listed: [ListedItem]
    let gone: [String]
    let unreadable: [String]
    let listing: RemoteListing
    let rows: [ItemRow]
  }

  /// Reads what is known of a web calendar, some at a time, and then continues.
  func read(
    _ feed: KnownFeed, then body: @escaping () throws(CallError) -> Void
  ) throws(CallError) {
    guard try feed.readSome(atMost: SourceRun.itemsAtOnce) else { return try body() }
    access.context.whenIdle { [weak self] in
      self?.storing { () throws(CallError) in try self?.read(feed, then: body) }
    }
  }

  /// Decides whether the deletions are plausible, and fetches and applies what is new.
  func carryOut(
    _ heard: Heard, of collection: CollectionRow, _ calendar: CalendarID
  ) throws(CallError) {
    let (listed, gone, listing) = (heard.listed, heard.gone, heard.listing)
    let known = heard.rows.map { row in
      var item = KnownItem(href: row.href, etag: row.etag, uid: row.uid.text)
      (item.isEdited, item.isRemoved) = (row.isEdited, row.isRemoved)
      return item
    }
    let names: ItemNames =
      settings.kind.isCalDAV ? .hrefs(collection: collection.href) : .opaque
    let plan = ListingPlan(
      known: known, names: names, listed: listed, gone: gone, unreadable: heard.unreadable,
      isFull: listing.isFull)
    // Releases leave the days that are asked for; that is no loss.
    if case .held(let deletions, let count) = DeletionGuard.verdict(
      plan, known: known, accepted: accepted), !settings.kind.isMediaServer
    {
      return end(.held(deletions: deletions, known: count))
    }
    if !plan.gone.isEmpty { accepted = 0 }
    progress.total = plan.fetch.count + plan.texts.count
    let present = listing.isFull ? Set(listed.map(\.href)) : []
    for hrefs in plan.fetch.split(atMost: SourceRun.itemsAtOnce) {
      ask(.fetch(collection: collection.href, hrefs: hrefs)) {
        [unowned self] answers, _ throws(CallError) in
        try apply(answers, to: collection, calendar, present: present, isFetched: true)
      }
    }
    let failed = tally.failed
    // Answered after all that was fetched.
    ask(.fetch(collection: collection.href, hrefs: [])) { [unowned self] _, _ throws(CallError) in
      try apply(plan.texts[...], to: collection, calendar, present) {
        [unowned self] () throws(CallError) in
        let isAllRead = tally.failed == failed
        // What could not be read may be what is missing in the listing.
        let certain = isAllRead ? plan.gone : plan.gone.filter { gone.contains($0.href) }
        try finish(
          collection, calendar, token: isAllRead ? listing.token : collection.token,
          gone: certain.map(\.href))
      }
    }
  }
}

extension RemoteRequest.Kind {
  /// Whether it lists the releases of some days only.
  var isMediaServer: Bool { [.radarr, .sonarr, .lidarr].contains(self) }
}

extension Array {
  /// Returns its elements in lists of at most so many.
  fileprivate func split(atMost most: Int) -> [[Element]] {
    stride(from: 0, to: count, by: most).map { Array(self[$0..<Swift.min($0 + most, count)]) }
  }
}
