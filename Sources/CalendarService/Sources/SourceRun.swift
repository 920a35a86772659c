import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import Platform
import Sync

/// One synchronisation of a source, from its secret to the last change that is sent.
///
/// For each calendar: ask what changed, decide whether its deletions are plausible, fetch and apply
/// what is new, then send what was changed here. The source's state is stored only together with
/// everything that it stands for, so a run may be broken off anywhere.
final class SourceRun {
  /// How a run ended.
  enum End {
    /// - Parameter refreshSeconds: when the source wants to be asked again; 0: it does not say.
    case succeeded(refreshSeconds: Int64)
    case failed(RemoteFailure)
    /// Nothing is deleted before the user says yes.
    case held(deletions: Int, known: Int)
  }

  let id: String
  let settings: SourceSettings
  let access: SourceAccess
  let conversation: RemoteConversation
  var tally = SourceTally()
  /// Since when reminders were dismissed that the source may not know of; nil: none was.
  var dismissed: Timestamp?
  /// Whether the source could not take one of those for now.
  var hasUntoldDismissals = false
  /// What the source called its calendars, by their hrefs.
  var seen: [String: SeenCalendar] = [:]
  /// How many deletions the user has said yes to; once they are carried out, 0.
  private var accepted: Int
  private var sender: ItemSender?
  private var patience: Deadline?
  let discovers: Bool
  let relists: Bool
  private let onEnd: (SourceRun, End) -> Void
  private var remaining: [CollectionRow] = []
  private var refreshSeconds: Int64 = 0
  private(set) var isOver = false

  /// How long the source may take for one answer.
  private static let patienceMilliseconds = 600_000
  /// How many items are applied in one change.
  private static let itemsAtOnce = 100

  /// - Parameters:
  ///   - accepted: how many deletions the user has said yes to.
  ///   - discovers: whether to ask which calendars there are.
  ///   - relists: whether to ask for all that a calendar has, and not only for changes.
  ///   - onEnd: called once; not after ``stop()``.
  init(
    _ id: String, _ settings: SourceSettings, _ access: SourceAccess,
    _ conversation: RemoteConversation, accepted: Int, discovers: Bool,
    relists: Bool, onEnd: @escaping (SourceRun, End) -> Void
  ) {
    self.id = id
    self.settings = settings
    self.access = access
    self.conversation = conversation
    self.accepted = accepted
    self.discovers = discovers
    self.relists = relists
    self.onEnd = onEnd
  }

  func begin(secret: SourceSecret) {
    let place = settings.access(secret: secret, today: access.context.today)
    waitPatiently()
    ask(.open(place)) { [unowned self] _, _ throws(CallError) in
      guard !discovers else { return discover() }
      remaining = try SourceCalendars(id, settings, access).known()
      try nextCollection()
    }
  }

  /// Breaks it off.
  func stop() {
    isOver = true
    sender = nil
    if let patience { access.context.loop.cancel(patience) }
    conversation.stop()
  }

  func end(_ end: End) {
    guard !isOver else { return }
    stop()
    onEnd(self, end)
  }

  // MARK: Asking

  /// Asks, and continues with all answers; a failure ends the run unless `onFailure` takes it.
  func ask(
    _ request: RemoteRequest, onFailure: ((RemoteFailure) -> Void)? = nil,
    _ body: @escaping ([RemoteAnswer], RemoteListing?) throws(CallError) -> Void
  ) {
    var answers: [RemoteAnswer] = []
    conversation.ask(request, onAnswer: { answers.append($0) }) { [unowned self] result in
      waitPatiently()
      switch result {
      case .success(let listing): storing { () throws(CallError) in try body(answers, listing) }
      case .failure(let failure): (onFailure ?? { [unowned self] in end(.failed($0)) })(failure)
      }
    }
  }

  private func waitPatiently() {
    if let patience { access.context.loop.cancel(patience) }
    patience = access.context.loop.after(milliseconds: SourceRun.patienceMilliseconds) {
      [unowned self] in
      end(.failed(RemoteFailure(.offline, localized("no answer came within ten minutes"))))
    }
  }

  /// Runs what reads or writes the store; if that fails, the run ends, to be tried again.
  private func storing(_ body: () throws(CallError) -> Void) {
    guard !isOver else { return }
    do throws(CallError) { try body() } catch {
      end(.failed(RemoteFailure(.local, error.message)))
    }
  }

  // MARK: Calendars

  private func discover() {
    ask(.discover) { [unowned self] answers, _ throws(CallError) in
      let found = answers.compactMap { answer in
        if case .collection(let collection) = answer { collection } else { nil }
      }
      var calendars = SourceCalendars(id, settings, access, seen: seen)
      // A folder that is not mounted is empty, and looks like a calendar itself.
      if settings.kind == .vdir, found.map(\.href) == ["."],
        try calendars.known().contains(where: { $0.href != "." })
      {
        return end(.failed(RemoteFailure(.offline, localized("its folders are not there"))))
      }
      for text in try calendars.leaveUnchosen(found) {
        tally.trouble = text
        access.context.log.warning(text)
      }
      remaining = try calendars.update(found)
      seen = calendars.seen
      tally.trouble = try calendars.missing(in: found) ?? ""
      try nextCollection()
    }
  }

  private func nextCollection() throws(CallError) {
    guard let collection = remaining.first, let calendar = collection.calendar else {
      return end(.succeeded(refreshSeconds: refreshSeconds))
    }
    remaining.removeFirst()
    ask(
      .changes(collection: collection.href, token: relists ? "" : collection.token),
      onFailure: { [unowned self] in missed(collection, $0) }
    ) { [unowned self] answers, listing throws(CallError) in
      try heard(answers, listing, of: collection, calendar)
    }
  }

  /// A calendar that the source refuses does not stop the others.
  private func missed(_ collection: CollectionRow, _ failure: RemoteFailure) {
    guard [.gone, .forbidden].contains(failure.kind), !remaining.isEmpty || tally != SourceTally()
    else {
      return end(.failed(failure))
    }
    let text = localized(
      "cannot synchronise {calendar} of {source}: {reason}",
      ["calendar": collection.href, "source": id, "reason": failure.reason])
    tally.fail(text)
    access.context.log.warning(text)
    storing { () throws(CallError) in try nextCollection() }
  }

  private func heard(
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
      case .item(let href, let etag, let text):
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
  private struct Heard {
    var listed: [ListedItem]
    let gone: [String]
    let unreadable: [String]
    let listing: RemoteListing
    let rows: [ItemRow]
  }

  /// Reads what is known of a web calendar, some at a time, and then continues.
  private func read(
    _ feed: KnownFeed, then body: @escaping () throws(CallError) -> Void
  ) throws(CallError) {
    guard try feed.readSome(atMost: SourceRun.itemsAtOnce) else { return try body() }
    access.context.whenIdle { [weak self] in
      self?.storing { () throws(CallError) in try self?.read(feed, then: body) }
    }
  }

  /// Decides whether the deletions are plausible, and fetches and applies what is new.
  private func carryOut(
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

  /// Applies items that came with the listing, some at a time, and then continues.
  private func apply(
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
        case .item(let href, let etag, let text?):
          try applier.apply(href, etag: etag, text: text)
        case .gone where isFetched: applier.tally.failed += 1
        case .gone(let href): try applier.remove(href)
        case .unreadable: applier.tally.failed += 1
        default: break
        }
      }
    }
  }

  private func finish(
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

  private func change(
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
  private func keepInTrash(_ lost: [EventSeries]) throws(CallError) {
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
