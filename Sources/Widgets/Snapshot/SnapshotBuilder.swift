package import CalendarModel
package import CivilTime
import JSON

/// A snapshot with its JSON text, which is made anyway to know its size.
package struct SnapshotDocument: Sendable {
  package let snapshot: SnapshotV1
  /// The snapshot's ``SnapshotV1/json``.
  package let json: [UInt8]
}

/// The quiet time of a snapshot.
package struct SnapshotQuiet: Sendable {
  /// The end of the quiet time; nil if it is not quiet, `.latest` if it has no end.
  package let until: Timestamp?
  /// When ``until`` changes next; nil if never.
  package let nextChange: Timestamp?

  package init(until: Timestamp? = nil, nextChange: Timestamp? = nil) {
    self.until = until
    self.nextChange = nextChange
  }
}

/// Makes a ``SnapshotV1`` of the calendar at an instant.
package struct SnapshotBuilder: Sendable {
  package var settings: SnapshotSettings

  package init(settings: SnapshotSettings = SnapshotSettings()) {
    self.settings = settings
  }

  /// The most pending reminders that a snapshot shows.
  package static var mostReminders: Int { SnapshotLimits.steps[0].reminders }

  /// Returns the span whose occurrences `build` needs: the days and the month of the snapshot.
  package func span(at now: Timestamp, zone: ZoneRules) -> TimeSpan {
    let today = zone.reading(at: now).date
    let days = self.days(around: today)
    let start = zone.startOfDay(days.first)
    let end = days.last.adding(days: 1).map(zone.startOfDay) ?? .latest
    let month = page(of: today)?.span(in: zone) ?? TimeSpan(start: start, end: start)
    return TimeSpan(start: min(start, month.start), end: max(start, end, month.end))
  }

  private func page(of today: CivilDate) -> MonthPage? {
    MonthPage(day: today, mode: .normal, firstWeekday: settings.firstWeekday)
  }

  /// Returns the snapshot that is valid from `now` to its own `nextChange`.
  ///
  /// - Parameters:
  ///   - occurrences: Those of ``span(at:zone:)``, placed with `zone`, in any order. Later ones may
  ///     be included, so that `next` is full even if no event is near.
  ///   - calendars: All calendars; occurrences of hidden and unknown ones are ignored.
  ///   - reminders: Those that are not pending are ignored; the first ``mostReminders`` are enough.
  ///     Pass only reminders of events that `privacy` admits
  ///     (``PrivacyLevel/admits(_:ownAddresses:)``), since a reminder does not hold its event.
  ///   - moreReminders: How many more are pending.
  ///   - sources: Those that are stale or wait for a person; hidden unless `privacy` shows titles.
  ///   - quiet: Whether notifications are held back.
  ///   - privacy: How much of the calendar is shown; hidden events take no room.
  ///   - counted: The events that `now` and `next` are chosen from.
  ///   - ownAddresses: See ``Event/isDeclined(by:)``.
  ///   - zone: The agent's zone.
  ///   - revision: The revision of the store from which the rest was read.
  package func build(
    occurrences: [Occurrence], calendars: [CalendarInfo], reminders: [Reminder],
    moreReminders: Int = 0, sources: [SnapshotSource] = [], quiet: SnapshotQuiet = SnapshotQuiet(),
    privacy: PrivacyLevel = .titles,
    counted: CountedEvents = CountedEvents(), ownAddresses: [String] = [], now: Timestamp,
    zone: ZoneRules,
    revision: Int64
  ) -> SnapshotDocument {
    let visible = calendars.filter(\.isVisible).sorted(by: CalendarInfo.precedes)
    // The order must not reveal hidden titles either.
    let order = privacy == .titles ? DisplayOrder(visible.map(\.id.text)) : nil
    let colors = Dictionary(
      visible.map { ($0.id, $0.color) }, uniquingKeysWith: { first, _ in first })
    func isShown(_ occurrence: Occurrence) -> Bool {
      colors[occurrence.calendar] != nil
        && (privacy == .titles || privacy.admits(occurrence.event, ownAddresses: ownAddresses))
    }
    var shown = occurrences.allSatisfy(isShown) ? occurrences : occurrences.filter(isShown)
    if let order { shown.putInOrder(order) } else { shown.putInOrder() }
    var pending: [SnapshotReminder] = []
    for reminder in reminders where reminder.isPending && privacy != .nothing {
      pending.append(privacy.shown(SnapshotReminder(reminder)))
    }
    pending.sort {
      ($0.due, $0.start, $0.id) < ($1.due, $1.start, $1.id)
    }
    let today = zone.reading(at: now).date
    let (running, following) = timed(
      among: shown, counted: counted, ownAddresses: ownAddresses, now: now, zone: zone)
    let contents = Contents(
      days: daysTouched(by: shown, around: today, zone: zone),
      month: page(of: today).map {
        MonthGridBuilder(
          page: $0, today: today, occurrences: shown, colors: colors, privacy: privacy,
          ownAddresses: ownAddresses, thresholds: settings.thresholds, zone: zone)
      }, privacy: privacy, ownAddresses: ownAddresses, occurrences: shown, colors: colors,
      running: running, following: following, reminders: pending,
      moreReminders: privacy == .nothing ? 0 : moreReminders,
      calendars: (privacy == .titles ? visible : []).map {
        SnapshotCalendar(
          id: $0.id.text, name: shortened($0.name, toCharacters: 100), color: $0.color)
      })

    var snapshot = SnapshotV1(
      revision: revision, timeZone: zone.name, utcOffset: zone.offset(at: now), date: today,
      nextChange: min(
        nextChange(running, following, now: now, zone: zone), quiet.nextChange ?? .latest),
      scheme: settings.scheme, quietUntil: privacy == .nothing ? nil : quiet.until,
      sources: privacy == .titles ? sources : [])
    fill(&snapshot, with: contents)
    var writer = JSONWriter(reserving: 2 * settings.maximumOctets)
    for limits in SnapshotLimits.steps {
      snapshot.cut(to: limits)
      // Making the month again would change nothing if it has so few lanes.
      if snapshot.month?.lanes ?? 0 > limits.lanes ?? -1 {
        snapshot.month = limits.lanes.flatMap { contents.month?.grid(lanes: $0) }
      }
      writer.removeAll()
      snapshot.write(to: &writer)
      if writer.octets.count <= settings.maximumOctets { break }
    }
    return SnapshotDocument(snapshot: snapshot, json: writer.octets)
  }

  /// Everything that could be listed, in order.
  ///
  /// Occurrences become rows only once there is room for them, since rows cost texts.
  private struct Contents {
    /// The indexes in ``occurrences`` for each day of the snapshot.
    let days: [(date: CivilDate, places: [Int])]
    let month: MonthGridBuilder?
    let privacy: PrivacyLevel
    let ownAddresses: [String]
    let occurrences: [Occurrence]
    let colors: [CalendarID: EventColor]
    let running: [Occurrence]
    let following: [Occurrence]
    let reminders: [SnapshotReminder]
    let moreReminders: Int
    let calendars: [SnapshotCalendar]

    func row(_ occurrence: Occurrence) -> SnapshotEvent {
      privacy.shown(
        SnapshotEvent(
          occurrence, calendarColor: colors[occurrence.calendar], ownAddresses: ownAddresses))
    }
  }

  /// Fills in what fits into the largest limits.
  private func fill(_ snapshot: inout SnapshotV1, with contents: Contents) {
    let limits = SnapshotLimits.steps[0]
    snapshot.calendars = contents.calendars
    snapshot.now = contents.running.suffix(limits.now).map(contents.row)
    snapshot.nowMore = contents.running.count - snapshot.now.count
    snapshot.next = contents.following.map(contents.row)
    snapshot.reminders = contents.reminders
    snapshot.remindersMore = contents.moreReminders
    snapshot.days = contents.days.map { day in
      SnapshotDay(
        date: day.date,
        events: day.places.prefix(limits.perDay).map {
          contents.row(contents.occurrences[$0]).short
        }, more: max(0, day.places.count - limits.perDay))
    }
    snapshot.month = limits.lanes.flatMap { contents.month?.grid(lanes: $0) }
    let places = contents.days.first { $0.date == snapshot.date }?.places ?? []
    snapshot.today = places.prefix(limits.today).map { contents.row(contents.occurrences[$0]) }
    snapshot.todayMore = places.count - snapshot.today.count
  }
}

extension SnapshotV1 {
  /// Removes the rows that do not fit, and counts them.
  ///
  /// Each list loses its last rows, `now` its first, since the event that began last matters most.
  fileprivate mutating func cut(to limits: SnapshotLimits) {
    func cut<Row>(_ rows: inout [Row], _ more: inout Int, to limit: Int) {
      let excess = rows.count - limit
      guard excess > 0 else { return }
      rows.removeLast(excess)
      more += excess
    }
    var uncounted = 0
    cut(&calendars, &uncounted, to: limits.calendars)
    cut(&sources, &uncounted, to: limits.sources)
    let excess = now.count - limits.now
    if excess > 0 {
      now.removeFirst(excess)
      nowMore += excess
    }
    cut(&next, &uncounted, to: limits.next)
    cut(&reminders, &remindersMore, to: limits.reminders)
    cut(&today, &todayMore, to: limits.today)
    for index in days.indices {
      var day = days[index]
      cut(&day.events, &day.more, to: limits.perDay)
      days[index] = day
    }
  }
}

// MARK: Days

extension SnapshotBuilder {
  private func days(around today: CivilDate) -> (first: CivilDate, last: CivilDate) {
    (
      today.adding(days: -settings.daysBefore) ?? .earliest,
      today.adding(days: settings.daysAfter) ?? .latest
    )
  }

  /// Returns the indexes of the occurrences that touch each day of the snapshot.
  private func daysTouched(
    by occurrences: [Occurrence], around today: CivilDate, zone: ZoneRules
  ) -> [(date: CivilDate, places: [Int])] {
    let (first, last) = days(around: today)
    var days = (0...last.days(since: first)).compactMap { count in
      first.adding(days: count).map { (date: $0, places: [Int]()) }
    }
    for (place, occurrence) in occurrences.enumerated() {
      let touched = occurrence.localDays(in: zone)
      let from = max(touched.lowerBound.days(since: first), 0)
      let to = min(touched.upperBound.days(since: first), days.count - 1)
      guard from <= to else { continue }
      for index in from...to { days[index].places.append(place) }
    }
    return days
  }
}

// MARK: What runs and what comes

extension SnapshotBuilder {
  /// Returns the events that count: all running ones, and the first coming ones.
  ///
  /// - Parameter occurrences: In display order.
  private func timed(
    among occurrences: [Occurrence], counted: CountedEvents, ownAddresses: [String],
    now: Timestamp, zone: ZoneRules
  ) -> (running: [Occurrence], following: [Occurrence]) {
    func counts(_ occurrence: Occurrence) -> Bool {
      !occurrence.isAllDay
        && counted.contains(occurrence, ownAddresses: ownAddresses, zone: zone)
    }
    let later = occurrences.firstIndex { $0.span.start > now } ?? occurrences.endIndex
    return (
      occurrences[..<later].filter { $0.span.contains(now) && counts($0) },
      Array(occurrences[later...].lazy.filter(counts).prefix(settings.nextCount))
    )
  }
}

// MARK: Changes

extension SnapshotBuilder {
  /// Returns the first instant after `now` at which the snapshot changes by itself.
  ///
  /// All-day events change with the date.
  private func nextChange(
    _ running: [Occurrence], _ following: [Occurrence], now: Timestamp, zone: ZoneRules
  ) -> Timestamp {
    var next = zone.nextDateOrOffset(after: now)
    for occurrence in running { next = min(next, occurrence.span.end) }
    if let first = following.first { next = min(next, first.span.start) }
    return next
  }
}

extension ZoneRules {
  /// Returns the first instant after `instant` at which the date or the offset changes.
  ///
  /// Until the offset changes, midnight is where the present offset puts it, even if a change makes
  /// midnight happen twice.
  func nextDateOrOffset(after instant: Timestamp) -> Timestamp {
    let change = nextChange(after: instant) ?? .latest
    guard let tomorrow = reading(at: instant).date.adding(days: 1) else { return change }
    return min(
      change, Timestamp(CivilDateTime(tomorrow, .midnight), offset: offset(at: instant)))
  }
}
