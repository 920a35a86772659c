import CalendarModel
package import CivilTime

/// How much of the calendar somebody gets to see.
package enum PrivacyLevel: String, CaseIterable, Hashable, Sendable {
  /// Everything.
  case titles
  /// When one is busy, and nothing else: no title, no place, no address, no
  /// calendar, no colour, and nothing by which an event could be asked for.
  case busy
  /// Not even that: days without events.
  case nothing

  /// What stands for a title.
  static let busyTitle = "Busy"
  /// What stands for the id of a calendar.
  static let busyCalendar = "busy"
  /// What stands for the colour of an event.
  static let busyColor = EventColor(red: 0x6b, green: 0x72, blue: 0x80)
}

extension SnapshotV1 {
  /// Returns the snapshot with no more in it than somebody is to see.
  ///
  /// - Parameters:
  ///   - now: an instant at which this one is true.
  ///   - zone: the agent's.
  package func redacted(to level: PrivacyLevel, now: Timestamp, zone: ZoneRules) -> SnapshotV1 {
    guard level != .titles else { return self }
    var snapshot = self
    snapshot.calendars = []
    guard level == .busy else {
      // The instant at which an event ends would say that there is one.
      snapshot.nextChange = zone.nextDateOrOffset(after: now)
      (snapshot.now, snapshot.next, snapshot.today, snapshot.reminders) = ([], [], [], [])
      (snapshot.nowMore, snapshot.todayMore, snapshot.remindersMore) = (0, 0, 0)
      snapshot.days = days.map { SnapshotDay(date: $0.date) }
      snapshot.month = month?.redacted(to: level)
      return snapshot
    }
    snapshot.now = SnapshotV1.busy(self.now)
    snapshot.next = SnapshotV1.busy(next)
    snapshot.today = SnapshotV1.busy(today)
    snapshot.days = days.map {
      SnapshotDay(date: $0.date, events: SnapshotV1.busy($0.events), more: $0.more)
    }
    snapshot.month = month?.redacted(to: level)
    snapshot.reminders = reminders.map(\.asBusy)
    return snapshot
  }

  /// Those that take up time, without what they are about.
  private static func busy(_ rows: [SnapshotEvent]) -> [SnapshotEvent] {
    rows.filter { $0.isBusy && $0.status != .cancelled }.map(\.asBusy)
  }
}

extension SnapshotEvent {
  fileprivate var asBusy: SnapshotEvent {
    // The texts of the times have the zone of the event, which tells where it is.
    SnapshotEvent(
      uid: "", calendar: PrivacyLevel.busyCalendar, summary: PrivacyLevel.busyTitle, start: start,
      end: end, isAllDay: isAllDay, status: status, color: PrivacyLevel.busyColor)
  }
}

extension SnapshotReminder {
  /// Its id stays: it can be put off and dismissed, and says nothing by itself.
  fileprivate var asBusy: SnapshotReminder {
    SnapshotReminder(
      id: id, uid: "", calendar: PrivacyLevel.busyCalendar, summary: PrivacyLevel.busyTitle,
      start: start, end: end, isAllDay: isAllDay, due: due, state: state, snoozes: snoozes,
      isMissed: isMissed)
  }
}

extension MonthGrid {
  /// Returns the grid with no more in it than somebody is to see.
  package func redacted(to level: PrivacyLevel) -> MonthGrid {
    guard level != .titles else { return self }
    var grid = self
    var places: [Int: Int] = [:]
    grid.events = []
    for (place, event) in events.enumerated() where level == .busy && !event.isFree {
      places[place] = grid.events.count
      grid.events.append(event.asBusy)
    }
    for index in grid.days.indices {
      let day = days[index]
      let bars = day.bars.compactMap { bar in
        places[bar.event].map {
          MonthBar(event: $0, lane: bar.lane, part: bar.part, showsText: bar.showsText)
        }
      }
      let more = level == .busy ? day.more : 0
      grid.days[index].bars = bars
      grid.days[index].more = more
      grid.days[index].dots = Array(
        repeating: PrivacyLevel.busyColor, count: min(3, bars.count + more))
      grid.days[index].marker =
        bars.contains { grid.events[$0.event].isAllDay } ? PrivacyLevel.busyColor : nil
    }
    grid.lanes = grid.days.flatMap(\.bars).map { $0.lane + 1 }.max() ?? 0
    return grid
  }
}

extension MonthEvent {
  fileprivate var asBusy: MonthEvent {
    MonthEvent(
      uid: "", calendar: PrivacyLevel.busyCalendar, summary: PrivacyLevel.busyTitle, start: start,
      end: end, isAllDay: isAllDay, isTentative: isTentative, color: PrivacyLevel.busyColor)
  }
}
