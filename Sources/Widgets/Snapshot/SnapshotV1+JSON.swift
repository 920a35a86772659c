import CalendarModel
import CivilTime
package import JSON

extension SnapshotV1 {
  /// The compact text, one line without a line break: the file that widgets watch.
  ///
  /// Equal snapshots give equal octets.
  package var json: [UInt8] { octets(reserving: 65_536) }

  /// The document as a value.
  package var jsonValue: JSONValue { tree }
}

extension SnapshotV1: MemberListing {
  /// See the properties for the meaning of the keys. Schema 2 will leave out the former names.
  func list<Sink: MemberSink>(in members: inout Sink) {
    members.add("schema", SnapshotV1.schema)
    members.add("revision", revision)
    members.add("time-zone", formerly: "time_zone", timeZone)
    members.add("utc-offset", formerly: "utc_offset", Int64(utcOffset.seconds))
    members.add("date", date.description)
    members.add("next-change", formerly: "next_change", nextChange.seconds)
    if let scheme { members.add("theme", Theme.of(scheme)) }
    members.addRows("calendars", calendars)
    members.addRows("now", now)
    members.addCount("now-more", formerly: "now_more", nowMore)
    members.addRows("next", next)
    members.addRows("today", today)
    members.addCount("today-more", formerly: "today_more", todayMore)
    members.addList("days", days)
    if let month { members.add("month", month) }
    members.addRows("reminders", reminders)
    members.addCount("reminders-more", formerly: "reminders_more", remindersMore)
    if let quietUntil { members.add("quiet-until", formerly: "quiet_until", quietUntil.seconds) }
    members.addRows("sources", sources)
  }
}

extension Theme: MemberListing {
  /// Adds `scheme`, "light" or "dark", and the colors, such as "#16181d"; none is ever left out.
  func list<Sink: MemberSink>(in members: inout Sink) {
    members.add("scheme", scheme.rawValue)
    members.add("background", background.text)
    members.add("surface", surface.text)
    members.add("line", line.text)
    members.add("text", text.text)
    members.add("muted", muted.text)
    members.add("accent", accent.text)
  }
}

extension SnapshotCalendar: MemberListing {
  func list<Sink: MemberSink>(in members: inout Sink) {
    members.add("id", id)
    members.add("name", name)
    members.add("color", color.text)
  }
}

extension SnapshotDay: MemberListing {
  func list<Sink: MemberSink>(in members: inout Sink) {
    members.add("date", date.description)
    members.addRows("events", events)
    members.addCount("more", more)
  }
}

extension SnapshotEvent: MemberListing {
  /// The row as a value.
  package var jsonValue: JSONValue { tree }

  func list<Sink: MemberSink>(in members: inout Sink) {
    members.addEvent(uid, at: recurrenceID, in: calendar, summary: summary)
    members.addText("location", location)
    members.add("start", start.seconds)
    members.add("end", end.seconds)
    members.addText("start-text", startText)
    members.addText("end-text", endText)
    members.add("all-day", isAllDay)
    members.addText("time-zone", timeZone)
    members.add("status", status.rawValue)
    members.addFlag("declined", isDeclined)
    members.add("busy", isBusy)
    members.addText("color", color?.text ?? "")
    members.add("recurring", isRecurring)
    members.addText("url", url)
    members.addText("join-url", joinURL)
    members.addText("state", release?.state.rawValue ?? "")
    members.addText("quality", release?.quality ?? "")
    if count != 1 { members.add("count", Int64(count)) }
  }
}

extension SnapshotReminder: MemberListing {
  /// The row as a value.
  package var jsonValue: JSONValue { tree }

  func list<Sink: MemberSink>(in members: inout Sink) {
    members.add("id", id)
    members.addEvent(uid, at: recurrenceID, in: calendar, summary: summary)
    members.addText("location", location)
    members.addText("join-url", joinURL)
    members.add("start", start.seconds)
    members.add("end", end.seconds)
    members.add("all-day", isAllDay)
    members.add("due", due.seconds)
    members.add("state", state.rawValue)
    members.add("snoozes", Int64(snoozes))
    members.add("missed", isMissed)
  }
}
