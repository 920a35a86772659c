import CalendarModel
import CivilTime
package import JSON

extension SnapshotV1 {
  /// The compact text, one line without its end: the file that widgets watch.
  /// The same snapshot gives the same octets.
  package var json: [UInt8] { JSONWriter.octets(of: jsonValue) }

  /// The document; its keys are explained at the fields of ``SnapshotV1``.
  package var jsonValue: JSONValue {
    var members = Members()
    members.add("schema", .integer(SnapshotV1.schema))
    members.add("revision", .integer(revision))
    members.add("time_zone", .string(timeZone))
    members.add("utc_offset", .integer(Int64(utcOffset.seconds)))
    members.add("date", .string(date.description))
    members.add("next_change", .integer(nextChange.seconds))
    if let scheme { members.add("theme", Theme.of(scheme).jsonValue) }
    members.add("calendars", calendars.map(\.jsonValue))
    members.add("now", now.map(\.jsonValue))
    members.add("now_more", count: nowMore)
    members.add("next", next.map(\.jsonValue))
    members.add("today", today.map(\.jsonValue))
    members.add("today_more", count: todayMore)
    members.add("days", .array(days.map(\.jsonValue)))
    if let month { members.add("month", month.jsonValue) }
    members.add("reminders", reminders.map(\.jsonValue))
    members.add("reminders_more", count: remindersMore)
    return members.value
  }
}

extension Theme {
  /// The keys `scheme`, "light" or "dark", and `background`, `surface`, `line`,
  /// `text`, `muted` and `accent`, "#16181d". None is ever left out.
  package var jsonValue: JSONValue {
    var members = Members()
    members.add("scheme", .string(scheme.rawValue))
    members.add("background", .string(background.text))
    members.add("surface", .string(surface.text))
    members.add("line", .string(line.text))
    members.add("text", .string(text.text))
    members.add("muted", .string(muted.text))
    members.add("accent", .string(accent.text))
    return members.value
  }
}

extension SnapshotCalendar {
  package var jsonValue: JSONValue {
    ["id": .string(id), "name": .string(name), "color": .string(color.text)]
  }
}

extension SnapshotDay {
  package var jsonValue: JSONValue {
    var members = Members()
    members.add("date", .string(date.description))
    members.add("events", events.map(\.jsonValue))
    members.add("more", count: more)
    return members.value
  }
}

extension SnapshotEvent {
  package var jsonValue: JSONValue {
    var members = Members()
    members.addEvent(uid, at: recurrenceID, in: calendar, summary: summary)
    members.add("location", text: location)
    members.add("start", .integer(start.seconds))
    members.add("end", .integer(end.seconds))
    members.add("start-text", text: startText)
    members.add("end-text", text: endText)
    members.add("all-day", .bool(isAllDay))
    members.add("time-zone", text: timeZone)
    members.add("status", .string(status.rawValue))
    members.add("busy", .bool(isBusy))
    members.add("color", text: color?.text ?? "")
    members.add("recurring", .bool(isRecurring))
    members.add("url", text: url)
    members.add("join-url", text: joinURL)
    return members.value
  }
}

extension SnapshotReminder {
  package var jsonValue: JSONValue {
    var members = Members()
    members.add("id", .string(id))
    members.addEvent(uid, at: recurrenceID, in: calendar, summary: summary)
    members.add("location", text: location)
    members.add("join-url", text: joinURL)
    members.add("start", .integer(start.seconds))
    members.add("end", .integer(end.seconds))
    members.add("all-day", .bool(isAllDay))
    members.add("due", .integer(due.seconds))
    members.add("state", .string(state.rawValue))
    members.add("snoozes", .integer(Int64(snoozes)))
    members.add("missed", .bool(isMissed))
    return members.value
  }
}

/// The members of an object in the making; what has no value is left out.
struct Members {
  private var pairs: [(String, JSONValue)] = []

  var value: JSONValue { .object(JSONObject(pairs)) }

  mutating func add(_ name: String, _ value: JSONValue) {
    pairs.append((name, value))
  }

  /// Adds what every event begins with: which one it is, and its title.
  mutating func addEvent(
    _ uid: String, at recurrenceID: String, in calendar: String, summary: String
  ) {
    add("uid", text: uid)
    add("recurrence-id", text: recurrenceID)
    add("calendar", .string(calendar))
    add("summary", text: summary)
  }

  mutating func add(_ name: String, text: String) {
    if !text.isEmpty { add(name, .string(text)) }
  }

  mutating func add(_ name: String, count: Int) {
    if count != 0 { add(name, .integer(Int64(count))) }
  }

  mutating func add(_ name: String, flag: Bool) {
    if flag { add(name, .bool(true)) }
  }

  mutating func add(_ name: String, _ elements: [JSONValue]) {
    if !elements.isEmpty { add(name, .array(elements)) }
  }
}
