package import CalendarModel
package import CivilTime

/// Makes a ``SnapshotV1`` of the calendar at an instant.
package struct SnapshotBuilder: Sendable {
  package var settings: SnapshotSettings

  package init(settings: SnapshotSettings = SnapshotSettings()) {
    self.settings = settings
  }

  /// The most pending reminders that a snapshot shows.
  package static var mostReminders: Int { SnapshotLimits.steps[0].reminders }

  /// Returns the span whose occurrences ``build(occurrences:calendars:reminders:moreReminders:privacy:now:zone:revision:)``
  /// wants: the days of the snapshot, and those of the month.
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

  /// Returns the snapshot that holds from `now` to its own `nextChange`.
  ///
  /// - Parameters:
  ///   - occurrences: Those of ``span(at:zone:)``, placed with `zone`, in any
  ///     order. Later ones may be among them, so that `next` is full on an empty
  ///     fortnight too; what is cancelled is shown in days alone.
  ///   - calendars: All of them; the occurrences of those that are not visible,
  ///     or not known, are passed over.
  ///   - reminders: Those that are not pending are passed over; of thousands the
  ///     first ``mostReminders`` are enough.
  ///     Of which events there are reminders is the caller's: those that `privacy` admits
  ///     (``PrivacyLevel/admits(_:)``), since a reminder does not carry its event.
  ///   - moreReminders: How many are pending besides.
  ///   - privacy: How much of the calendar is in it; what is left out makes room for the rest.
  ///   - zone: The agent's.
  ///   - revision: Of the store when the rest was read from it.
  package func build(
    occurrences: [Occurrence], calendars: [CalendarInfo], reminders: [Reminder],
    moreReminders: Int = 0, privacy: PrivacyLevel = .titles, now: Timestamp, zone: ZoneRules,
    revision: Int64
  ) -> SnapshotV1 {
    let visible = calendars.filter(\.isVisible).sorted {
      $0.order != $1.order ? $0.order < $1.order : $0.id.text < $1.id.text
    }
    let colors = Dictionary(
      visible.map { ($0.id, $0.color) }, uniquingKeysWith: { first, _ in first })
    let shown = occurrences.filter { colors[$0.calendar] != nil && privacy.admits($0.event) }
      .sorted(by: Occurrence.precedes)
    var pending: [SnapshotReminder] = []
    for reminder in reminders where reminder.isPending && privacy != .nothing {
      pending.append(privacy.shown(SnapshotReminder(reminder)))
    }
    pending.sort {
      $0.due != $1.due ? $0.due < $1.due : $0.id < $1.id
    }
    let today = zone.reading(at: now).date
    let timed = shown.filter { !$0.isAllDay && $0.event.status != .cancelled }
    let contents = Contents(
      days: daysTouched(by: shown, around: today, zone: zone),
      month: page(of: today).map {
        MonthGridBuilder(
          page: $0, today: today, occurrences: shown, colors: colors, privacy: privacy, zone: zone)
      }, privacy: privacy, occurrences: shown, colors: colors,
      running: timed.filter { $0.span.contains(now) },
      following: timed.filter { $0.span.start > now }, reminders: pending,
      moreReminders: privacy == .nothing ? 0 : moreReminders,
      calendars: (privacy == .titles ? visible : []).map {
        SnapshotCalendar(
          id: $0.id.text, name: shortened($0.name, toCharacters: 100), color: $0.color)
      })

    var snapshot = SnapshotV1(
      revision: revision, timeZone: zone.name, utcOffset: zone.offset(at: now), date: today,
      nextChange: nextChange(of: timed, now: now, zone: zone), scheme: settings.scheme)
    for limits in SnapshotLimits.steps {
      fill(&snapshot, with: contents, limits: limits)
      if snapshot.json.count <= settings.maximumOctets { break }
    }
    return snapshot
  }

  /// All that could be listed, in order. Occurrences become rows when it is known
  /// that there is room for them, as a flood of them costs no texts then.
  private struct Contents {
    /// For each day of the snapshot, places in ``occurrences``.
    let days: [(date: CivilDate, places: [Int])]
    let month: MonthGridBuilder?
    let privacy: PrivacyLevel
    let occurrences: [Occurrence]
    let colors: [CalendarID: EventColor]
    let running: [Occurrence]
    let following: [Occurrence]
    let reminders: [SnapshotReminder]
    let moreReminders: Int
    let calendars: [SnapshotCalendar]

    func row(_ occurrence: Occurrence) -> SnapshotEvent {
      privacy.shown(SnapshotEvent(occurrence, calendarColor: colors[occurrence.calendar]))
    }
  }

  private func fill(
    _ snapshot: inout SnapshotV1, with contents: Contents, limits: SnapshotLimits
  ) {
    snapshot.calendars = Array(contents.calendars.prefix(limits.calendars))
    let (running, moreRunning) = cut(contents.running, to: limits.now)
    (snapshot.now, snapshot.nowMore) = (running.map(contents.row), moreRunning)
    snapshot.next = contents.following.prefix(min(limits.next, settings.nextCount))
      .map(contents.row)
    let (reminders, moreReminders) = cut(contents.reminders, to: limits.reminders)
    (snapshot.reminders, snapshot.remindersMore) =
      (reminders, moreReminders + contents.moreReminders)
    snapshot.days = contents.days.map { day in
      let (places, more) = cut(day.places, to: limits.perDay)
      return SnapshotDay(
        date: day.date, events: places.map { contents.row(contents.occurrences[$0]).short },
        more: more)
    }
    snapshot.month = limits.lanes.flatMap { contents.month?.grid(lanes: $0) }
    let places = contents.days.first { $0.date == snapshot.date }?.places ?? []
    let (kept, more) = cut(places, to: limits.today)
    snapshot.today = kept.map { contents.row(contents.occurrences[$0]) }
    snapshot.todayMore = more
  }

  private func cut<Row>(_ rows: [Row], to limit: Int) -> ([Row], more: Int) {
    (Array(rows.prefix(limit)), max(0, rows.count - limit))
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

  /// Returns for each day of the snapshot the places of what touches it.
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

// MARK: Changes

extension SnapshotBuilder {
  /// Returns the first instant after `now` at which the snapshot says something
  /// else. All-day events change with the date.
  private func nextChange(
    of timed: [Occurrence], now: Timestamp, zone: ZoneRules
  ) -> Timestamp {
    var next = zone.nextDateOrOffset(after: now)
    for occurrence in timed {
      let span = occurrence.span
      if span.start > now {
        next = min(next, span.start)
      } else if span.end > now {
        next = min(next, span.end)
      }
    }
    return next
  }
}

extension ZoneRules {
  /// Returns the first instant after `instant` at which the clock shows another
  /// day, or has another offset.
  ///
  /// Until the offset changes the clock runs straight on, so midnight is where
  /// this offset puts it; also where a change makes midnight happen twice.
  func nextDateOrOffset(after instant: Timestamp) -> Timestamp {
    let change = nextChange(after: instant) ?? .latest
    guard let tomorrow = reading(at: instant).date.adding(days: 1) else { return change }
    return min(
      change, Timestamp(CivilDateTime(tomorrow, .midnight), offset: offset(at: instant)))
  }
}
