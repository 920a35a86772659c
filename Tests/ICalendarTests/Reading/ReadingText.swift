import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import ICalendar

/// Writes a reading as the paragraphs that stand beside the corpus files: one an
/// event, then the zones and the problems. A field that says nothing is left out.
func readingText(_ reading: CalendarReading) -> String {
  var paragraphs: [String] = []
  var head: [String] = []
  if let name = reading.name { head.append("name \(name)") }
  if reading.skipped > 0 { head.append("skipped \(reading.skipped)") }
  if !head.isEmpty { paragraphs.append(head.joined(separator: "\n")) }
  for series in reading.series {
    for event in series.components { paragraphs.append(eventText(event)) }
  }
  for zone in reading.customZones {
    let january = zone.rules.offset(at: Timestamp(seconds: 1_704_067_200))
    let july = zone.rules.offset(at: Timestamp(seconds: 1_719_792_000))
    paragraphs.append("zone \(zone.id)\njanuary \(january)\njuly \(july)")
  }
  if !reading.problems.isEmpty {
    paragraphs.append(
      reading.problems.map { problem in
        "\(problem.severity) \(problem.line):\(problem.column) \(problem.uid) "
          + "\(problem.word) | \(problem.text)"
      }.joined(separator: "\n"))
  }
  return paragraphs.joined(separator: "\n\n") + "\n"
}

private func eventText(_ event: Event) -> String {
  var lines = ["\(kindText(event.kind)) \(event.uid)"]
  func add(_ name: String, _ text: String) {
    if !text.isEmpty { lines.append("\(name) \(text.debugDescription.dropFirst().dropLast())") }
  }
  if let id = event.recurrenceID {
    add("instance", timeText(id) + (event.appliesToFuture ? " and following" : ""))
  }
  switch event.anchor {
  case .none: #expect(event.start == Event.noStart)
  case .start: add("start", timeText(event.start))
  case .due, .recurrenceID: add("start", "\(event.anchor.rawValue) \(timeText(event.start))")
  }
  add("end", endText(event.end))
  for rule in event.recurrence.rules { add("rule", rule.text) }
  for rule in event.recurrence.exclusionRules { add("not-rule", rule.text) }
  for date in event.recurrence.added {
    add("also", timeText(date.start) + (date.end == .none ? "" : " to " + endText(date.end)))
  }
  for time in event.recurrence.excluded { add("not", timeText(time)) }
  add("summary", event.summary)
  add("location", event.location)
  add("description", event.description)
  add("url", event.url)
  if event.status != .confirmed { add("status", event.status.rawValue) }
  if let toDo = event.toDo {
    add("progress", toDo.status.rawValue)
    if toDo.percentComplete != 0 { add("percent", "\(toDo.percentComplete)") }
    if toDo.priority != 0 { add("priority", "\(toDo.priority)") }
    add("completed", toDo.completed?.description ?? "")
  }
  if !event.isBusy { add("busy", "no") }
  if event.classification != .open { add("class", event.classification.rawValue) }
  add("color", event.color?.text ?? "")
  for category in event.categories { add("category", category) }
  let organizer = event.organizer.map { [("organizer", $0)] } ?? []
  for (role, person) in organizer + event.attendees.map({ ("attendee", $0) }) {
    add(role, "\(person.address) \(person.participation) \(person.name)")
  }
  for alarm in event.alarms {
    var text = "\(alarm.id) \(alarm.action) "
    switch alarm.trigger {
    case .fromStart(let duration): text += "start \(duration)"
    case .fromEnd(let duration): text += "end \(duration)"
    case .absolute(let instant): text += "at \(instant)"
    }
    if alarm.repeatCount > 0 { text += " again \(alarm.repeatCount) \(alarm.repeatInterval)" }
    if let instant = alarm.acknowledged { text += " acknowledged \(instant)" }
    add("alarm", text + (alarm.text.isEmpty ? "" : " \(alarm.text)"))
  }
  if event.sequence != 0 { add("sequence", "\(event.sequence)") }
  add("created", event.created.map(\.description) ?? "")
  add("modified", event.lastModified.map(\.description) ?? "")
  return lines.joined(separator: "\n")
}

private func kindText(_ kind: Event.Kind) -> String {
  switch kind {
  case .event: "event"
  case .toDo: "to-do"
  case .journal: "journal"
  case .freeBusy: "free-busy"
  case .other: "other"
  }
}

private func timeText(_ time: EventTime) -> String {
  switch time {
  case .date(let date): "\(date)"
  case .floating(let reading): "\(reading)"
  case .zoned(let reading, let zone): "\(reading) \(zone)"
  case .utc(let instant): "\(instant)"
  }
}

private func endText(_ end: EventEnd) -> String {
  switch end {
  case .time(let time): timeText(time)
  case .duration(let duration): "\(duration)"
  case .none: ""
  }
}

/// Reads text with the zones that are kept with the tests.
func read(_ text: String, limits: ReadLimits = ReadLimits()) throws -> CalendarReading {
  try read(Array(text.utf8), limits: limits)
}

func read(_ octets: [UInt8], limits: ReadLimits = ReadLimits()) throws -> CalendarReading {
  try readCalendar(
    octets, calendar: CalendarID("tests"), zones: FixedZones.shared, limits: limits)
}

/// A VCALENDAR with one VEVENT of these lines.
func calendar(_ lines: String...) -> String {
  (["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR"])
    .joined(separator: "\r\n") + "\r\n"
}
