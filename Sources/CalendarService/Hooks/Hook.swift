import CalendarModel
import CivilTime
import JSON
import Widgets

/// The occasions for which a user's programs can be run.
///
/// The raw value is the name of the hook's folder without ".d".
enum Hook: String, CaseIterable, Sendable {
  case reminderDue = "reminder-due"
  case eventStart = "event-start"
  case eventEnd = "event-end"
  case eventsChanged = "events-changed"
  case dayStart = "day-start"
}

/// The data of one run of a hook: JSON on standard input, and some members in the environment.
///
/// Titles may come from strangers, and are not escaped for a shell.
struct HookCall {
  let hook: Hook
  /// The key of runs that must not overlap; "" for runs without an order.
  ///
  /// The runs for the start of an event end before those for its end begin.
  var order = ""
  private(set) var members: [(String, JSONValue)]
  private(set) var variables: [String: String]

  private init(_ hook: Hook, _ members: [(String, JSONValue)]) {
    self.hook = hook
    self.members = [("hook", .string(hook.rawValue))] + members
    variables = ["DATEBOOK_HOOK": hook.rawValue]
  }

  /// A reminder fell due.
  ///
  /// - Parameters:
  ///   - lateSeconds: the seconds since ``Reminder/due``.
  ///   - isQuiet: whether it is quiet time.
  init(due reminder: Reminder, lateSeconds: Int64, isQuiet: Bool) {
    self.init(
      .reminderDue,
      [
        ("reminder", SnapshotReminder(reminder).jsonValue), ("late", .integer(lateSeconds)),
        ("quiet", .bool(isQuiet)),
      ])
    set(
      uid: reminder.key.uid, recurrenceID: reminder.key.recurrenceID, summary: reminder.summary)
    variables["DATEBOOK_REMINDER"] = reminder.id
  }

  /// An event has begun or ended.
  init(_ hook: Hook, _ occurrence: Occurrence, color: EventColor?, lateSeconds: Int64) {
    self.init(
      hook,
      [
        ("event", SnapshotEvent(occurrence, calendarColor: color).jsonValue),
        ("late", .integer(lateSeconds)),
      ])
    let recurrenceID = occurrence.recurrenceID?.text ?? ""
    set(uid: occurrence.uid, recurrenceID: recurrenceID, summary: occurrence.event.summary)
    order = "\(occurrence.calendar.text)\n\(occurrence.uid.text)\n\(recurrenceID)"
  }

  /// Events were changed; no uids means that there are too many to name.
  init(changed revision: Int64, calendars: [String], uids: [String], origin: String?) {
    self.init(
      .eventsChanged,
      [
        ("revision", .integer(revision)),
        ("calendars", .array(calendars.map { .string($0) })),
        ("uids", .array(uids.map { .string($0) })),
      ] + (origin.map { [("origin", .string($0))] } ?? []))
  }

  /// A day has begun, whether the agent ran at midnight or started later.
  init(day: CivilDate, events: [Occurrence], colors: [CalendarID: EventColor]) {
    self.init(
      .dayStart,
      [
        ("date", .string(day.description)),
        (
          "events",
          .array(events.map { SnapshotEvent($0, calendarColor: colors[$0.calendar]).jsonValue })
        ),
      ])
    variables["DATEBOOK_DATE"] = day.description
  }

  /// The standard input of the programs: one line.
  var input: [UInt8] {
    JSONWriter.octets(of: .object(JSONObject(members))) + [UInt8(ascii: "\n")]
  }

  private mutating func set(uid: EventUID, recurrenceID: String, summary: String) {
    // Linux starts no program with a variable of 128 KiB, and a title may be longer.
    variables["DATEBOOK_UID"] = whole(uid.text, maximumOctets: 4096)
    variables["DATEBOOK_RECURRENCE_ID"] = recurrenceID
    variables["DATEBOOK_SUMMARY"] = shortened(summary, toCharacters: 200)
  }
}
