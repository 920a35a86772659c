import CalendarBus
import DBus

/// "Standup" on 21 November 2026 from 9:30 to 10:30 in Berlin, with a reminder
/// 15 minutes before: the instant 1795248900.
extension AgentUnderTest {
  func addStandup() throws {
    try add(
      ("uid", .string("standup")), ("summary", .string("Standup")),
      ("start", .string("2026-11-21 09:30")), ("location", .string("Room Ada")),
      ("reminders", .strings(["15m"])))
  }

  /// "Meeting" on 30 November 2026 at 15:00 UTC, as an invitation to its attendees;
  /// Ana alone where none are given.
  func addMeeting(
    _ attendees: String...
  ) throws {
    let lines =
      attendees.isEmpty ? ["ATTENDEE;CN=Ana;RSVP=TRUE;X-ROLE=7:mailto:ana@example.org"] : attendees
    try importComponents(
      component(
        "meeting",
        ([
          "DTSTART:20261130T150000Z", "DTEND:20261130T160000Z", "SUMMARY:Meeting",
          "ORGANIZER;CN=Bo:mailto:bo@example.org",
        ] + lines).joined(separator: "\r\n")))
  }

  /// Imports so many events "Call" of 9:00 UTC, which ring at 8:55.
  func importCalls(_ count: Int) throws {
    try importComponents(
      (0..<count).map {
        component(
          "call-\($0)", "DTSTART:20261121T090000Z", "SUMMARY:Call", "BEGIN:VALARM",
          "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM")
      }.joined())
  }

  /// Imports components.
  func importComponents(_ components: String...) throws {
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Datebook//Tests//EN\r\n"
      + components.joined() + "END:VCALENDAR\r\n"
    let answer = try call(
      Contract.transfer, "ImportText", [.string(text), .string(""), .string("")])
    if case .array(_, let problems) = answer[1], !problems.isEmpty {
      throw SampleError(description: "\(problems)")
    }
  }

  /// The only pending reminder's id.
  func onlyReminder() throws -> String {
    let rows = try pending()
    guard rows.count == 1, let id = rows[0]["id"]?.asString else {
      throw SampleError(description: "one reminder was to be pending, not \(rows)")
    }
    return id
  }
}

struct SampleError: Error, CustomStringConvertible {
  let description: String
}

/// One event as iCalendar text.
func component(_ uid: String, _ lines: String...) -> String {
  (["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260101T000000Z"] + lines + ["END:VEVENT"])
    .joined(separator: "\r\n") + "\r\n"
}

/// One to-do as iCalendar text.
func toDo(_ uid: String, _ lines: String...) -> String {
  (["BEGIN:VTODO", "UID:\(uid)", "DTSTAMP:20260101T000000Z"] + lines + ["END:VTODO"])
    .joined(separator: "\r\n") + "\r\n"
}

/// So many events that what stands behind them in a text is read long after what stands before.
let manyOthers = (0..<300).map { component("o\($0)", "DTSTART:20270101T090000Z") }.joined()

/// A calendar of components that is sent by a METHOD.
func message(_ method: String, _ components: String...) -> String {
  calendar(components.joined()).sent(by: method)
}

extension String {
  /// A calendar as it is sent by a METHOD.
  func sent(by method: String) -> String {
    replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\nMETHOD:\(method)\r\n")
  }
}

/// A calendar of components.
func calendar(_ components: String...) -> String {
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Datebook//Tests//EN\r\n"
    + components.joined() + "END:VCALENDAR\r\n"
}
