import CalendarBus
import CalendarModel
import CalendarStore
import ICalendar
import Messages
import Platform
import Sync

/// Sends what was changed here to a source, item by item.
///
/// Whether the source did what it was asked for is never guessed: a failure in between ends the
/// run, and the next one compares both sides again, and with what was sent.
final class ItemSender {
  private unowned let run: SourceRun
  private let collection: CollectionRow
  private let calendar: CalendarID
  private var remaining: [EventUID] = []
  /// The events with reminders that were dismissed.
  private var dismissed: Set<EventUID> = []
  /// How often the item under way was answered with a conflict.
  private var rounds = 0
  /// How many items in a row were answered with a fault of the server's.
  private var faults = 0
  private var onEnd: (() throws(CallError) -> Void)?

  /// An item that goes on conflicting waits for the next run.
  private static let mostRounds = 3
  /// A server that fails so often in a row is asked again later.
  private static let mostFaults = 3

  init(_ run: SourceRun, _ collection: CollectionRow, _ calendar: CalendarID) {
    self.run = run
    self.collection = collection
    self.calendar = calendar
  }

  /// - Parameter onEnd: called when everything is sent, or was refused.
  func begin(_ onEnd: @escaping () throws(CallError) -> Void) throws(CallError) {
    self.onEnd = onEnd
    remaining = try run.access.read { store throws(StoreError) in
      let edited = try store.changedItems(of: collection).map(\.uid)
      let added = try store.newcomers(of: collection).map(\.uid)
      // Of a calendar that others write, such as holidays, dismissals stay here.
      let isReadOnly = try store.calendars().first { $0.id == calendar }?.isReadOnly ?? true
      if let since = run.dismissed, !isReadOnly {
        dismissed = Set(try store.dismissedEvents(since: since, in: calendar))
      }
      return edited + added + dismissed.subtracting(edited + added).sorted { $0.text < $1.text }
    }
    run.progress.total += remaining.count
    try next()
  }

  private func next() throws(CallError) {
    rounds = 0
    run.progress.done = run.progress.total - remaining.count
    guard let uid = remaining.first else {
      let onEnd = onEnd
      self.onEnd = nil
      try onEnd?()
      return
    }
    remaining.removeFirst()
    try send(uid)
  }

  private func send(_ uid: EventUID) throws(CallError) {
    let store = try run.access.storage.store()
    let (item, series) = try translated { () throws(StoreError) in
      (try store.item(of: uid, in: collection), try store.series(uid, in: calendar))
    }
    guard let series else {
      guard let item, run.settings.sendsGuests || !item.hadGuests else { return try next() }
      return delete(item)
    }
    let acknowledged = try acknowledged(uid, store)
    if let item, !item.isEdited, acknowledged == nil { return try next() }
    // The server would send invitations: it waits until the user allows that.
    let hasGuests =
      item?.hadGuests ?? false || series.components.contains { !$0.attendees.isEmpty }
    guard run.settings.sendsGuests || !hasGuests else { return try next() }
    let content = try translated { () throws(StoreError) in
      try store.content(of: uid, in: calendar)
    }
    let plain = try run.access.coder.text(of: series, in: store)
    let text = try acknowledged.map { series throws(CallError) in
      try run.access.coder.text(of: series, in: store)
    }
    let href = item?.href ?? newHref(uid)
    let sent = SentItem(href: href, uid: uid, content: content ?? 0, text: text ?? plain)
    try run.access.change { change throws(CallError) in
      try translated { () throws(StoreError) in try change.note(sent, in: collection) }
    }
    run.ask(
      .put(
        collection: collection.href, href: href, text: sent.text, match: item?.etag,
        scheduleTag: item?.scheduleTag ?? ""),
      onFailure: { [unowned self] in failed($0, uid, href: href) }
    ) { [unowned self] answers, _ throws(CallError) in
      guard case .item(let href, let etag, let kept?, let scheduleTag)? = answers.first else {
        return run.end(.failed(RemoteFailure(.malformed, localized("a change has no answer"))))
      }
      let version = ItemVersion(etag: etag, scheduleTag: scheduleTag)
      try agree(sent, href, version, text: plain, kept: kept, isAcknowledged: text != nil)
    }
  }

  /// Returns an event with ACKNOWLEDGED for what was dismissed here; nil if the source knows it.
  private func acknowledged(
    _ uid: EventUID, _ store: EventStore
  ) throws(CallError) -> EventSeries? {
    guard
      let series = try translated({ () throws(StoreError) in
        try store.acknowledgedSeries(uid, in: calendar)
      })
    else { return nil }
    let zones = run.access.context.zones
    func written(_ event: Event) -> Event {
      var event = event
      event.component = writeComponent(event, zones: zones)
      return event
    }
    return EventSeries(
      calendar: calendar, master: series.master.map(written),
      overrides: series.overrides.map(written), countedEnds: series.countedEnds)
  }

  /// Records what the source keeps.
  ///
  /// - Parameters:
  ///   - text: the event as it is here.
  ///   - isAcknowledged: whether ACKNOWLEDGED was sent besides, which the event here gets with what
  ///     the source keeps.
  private func agree(
    _ sent: SentItem, _ href: String, _ version: ItemVersion, text: String, kept: String,
    isAcknowledged: Bool
  ) throws(CallError) {
    run.tally.sent += 1
    faults = 0
    // What was removed here meanwhile is removed there by the next run.
    let isHere = try run.access.read { store throws(StoreError) in
      try store.content(of: sent.uid, in: calendar) != nil
    }
    // What cannot be read is applied as changed, which says so in the log.
    let isChanged =
      isHere && (isAcknowledged || (try? afterPut(sent: text, kept: kept)) != .asSent)
    try run.access.change { change throws(CallError) in
      try translated { () throws(StoreError) in
        try change.agree(
          on: sent.uid, at: href, etag: version.etag, scheduleTag: version.scheduleTag,
          content: sent.content, base: isChanged ? text : kept, in: collection)
        try change.forgetSentItems(sent.href, in: collection)
      }
    }
    // What the server made of it counts as a change of the server's, though not for Undo.
    if isChanged {
      let answer = RemoteAnswer.item(
        href: href, etag: version.etag, text: kept, scheduleTag: version.scheduleTag)
      try run.apply([answer], to: collection, calendar, isRewritten: true)
    }
    try next()
  }

  private func delete(_ item: ItemRow) {
    let forget = { [unowned self] () throws(CallError) in
      try run.access.change { change throws(CallError) in
        try translated { () throws(StoreError) in
          try change.forget(item: item.href, in: collection)
        }
      }
      run.tally.sent += 1
      try next()
    }
    run.ask(
      .delete(collection: collection.href, href: item.href, match: item.etag),
      onFailure: { [unowned self] in failed($0, item.uid, href: item.href) }
    ) { _, _ throws(CallError) in try forget() }
  }

  /// Decides what a refused change means.
  private func failed(_ failure: RemoteFailure, _ uid: EventUID, href: String) {
    switch failure.kind {
    case .conflict, .gone, .sameUID:
      rounds += 1
      guard rounds <= ItemSender.mostRounds else { return giveUp(uid, failure) }
      let other = failure.kind == .sameUID && !failure.reason.isEmpty ? failure.reason : href
      run.ask(.fetch(collection: collection.href, hrefs: [other])) {
        [unowned self] answers, _ throws(CallError) in
        try run.apply(answers, to: collection, calendar)
        try send(uid)
      }
    case .tooLarge, .refused, .forbidden: giveUp(uid, failure)
    // One event may be more than the server can take; the others are sent all the same.
    case .busy where failure.retryAfter == 0 && faults + 1 < ItemSender.mostFaults,
      .malformed where faults + 1 < ItemSender.mostFaults:
      faults += 1
      giveUp(uid, failure)
    default: run.end(.failed(failure))
    }
  }

  /// Leaves an item to the next run.
  private func giveUp(_ uid: EventUID, _ failure: RemoteFailure) {
    let text = localized(
      "the source {source} does not take the event {uid}: {reason}",
      ["source": run.id, "uid": uid.text, "reason": failure.reason])
    run.tally.fail(text)
    if dismissed.contains(uid), ![.tooLarge, .refused, .forbidden].contains(failure.kind) {
      run.hasUntoldDismissals = true
    }
    run.access.context.log.warning(text)
    do throws(CallError) { try next() } catch {
      run.end(.failed(RemoteFailure(.local, error.message)))
    }
  }

  /// Returns where a new item goes.
  private func newHref(_ uid: EventUID) -> String {
    let name = ItemSender.name(of: uid)
    if run.settings.kind == .vdir { return name }
    return collection.href + (collection.href.hasSuffix("/") ? "" : "/") + name
  }

  /// Returns the name of a new item: its UID, where that can be a name everywhere.
  private static func name(of uid: EventUID) -> String {
    let isPlain = uid.text.utf8.allSatisfy { octet in
      switch octet {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    let isName = isPlain && (1...100).contains(uid.text.utf8.count)
    return (isName ? uid.text : IdentifierSource.uid()) + ".ics"
  }
}
