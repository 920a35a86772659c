import CalendarBus
import DBus

/// What an import answered: added, updated, skipped, failed; and line and word of the problems, without
/// the remark on METHOD.
struct CancellationOutcome: Equatable {
  let counts: [Int64]
  let problems: [String]

  init(_ counts: [Int64], _ problems: String...) {
    (self.counts, self.problems) = (counts, problems)
  }

  init(_ values: [Value]) {
    counts = importCounts(values[0])
    problems = (values[1].asArray ?? []).compactMap { row in
      let word = row["problem"]?.asString ?? ""
      return word == "cancellation" ? nil : "\(row["line"]?.asInteger ?? -1) \(word)"
    }
  }
}

extension AgentUnderTest {
  func outcome(
    of text: String, into calendar: String = "", mode: String = ""
  ) throws -> CancellationOutcome {
    CancellationOutcome(
      try call(
        Contract.transfer, "ImportText", [.string(text), .string(calendar), .string(mode)]))
  }
}

extension String {
  var cancelling: String { sent(by: "CANCEL") }

  /// With METHOD:CANCEL behind all else.
  var cancellingLate: String {
    replacing("END:VCALENDAR\r\n", with: "METHOD:CANCEL\r\nEND:VCALENDAR\r\n")
  }

  func named(_ name: String) -> String {
    replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\nX-WR-CALNAME:\(name)\r\n")
  }

  /// In which line of a text the first component of what is joined to it with METHOD:CANCEL stands.
  var lineOfNextCancellation: Int { split(separator: "\r\n").count + 5 }

  /// The lines of the first component with one of these.
  func component(with line: String) -> [Substring] {
    for part in split(separator: "BEGIN:VEVENT\r\n") where part.contains(line) {
      return part.split(separator: "\r\n")
    }
    return []
  }
}

/// The events that are cancelled, and what cancels them.
protocol CancellationSamples {}

extension CancellationSamples {
  var meeting: String {
    component(
      "m", "SEQUENCE:1", "SUMMARY:Meeting", "LOCATION:Room Ada", "DESCRIPTION:Bring the plan",
      "DTSTART;TZID=Europe/Berlin:20261201T090000", "DTEND;TZID=Europe/Berlin:20261201T100000",
      "X-KEPT;X-P=1:yes", "ATTENDEE;CN=Ana:mailto:ana@example.org",
      "ATTENDEE;CN=Bob:mailto:bob@example.org", "ORGANIZER:mailto:cy@example.org", "BEGIN:VALARM",
      "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM")
  }
  var series: String {
    component(
      "s", "SEQUENCE:1", "SUMMARY:Daily", "LOCATION:Room Ada",
      "DTSTART;TZID=Europe/Berlin:20261201T090000", "RRULE:FREQ=DAILY;COUNT=4",
      "X-KEPT:yes")
  }
  var moved: String {
    component(
      "s", "SEQUENCE:1", "SUMMARY:Moved", "LOCATION:Room Bo",
      "RECURRENCE-ID;TZID=Europe/Berlin:20261202T090000",
      "DTSTART;TZID=Europe/Berlin:20261202T150000")
  }
  func cancellation(_ uid: String, _ sequence: Int, _ lines: String...) -> String {
    component(uid, (["SEQUENCE:\(sequence)"] + lines).joined(separator: "\r\n"))
      .replacing("DTSTAMP:20260101", with: "DTSTAMP:20261120")
  }
}
