import CalendarBus
import CalendarModel
import CalendarStore
import ICalendar
import Messages
import Platform
import Sync

/// Which version of an item a source has.
struct ItemVersion {
  let etag: String
  /// Stays the same when the server notes what a guest answers; empty if there is none.
  let scheduleTag: String
}

/// Applies what a source has, item by item, inside of one change.
struct ItemApplier {
  let coder: ItemCoder
  let collection: CollectionRow
  let calendar: CalendarID
  let store: EventStore
  let change: StoreChange
  /// The hrefs that the source has, where it listed all of them.
  let present: Set<String>
  /// Whether the source made the items of what was just sent to it.
  var isRewritten = false
  var tally = SourceTally()
  /// The versions that lost a conflict, to be put in the trash.
  var lost: [EventSeries] = []

  /// Applies a new or changed item of the source.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  mutating func apply(_ href: String, _ version: ItemVersion, text: String) throws(CallError) {
    let remote: CalendarReading
    do throws(UnusableItem) { remote = try coder.read(text, into: calendar) } catch {
      return leaveOut(href, error.text)
    }
    let uid = remote.series[0].uid
    if let other = try otherHref(of: uid, than: href) {
      let reason = UserText("it has the same UID as {item}", ["item": other])
      return leaveOut(href, reason, counts: false)
    }
    let sent = try takeAnswer(href, uid, version, text: text)
    let known = try known(href, uid)
    let local = try local(known, uid)
    let decision: ItemDecision
    do throws(UnreadableItem) {
      decision = try decide(
        base: known?.base, etag: known?.etag, local: local,
        remote: .changed(text, etag: version.etag))
    } catch {
      return leaveOut(href, error.text)
    }
    let ours = try stored { () throws(StoreError) in try change.series(uid, in: calendar) }
    switch decision.action {
    case .store:
      if local == .unchanged, let sent, let ours, try coder.text(of: ours, in: store) == sent {
        return
      }
      try put(remote, isRewritten: isRewritten || sent != nil)
      try agree(on: uid, href, version)
    case .storeAndPush(let merged, _):
      let both: CalendarReading
      do throws(UnusableItem) { both = try coder.read(merged, into: calendar) } catch {
        return leaveOut(href, error.text)
      }
      // Also where something was edited here while it was sent.
      try put(both, isRewritten: isRewritten || sent != nil)
      try agree(on: uid, href, version, content: 0, base: text)
    case .push, .delete:
      // It says the same there as before, in another way: what was done here is still to be sent.
      try agree(on: uid, href, version, content: known?.agreed ?? 0, base: known?.base)
    case .remove, .forget, .nothing: break
    }
    if case .conflict(_, let winner, _)? = decision.report {
      if winner == .local { lost.append(remote.series[0]) } else if let ours { lost.append(ours) }
    }
    note(decision.report, ours ?? remote.series[0])
  }

  /// Records that the source has what was sent to it, if its answer was lost.
  ///
  /// So what was done here since then is an edit or a removal of that, and no conflict with it.
  ///
  /// - Returns: what was sent; nil if the source has something else.
  private func takeAnswer(
    _ href: String, _ uid: EventUID, _ version: ItemVersion, text: String
  ) throws(CallError) -> String? {
    let sent = try stored { () throws(StoreError) in try store.sentItems(href, of: collection) }
    guard !sent.isEmpty else { return nil }
    try stored { () throws(StoreError) in try change.forgetSentItems(href, in: collection) }
    let match = sent.first {
      $0.uid == uid && (try? afterPut(sent: $0.text, kept: text)) == .asSent
    }
    guard let match else { return nil }
    try agree(on: uid, href, version, content: match.content, base: match.text)
    return match.text
  }

  /// Applies that an item is gone at the source.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  mutating func remove(_ href: String) throws(CallError) {
    guard
      let known = try stored({ () throws(StoreError) in try store.item(href, of: collection) })
    else { return }
    let local = try local(known, known.uid)
    let decision: ItemDecision
    do throws(UnreadableItem) {
      decision = try decide(base: known.base, etag: known.etag, local: local, remote: .gone)
    } catch {
      return leaveOut(href, error.text)
    }
    if decision.action == .remove { try removeHere(known.uid) }
    // Edited here, it is added there again as if it were new.
    try forget(href)
    try stored { () throws(StoreError) in try change.forgetSentItems(href, in: collection) }
    if let series = try stored({ () throws(StoreError) in
      try change.series(known.uid, in: calendar)
    }) {
      note(decision.report, series)
    }
  }

  private mutating func note(_ report: ItemDecision.Report?, _ series: EventSeries) {
    guard let report else { return }
    tally.conflicts += 1
    coder.context.log.notice(localized(report.text(title: series.master?.summary ?? "")))
  }

  /// Returns the other item of the source that has this UID, if it goes on having both.
  private func otherHref(of uid: EventUID, than href: String) throws(CallError) -> String? {
    let item = try stored { () throws(StoreError) in try store.item(of: uid, in: collection) }
    return item.flatMap { $0.href != href && present.contains($0.href) ? $0.href : nil }
  }

  /// Returns what is known of an item, which may have another href or another event than before.
  private mutating func known(_ href: String, _ uid: EventUID) throws(CallError) -> ItemRow? {
    if let known = try stored({ () throws(StoreError) in try store.item(href, of: collection) }) {
      if known.uid == uid { return known }
      // What was edited here is added there again.
      if !known.isEdited { try removeHere(known.uid) }
      try forget(href)
    }
    guard
      let moved = try stored({ () throws(StoreError) in try store.item(of: uid, in: collection) })
    else { return nil }
    try forget(moved.href)
    return moved
  }

  /// Returns what happened here since both sides agreed.
  private func local(_ known: ItemRow?, _ uid: EventUID) throws(CallError) -> LocalItem {
    if let known, !known.isEdited { return known.isRemoved ? .removed : .unchanged }
    guard let series = try stored({ () throws(StoreError) in try change.series(uid, in: calendar) })
    else { return .absent }
    return .edited(try coder.text(of: series, in: store))
  }

  private mutating func put(
    _ reading: CalendarReading, isRewritten: Bool = false
  ) throws(CallError) {
    for zone in reading.customZones {
      coder.context.zones.add(zone.rules, named: zone.id)
      try stored { () throws(StoreError) in
        try change.put(zone: zone.id, component: zone.component)
      }
    }
    try stored { () throws(StoreError) in
      if isRewritten {
        try change.put(rewritten: reading.series[0])
      } else {
        try change.put(reading.series[0])
      }
    }
  }

  private func agree(
    on uid: EventUID, _ href: String, _ version: ItemVersion, content: UInt64? = nil,
    base: String? = nil
  ) throws(CallError) {
    try stored { () throws(StoreError) in
      try change.agree(
        on: uid, at: href, etag: version.etag, scheduleTag: version.scheduleTag, content: content,
        base: base, in: collection)
    }
  }

  private func removeHere(_ uid: EventUID) throws(CallError) {
    _ = try stored { () throws(StoreError) in try change.remove(uid, from: calendar) }
  }

  private func forget(_ href: String) throws(CallError) {
    try stored { () throws(StoreError) in try change.forget(item: href, in: collection) }
  }

  private mutating func leaveOut(_ href: String, _ reason: UserText, counts: Bool = true) {
    let text = localized(
      "the calendar {calendar} goes without {item}: {reason}",
      ["calendar": calendar.text, "item": href, "reason": reason])
    if counts { tally.fail(text) }
    coder.context.log.warning(text)
  }

  private func stored<Answer>(_ body: () throws(StoreError) -> Answer) throws(CallError) -> Answer {
    try translated(body)
  }
}
