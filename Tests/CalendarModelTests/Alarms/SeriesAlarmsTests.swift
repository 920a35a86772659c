import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

/// One record of Corpus/alarms.txt.
struct AlarmRecord: CustomTestStringConvertible, Sendable {
  var title = ""
  var local = "UTC"
  var series: EventSeries?
  var window = TimeSpan.always
  var expected: [String] = []
  let lineNumber: Int

  var testDescription: String { "line \(lineNumber): \(title)" }

  static let all: [AlarmRecord] = {
    let path = testsDirectory + "/CalendarModelTests/Corpus/alarms.txt"
    let text = String(decoding: readFile(path) ?? [], as: UTF8.self)
    var records: [AlarmRecord] = []
    var paragraph: [Substring] = []
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      if !line.isEmpty {
        paragraph.append(line)
        continue
      }
      // The first paragraph is the head of the file.
      let isRecord = paragraph.contains { $0.hasPrefix("start ") }
      if isRecord {
        do {
          records.append(try AlarmRecord(paragraph, lineNumber: number - paragraph.count))
        } catch {
          fatalError("Corpus/alarms.txt, line \(number - paragraph.count): \(error)")
        }
      }
      paragraph = []
    }
    return records
  }()

  private init(_ lines: [Substring], lineNumber: Int) throws {
    self.lineNumber = lineNumber
    var components: [Event] = []
    var original: EventTime?
    for line in lines {
      let word = line.prefix { $0 != " " }
      let rest = String(line.dropFirst(word.count + 1))
      switch word {
      case "#": title = rest
      case "local": local = rest
      case "instead": original = try EventTime(rest)
      case "start":
        var event = Event(uid: EventUID("event"), start: try EventTime(rest))
        event.recurrenceID = original
        components.append(event)
      case "window":
        let ends = try rest.split(separator: " ").map { try Timestamp(text: $0) }
        window = TimeSpan(start: ends[0], end: ends[1])
      case "expect": expected = rest.split(separator: " ").map(String.init)
      default: try components[components.count - 1].read(word, rest)
      }
    }
    series = EventSeries(components[0], overrides: Array(components.dropFirst()))
  }
}

extension Event {
  fileprivate mutating func read(_ word: Substring, _ rest: String) throws {
    switch word {
    case "end": end = .time(try EventTime(rest))
    case "length": end = .duration(try CalendarDuration(text: rest))
    case "rule": recurrence.rules.append(try RecurrenceRule(text: rest))
    case "except": recurrence.excluded.append(try EventTime(rest))
    case "added": recurrence.added.append(AddedDate(start: try EventTime(rest)))
    case "cancelled": status = .cancelled
    case "to-do": kind = .toDo(ToDo())
    case "alarm": alarms.append(try Alarm(String(alarms.count + 1), rest))
    default: throw CivilTimeError.unknownZone(name: String(word))
    }
  }
}

extension Alarm {
  /// An alarm as the tests write it: "start -PT15M repeat 2 PT5M".
  init(_ id: String, _ text: String) throws {
    let words = text.split(separator: " ")
    let trigger: Trigger =
      switch words[0] {
      case "at": .absolute(try Timestamp(text: words[1]))
      case "end": .fromEnd(try CalendarDuration(text: words[1]))
      default: .fromStart(try CalendarDuration(text: words[1]))
      }
    self.init(id: id, trigger: trigger)
    if words.last == "none" { action = .none }
    if words.count > 4, words[2] == "repeat" {
      repeatCount = Int(words[3]) ?? 0
      repeatInterval = try CalendarDuration(text: words[4])
    }
  }
}

@Suite struct `Alarms of a series` {
  @Test(arguments: AlarmRecord.all)
  func `alarms are raised at the instants of the corpus`(_ record: AlarmRecord) throws {
    let series = try #require(record.series)
    let context = ZoneContext.fixed(record.local)
    let before = record.window.start.adding(seconds: -1)
    let last = record.window.end.adding(seconds: -1)
    let found = try series.alarms(after: before, through: last, context: context)
    #expect(found.map(\.instant.basicText) == record.expected)
    // Walking from one to the next finds the same instants.
    var walked: [String] = []
    var instant = before
    while let next = try series.nextAlarm(after: instant, context: context), next <= last {
      walked.append(next.basicText)
      instant = next
    }
    #expect(walked == found.map(\.instant.basicText))
  }

  @Test func `the corpus is there`() {
    #expect(AlarmRecord.all.count == 101)
  }

  private let context = ZoneContext.fixed("Europe/Berlin")

  private func raised(
    _ series: EventSeries, defaults: DefaultAlarms = .none, after: String = "20000101T000000Z",
    through: String = "21000101T000000Z"
  ) throws -> [String] {
    try series.alarms(
      after: Timestamp(text: after), through: Timestamp(text: through), defaults: defaults,
      context: context
    ).map { "\($0.alarm.id) \($0.recurrenceID) \($0.instant.basicText)" }
  }

  @Test func `an event without alarms has the calendar's, an all-day one at a time of day`() throws
  {
    var calendar = CalendarInfo(
      id: CalendarID("personal"), name: "Personal", color: EventColor.palette[0])
    calendar.timedReminders = [CalendarDuration(seconds: 900), CalendarDuration(days: 1)]
    calendar.allDayReminders = [CalendarDuration(seconds: 9 * 3600)]
    let defaults = DefaultAlarms(calendar)
    #expect(
      try raised(EventSeries(Event("20261121T090000Z")), defaults: defaults)
        == ["default-2  20261120T090000Z", "default-1  20261121T084500Z"])
    #expect(
      try raised(EventSeries(Event("20261121")), defaults: defaults)
        == ["default-1  20261121T080000Z"])
  }

  @Test func `an event with an alarm of its own has no others, and ACTION NONE is one`() throws {
    let defaults = DefaultAlarms(
      timed: [try Alarm("default-1", "start -PT15M")], allDay: [])
    var event = try Event("20261121T090000Z")
    event.alarms = [try Alarm("1", "start -PT5M")]
    #expect(try raised(EventSeries(event), defaults: defaults) == ["1  20261121T085500Z"])
    event.alarms = [try Alarm("1", "start -PT5M none")]
    #expect(try raised(EventSeries(event), defaults: defaults) == [])
  }

  @Test func `a cancelled event does not ring, and a cancelled occurrence of a series neither`()
    throws
  {
    var event = try Event("20261121T090000Z", rule: "FREQ=DAILY;COUNT=2")
    event.alarms = [try Alarm("1", "start PT0S")]
    var cancelled = try Event("20261122T090000Z", instead: "20261122T090000Z")
    cancelled.alarms = event.alarms
    cancelled.status = .cancelled
    #expect(
      try raised(EventSeries(event, overrides: [cancelled]))
        == ["1 20261121T090000Z 20261121T090000Z"])
    event.status = .cancelled
    #expect(try raised(EventSeries(event)) == [])
  }

  @Test func `two alarms at one instant are told once`() throws {
    var event = try Event("20261121T090000Z", "PT1H")
    event.alarms = [try Alarm("1", "start PT1H"), try Alarm("2", "end PT0S")]
    #expect(try raised(EventSeries(event)) == ["1  20261121T100000Z"])
  }

  // Source: RFC 9074 section 6.1.
  @Test func `what was acknowledged elsewhere is not raised`() throws {
    var event = try Event("20261121T090000Z", rule: "FREQ=DAILY;COUNT=3")
    event.alarms = [try Alarm("1", "start PT0S")]
    event.alarms[0].acknowledged = try Timestamp(text: "20261122T090000Z")
    #expect(try raised(EventSeries(event)) == ["1 20261123T090000Z 20261123T090000Z"])
  }

  @Test func `the start of the question is left out and its end is in`() throws {
    var event = try Event("20261121T090000Z")
    event.alarms = [try Alarm("1", "start PT0S")]
    let series = EventSeries(event)
    #expect(try raised(series, after: "20261121T090000Z") == [])
    #expect(try raised(series, through: "20261121T090000Z") == ["1  20261121T090000Z"])
    #expect(try raised(series, through: "20261121T085959Z") == [])
  }

  @Test func `the next alarm of an endless rule is found far in the future`() throws {
    var event = try Event("20260101T090000 Europe/Berlin", rule: "FREQ=YEARLY")
    event.alarms = [try Alarm("1", "start -P1W")]
    let next = try EventSeries(event).nextAlarm(
      after: Timestamp(text: "20900601T000000Z"), context: context)
    #expect(next?.basicText == "20901225T080000Z")
  }

  @Test func `a file that asks for millions of repeats gets a hundred`() throws {
    var event = try Event("20261121T090000Z")
    event.alarms = [try Alarm("1", "start PT0S repeat 5000000 PT1M")]
    #expect(try raised(EventSeries(event)).count == 1 + Alarm.maximumRepeats)
  }
}
