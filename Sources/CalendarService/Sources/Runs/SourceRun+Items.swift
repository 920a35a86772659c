import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import Sync

/// Applies the items of a source, some at a time, and goes on to what was changed here.
extension SourceRun {
  /// Applies items that came with the listing, some at a time, and then continues.
  func apply(
    _ items: ArraySlice<ListedItem>, to collection: CollectionRow, _ calendar: CalendarID,
    _ present: Set<String>, then body: @escaping () throws(CallError) -> Void
  ) throws(CallError) {
    guard !items.isEmpty else { return try body() }
    let answers = items.prefix(SourceRun.itemsAtOnce).map {
      RemoteAnswer.item(href: $0.href, etag: $0.etag, text: $0.text)
    }
    try apply(answers, to: collection, calendar, present: present, isFetched: true)
    access.context.whenIdle { [weak self] in
      self?.storing { () throws(CallError) in
        try self?.apply(
          items.dropFirst(SourceRun.itemsAtOnce), to: collection, calendar, present, then: body)
      }
    }
  }

  /// Applies items.
  ///
  /// - Parameters:
  ///   - present: the hrefs of the source, where it listed all of them.
  ///   - isFetched: whether they were listed before: one that is gone since then may be a fault of
  ///     the source, and the next listing decides.
  ///   - isRewritten: whether they are what the source made of what was sent to it.
  func apply(
    _ answers: [RemoteAnswer], to collection: CollectionRow, _ calendar: CalendarID,
    present: Set<String> = [], isFetched: Bool = false, isRewritten: Bool = false
  ) throws(CallError) {
    guard !answers.isEmpty else { return }
    try change(collection, calendar, present) { applier throws(CallError) in
      applier.isRewritten = isRewritten
      for answer in answers {
        switch answer {
        case .item(let href, let etag, let text?, let scheduleTag):
          let version = ItemVersion(etag: etag, scheduleTag: scheduleTag)
          try applier.apply(href, version, text: text)
        case .gone where isFetched: applier.tally.failed += 1
        case .gone(let href): try applier.remove(href)
        case .unreadable: applier.tally.failed += 1
        default: break
        }
      }
    }
    if isFetched { progress.done = min(progress.done + answers.count, progress.total) }
  }

  func finish(
    _ collection: CollectionRow, _ calendar: CalendarID, token: String, gone: [String]
  ) throws(CallError) {
    try change(collection, calendar) { applier throws(CallError) in
      for href in gone { try applier.remove(href) }
      var collection = collection
      collection.token = token
      try translated { () throws(StoreError) in try applier.change.put(collection: collection) }
    }
    guard settings.takesChanges else { return try nextCollection() }
    let sender = ItemSender(self, collection, calendar)
    self.sender = sender
    try sender.begin { [unowned self] () throws(CallError) in try nextCollection() }
  }

  func change(
    _ collection: CollectionRow, _ calendar: CalendarID, _ present: Set<String> = [],
    _ body: (inout ItemApplier) throws(CallError) -> Void
  ) throws(CallError) {
    let store = try access.storage.store()
    var (done, lost) = (SourceTally(), [EventSeries]())
    let changes = try access.change { change throws(CallError) in
      var applier = ItemApplier(
        coder: access.coder, collection: collection, calendar: calendar, store: store,
        change: change, present: present)
      try body(&applier)
      (done, lost) = (applier.tally, applier.lost)
    }
    tally.add(done)
    tally.note(changes)
    try keepInTrash(lost)
  }

  /// Puts the losing versions of conflicts in the trash, each as an event of its own: so it can be
  /// restored beside the version that won.
  func keepInTrash(_ lost: [EventSeries]) throws(CallError) {
    guard !lost.isEmpty else { return }
    var copies = ImportCopies()
    copies.take(lost, newUID: IdentifierSource.uid)
    let series = lost.map(copies.copy)
    try access.change { change throws(CallError) in
      try translated { () throws(StoreError) in for one in series { try change.put(one) } }
    }
    try access.change { change throws(CallError) in
      try translated { () throws(StoreError) in
        for one in series { _ = try change.remove(one.uid, from: one.calendar) }
      }
    }
  }
}
