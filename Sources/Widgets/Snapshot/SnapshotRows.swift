package import CalendarModel
package import CivilTime

/// An occurrence in a ``SnapshotV1``; its keys are those of the bus.
///
/// Its texts come from other people and are not escaped.
package struct SnapshotEvent: Hashable, Sendable {
  /// `uid`: the iCalendar UID; "1a2b@example.org".
  ///
  /// Left out if longer than 512 octets, since a part of it would name another event.
  package var uid: String
  /// `recurrence-id`: the occurrence of a series; "20261121T083000Z".
  ///
  /// Left out for an event that does not recur.
  package var recurrenceID: String
  /// `calendar`: the ID of its calendar; "work". Never left out.
  package var calendar: String
  /// `summary`: the title, cut to 200 characters; "Standup". Left out if there is none.
  package var summary: String
  /// `location`: cut to 200 characters; "Room 4". Left out if there is none, and in short rows.
  package var location: String
  /// `start`: seconds since 1970-01-01T00:00:00Z; 1795249800. Never left out.
  ///
  /// Of an all-day event it is local midnight in the agent's zone.
  package var start: Timestamp
  /// `end`: the first instant after the event, in the same form; 1795250700. Never left out.
  package var end: Timestamp
  /// `start-text`: RFC 3339 in the event's own zone, or a date for an all-day event.
  ///
  /// "2026-11-21T09:30:00+01:00". Left out in short rows.
  package var startText: String
  /// `end-text`: the end in the same form; of an all-day event the first day after it.
  ///
  /// Left out in short rows.
  package var endText: String
  /// `all-day`: whether it is an all-day event; false. Never left out.
  package var isAllDay: Bool
  /// `time-zone`: the IANA zone of the event; "Europe/Berlin".
  ///
  /// Left out for all-day and floating events, and in short rows.
  package var timeZone: String
  /// `status`: "confirmed", "tentative" or "cancelled". Never left out.
  ///
  /// An unknown word is read as "confirmed".
  package var status: Event.Status
  /// `declined`: whether the owner has declined the invitation. Left out if false.
  package var isDeclined: Bool
  /// `busy`: whether it takes up time; true. Never left out.
  package var isBusy: Bool
  /// `color`: the event's, else its calendar's; "#3b82f6". Left out if neither is known.
  package var color: EventColor?
  /// `recurring`: whether it belongs to a series; true. Never left out.
  package var isRecurring: Bool
  /// `url`: "https://example.org/42".
  ///
  /// Left out if there is none or it is longer than 1000 octets, and in short rows.
  package var url: String
  /// `join-url`: the address to join the meeting; "https://meet.jit.si/Standup".
  ///
  /// Left out as `url` is.
  package var joinURL: String
  /// `state`: of a release from a media server: "available", "partly", "missing", "future" or
  /// "unmonitored". Left out of other events.
  ///
  /// `quality`, next to it: "Bluray-1080p", cut to 80 characters. Left out if there is none, and in
  /// short rows. An unknown word in `state` is read as no release.
  package var release: ReleaseFacts?
  /// `count`: how many occurrences of a series the row combines, if more than 96 begin on a day.
  ///
  /// 0 if they were not counted, above 1440. Left out at 1.
  package var count: Int

  package init(
    uid: String, recurrenceID: String = "", calendar: String, summary: String = "",
    location: String = "", start: Timestamp, end: Timestamp, startText: String = "",
    endText: String = "", isAllDay: Bool = false, timeZone: String = "",
    status: Event.Status = .confirmed, isDeclined: Bool = false, isBusy: Bool = true,
    color: EventColor? = nil, isRecurring: Bool = false, url: String = "", joinURL: String = "",
    release: ReleaseFacts? = nil, count: Int = 1
  ) {
    self.uid = uid
    self.recurrenceID = recurrenceID
    self.calendar = calendar
    self.summary = summary
    self.location = location
    self.start = start
    self.end = end
    self.startText = startText
    self.endText = endText
    self.isAllDay = isAllDay
    self.timeZone = timeZone
    self.status = status
    self.isDeclined = isDeclined
    self.isBusy = isBusy
    self.color = color
    self.isRecurring = isRecurring
    self.url = url
    self.joinURL = joinURL
    self.release = release
    self.count = count
  }

  /// The short row for `days`: what a month page needs.
  var short: SnapshotEvent {
    var row = self
    row.location = ""
    row.startText = ""
    row.endText = ""
    row.timeZone = ""
    row.url = ""
    row.joinURL = ""
    row.release = row.release.map { ReleaseFacts(state: $0.state) }
    return row
  }
}

extension SnapshotEvent {
  /// Makes the full row of an occurrence.
  ///
  /// - Parameters:
  ///   - calendarColor: The color for an event without its own.
  ///   - ownAddresses: See ``Event/isDeclined(by:)``.
  package init(_ occurrence: Occurrence, calendarColor: EventColor?, ownAddresses: [String] = []) {
    let (startText, endText): (String, String)
    if occurrence.isAllDay {
      startText = occurrence.start.date.description
      endText = occurrence.end.date.description
    } else {
      let (start, end) = (occurrence.span.start, occurrence.span.end)
      startText = start.rfc3339(offset: occurrence.zone.offset(at: start))
      endText = end.rfc3339(offset: occurrence.zone.offset(at: end))
    }
    self.init(
      uid: whole(occurrence.uid.text, maximumOctets: 512),
      recurrenceID: occurrence.recurrenceID?.text ?? "", calendar: occurrence.calendar.text,
      summary: shortened(occurrence.summary, toCharacters: 200),
      location: shortened(occurrence.location, toCharacters: 200), start: occurrence.span.start,
      end: occurrence.span.end, startText: startText, endText: endText,
      isAllDay: occurrence.isAllDay, timeZone: occurrence.zoneName ?? "", status: occurrence.status,
      isDeclined: occurrence.event.isDeclined(by: ownAddresses), isBusy: occurrence.isBusy,
      color: occurrence.color ?? calendarColor,
      isRecurring: occurrence.recurrenceID != nil, url: whole(occurrence.url, maximumOctets: 1000),
      joinURL: whole(occurrence.joinURL, maximumOctets: 1000),
      release: occurrence.event.release.map {
        ReleaseFacts(state: $0.state, quality: shortened($0.quality, toCharacters: 80))
      }, count: occurrence.count)
  }
}

/// A reminder in a ``SnapshotV1``; its keys are those of `Reminders.Pending`.
package struct SnapshotReminder: Hashable, Sendable {
  package enum State: String, Hashable, Sendable {
    case due, snoozed
  }

  /// `id`: the ID for Snooze and Dismiss; "9f86d081884c7d65". Never left out.
  package var id: String
  /// `uid`: see ``SnapshotEvent``.
  package var uid: String
  /// `recurrence-id`: see ``SnapshotEvent``.
  package var recurrenceID: String
  /// `calendar`: the ID of the event's calendar. Never left out.
  package var calendar: String
  /// `summary`: see ``SnapshotEvent``.
  package var summary: String
  /// `location`: see ``SnapshotEvent``.
  package var location: String
  /// `join-url`: see ``SnapshotEvent``.
  package var joinURL: String
  /// `start`: the start of the event, in seconds since 1970-01-01T00:00:00Z. Never left out.
  ///
  /// For a to-do it is when it is due, else when it begins; without a date, the time of the alarm.
  package var start: Timestamp
  /// `end`: the end of the event. Never left out.
  package var end: Timestamp
  /// `all-day`: whether it is an all-day event. Never left out.
  package var isAllDay: Bool
  /// `due`: the time at which it is or was due; 1795249200. Never left out.
  package var due: Timestamp
  /// `state`: "due" or "snoozed". Never left out; an unknown word is read as "due".
  package var state: State
  /// `snoozes`: how often it was snoozed; 1. Never left out.
  package var snoozes: Int
  /// `missed`: whether it was due during a suspend or while the agent did not run; true.
  ///
  /// Never left out.
  package var isMissed: Bool

  package init(
    id: String, uid: String, recurrenceID: String = "", calendar: String, summary: String = "",
    location: String = "", joinURL: String = "", start: Timestamp, end: Timestamp,
    isAllDay: Bool = false, due: Timestamp, state: State = .due, snoozes: Int = 0,
    isMissed: Bool = false
  ) {
    self.id = id
    self.uid = uid
    self.recurrenceID = recurrenceID
    self.calendar = calendar
    self.summary = summary
    self.location = location
    self.joinURL = joinURL
    self.start = start
    self.end = end
    self.isAllDay = isAllDay
    self.due = due
    self.state = state
    self.snoozes = snoozes
    self.isMissed = isMissed
  }

  package init(_ reminder: Reminder) {
    self.init(
      id: reminder.id, uid: whole(reminder.key.uid.text, maximumOctets: 512),
      recurrenceID: reminder.key.recurrenceID, calendar: reminder.key.calendar.text,
      summary: shortened(reminder.summary, toCharacters: 200),
      location: shortened(reminder.location, toCharacters: 200),
      joinURL: whole(reminder.joinURL, maximumOctets: 1000), start: reminder.span.start,
      end: reminder.span.end, isAllDay: reminder.isAllDay, due: reminder.due,
      state: reminder.state == .snoozed ? .snoozed : .due, snoozes: reminder.snoozes,
      isMissed: reminder.isMissed)
  }
}
