import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

/// A to-do from texts, as ``Event/init(_:_:rule:except:instead:)``.
private func toDo(
  _ start: String, _ due: String = "", rule: String = "", except: [String] = [],
  instead: String? = nil, is state: ToDo = ToDo(), alarms: String...
) throws -> Event {
  var event = try Event(start, due, rule: rule, except: except, instead: instead)
  event.kind = .toDo(state)
  event.alarms = try alarms.enumerated().map { try Alarm(String($0 + 1), $1) }
  return event
}

private func dueOnly(_ due: String, rule: String = "", alarms: String...) throws -> Event {
  var event = try toDo(due, rule: rule)
  event.anchor = .due
  event.alarms = try alarms.enumerated().map { try Alarm(String($0 + 1), $1) }
  return event
}

private func timeless(is state: ToDo = ToDo(), alarms: String...) throws -> Event {
  var event = try toDo("19700101T000000", is: state)
  event.start = Event.noStart
  event.anchor = .none
  event.alarms = try alarms.enumerated().map { try Alarm(String($0 + 1), $1) }
  return event
}

private var context: ZoneContext { ZoneContext.fixed("Europe/Berlin") }

private func raised(_ series: EventSeries, defaults: DefaultAlarms = .none) throws -> [String] {
  try series.alarms(
    after: Timestamp(text: "20000101T000000Z"), through: Timestamp(text: "21000101T000000Z"),
    defaults: defaults, context: context
  ).map(\.instant.basicText)
}

@Suite struct `Alarms of to-dos` {
  // Source: RFC 5545 section 3.8.6.3; DUE stands for a start that is not given, as
  // KCalendarCore and Thunderbird have it.
  @Test func `with DUE alone both ends of it are DUE`() throws {
    let timed = try dueOnly("20240605T170000 Europe/Berlin", alarms: "start -PT1H", "end -PT2H")
    #expect(try raised(EventSeries(timed)) == ["20240605T130000Z", "20240605T140000Z"])
    let day = try dueOnly("20240605", alarms: "start PT9H", "end PT8H")
    #expect(try raised(EventSeries(day)) == ["20240605T060000Z", "20240605T070000Z"])
    let weekly = try dueOnly("20240605T170000Z", rule: "FREQ=WEEKLY;COUNT=2", alarms: "end PT0S")
    #expect(try raised(EventSeries(weekly)) == ["20240605T170000Z", "20240612T170000Z"])
  }

  @Test func `a day on which it is due counts from its begin, also after a start`() throws {
    let later = try toDo("20240601", "20240605", alarms: "end PT9H")
    #expect(try raised(EventSeries(later)) == ["20240605T070000Z"])
    let same = try toDo("20240605", "20240605", alarms: "end PT9H")
    #expect(try raised(EventSeries(same)) == ["20240605T070000Z"])
  }

  @Test func `without any time only an absolute alarm rings, at its moment`() throws {
    let series = EventSeries(
      try timeless(alarms: "start -PT1H", "end PT0S", "at 20240605T120000Z"))
    #expect(try raised(series) == ["20240605T120000Z"])
    let before = try Timestamp(text: "20240101T000000Z")
    #expect(
      try series.nextAlarm(after: before, context: context) == Timestamp(text: "20240605T120000Z"))
    let alarm = try #require(
      try series.alarms(after: before, through: .latest, context: context).first)
    let reminder = Reminder(alarm)
    #expect(reminder.span == TimeSpan(start: alarm.instant, end: alarm.instant))
    #expect(reminder.key.recurrenceID == "")
  }

  static let closed = [
    ToDo(status: .completed), ToDo(status: .cancelled), ToDo(completed: Timestamp(seconds: 0)),
    ToDo(status: .inProcess, percentComplete: 100),
  ]

  @Test(arguments: closed)
  func `one that is done or given up does not ring`(state: ToDo) throws {
    #expect(state.isClosed)
    #expect(
      try raised(EventSeries(toDo("20240605T090000Z", is: state, alarms: "start PT0S"))) == [])
    #expect(try raised(EventSeries(timeless(is: state, alarms: "at 20240605T120000Z"))) == [])
  }

  @Test func `one that has begun rings`() throws {
    let state = ToDo(status: .inProcess, percentComplete: 99)
    #expect(
      try raised(EventSeries(toDo("20240605T090000Z", is: state, alarms: "start PT0S")))
        == ["20240605T090000Z"])
  }

  @Test func `an occurrence that is done does not ring, the others do`() throws {
    let master = try toDo(
      "20240605T090000Z", rule: "FREQ=DAILY;COUNT=3", alarms: "start PT0S")
    var done = try toDo(
      "20240606T090000Z", instead: "20240606T090000Z", is: ToDo(status: .completed),
      alarms: "start PT0S")
    done.anchor = .recurrenceID
    #expect(
      try raised(EventSeries(master, overrides: [done]))
        == ["20240605T090000Z", "20240607T090000Z"])
  }

  @Test func `the defaults of a calendar are for events`() throws {
    let defaults = DefaultAlarms(
      timed: [try Alarm("d", "start -PT15M")], allDay: [try Alarm("d", "start PT9H")])
    #expect(try raised(EventSeries(toDo("20240605T090000Z")), defaults: defaults) == [])
    #expect(try raised(EventSeries(Event("20240605T090000Z")), defaults: defaults).count == 1)
  }

  @Test(arguments: [Event.Kind.journal, .freeBusy])
  func `journal entries and busy times do not ring`(kind: Event.Kind) throws {
    var event = try toDo("20240605T090000Z", alarms: "start PT0S")
    event.kind = kind
    #expect(try raised(EventSeries(event)) == [])
  }

  @Test func `a reminder of a to-do is about the moment at which it is due`() throws {
    let event = try toDo("20240605T090000Z", "20240605T170000Z", alarms: "start PT0S")
    let alarm = try #require(
      try EventSeries(event).alarms(after: .earliest, through: .latest, context: context).first)
    let due = try Timestamp(text: "20240605T170000Z")
    #expect(Reminder(alarm).span == TimeSpan(start: due, end: due))
    #expect(Reminder(alarm).due == (try Timestamp(text: "20240605T090000Z")))
  }
}

@Suite struct `To-dos in lists` {
  /// "due recurrence-id status".
  private func listed(
    _ series: EventSeries, at now: String = "20240606T120000Z"
  ) throws -> String {
    let item = try #require(try series.toDo(at: Timestamp(text: now), context: context))
    let id = item.occurrence?.recurrenceID?.text ?? "-"
    return "\(item.due?.basicText ?? "never") \(id)" + (item.toDo.isClosed ? " closed" : "")
  }

  @Test func `nothing but events has occurrences`() throws {
    for kind in [Event.Kind.toDo(ToDo()), .journal, .freeBusy] {
      var event = try Event("20240605T090000Z", "PT1H", rule: "FREQ=DAILY")
      #expect(try !EventSeries(event).drawn(limit: 1).isEmpty)
      event.kind = kind
      let series = EventSeries(event)
      #expect(try series.drawn(limit: 1).isEmpty)
      let id = RecurrenceID.instant(try Timestamp(text: "20240605T090000Z"))
      #expect(try series.occurrence(id, context: context) == nil)
      event.recurrence = RecurrencePattern()
      #expect(try EventSeries(event).occurrence(nil, context: context) == nil)
    }
  }

  @Test func `nothing but events is edited`() throws {
    var change = EventChange()
    change.summary = "Dinner"
    let once = EventSeries(try toDo("20240605T090000Z"))
    let often = EventSeries(try toDo("20240605T090000Z", rule: "FREQ=DAILY"))
    for series in [once, often] {
      #expect(throws: ModelError.self) {
        try series.editing(change, at: nil, scope: .all, context: .berlin)
      }
    }
  }

  @Test func `what is no to-do is in no list`() throws {
    let series = EventSeries(try Event("20240605T090000Z"))
    #expect(try series.toDo(at: .earliest, context: context) == nil)
  }

  @Test func `when it is due is DUE, or a duration after its start, or never`() throws {
    #expect(try listed(EventSeries(dueOnly("20240601T170000Z"))) == "20240601T170000Z -")
    #expect(
      try listed(EventSeries(toDo("20240601T090000Z", "20240601T170000Z")))
        == "20240601T170000Z -")
    #expect(try listed(EventSeries(toDo("20240601T090000Z", "P1D"))) == "20240602T090000Z -")
    #expect(try listed(EventSeries(toDo("20240601T090000Z"))) == "never -")
    #expect(try listed(EventSeries(timeless())) == "never -")
    #expect(try listed(EventSeries(dueOnly("20240605"))) == "20240604T220000Z -")
  }

  @Test func `one that recurs is listed with its next open occurrence`() throws {
    let master = try toDo("20240601T090000Z", "20240601T170000Z", rule: "FREQ=DAILY;COUNT=10")
    #expect(try listed(EventSeries(master)) == "20240606T170000Z 20240606T090000Z")
    let done = try toDo(
      "20240606T090000Z", "20240606T170000Z", instead: "20240606T090000Z",
      is: ToDo(status: .completed))
    #expect(
      try listed(EventSeries(master, overrides: [done])) == "20240607T170000Z 20240607T090000Z")
    // After all of them the last.
    #expect(
      try listed(EventSeries(master), at: "20250101T000000Z")
        == "20240610T170000Z 20240610T090000Z")
  }

  @Test func `one of days that recurs is due today until the day is over`() throws {
    let series = EventSeries(try dueOnly("20240601", rule: "FREQ=DAILY"))
    #expect(try listed(series, at: "20240606T215959Z") == "20240605T220000Z 20240606")
    #expect(try listed(series, at: "20240606T220000Z") == "20240606T220000Z 20240607")
  }

  @Test func `one whose last occurrence is done is closed`() throws {
    let master = try toDo("20240601T090000Z", rule: "FREQ=DAILY;COUNT=2")
    let done = try toDo(
      "20240602T090000Z", instead: "20240602T090000Z", is: ToDo(status: .completed))
    #expect(
      try listed(EventSeries(master, overrides: [done])) == "never 20240602T090000Z closed")
    #expect(try listed(EventSeries(nil, overrides: [done])).hasSuffix("closed"))
  }

  @Test func `every occurrence excluded leaves the to-do without a time`() throws {
    let series = EventSeries(
      try toDo(
        "20240601T090000Z", rule: "FREQ=DAILY;COUNT=1", except: ["20240601T090000Z"]))
    #expect(try listed(series) == "never -")
  }

  @Test func `a zone that is not installed is an error`() throws {
    let series = EventSeries(try dueOnly("20240605T170000 Nowhere/Land"))
    #expect(throws: CivilTimeError.self) { try series.toDo(at: .earliest, context: context) }
  }

  @Test func `the order is open, due, priority, summary`() throws {
    func item(_ summary: String, _ due: String?, _ state: ToDo) throws -> ToDoItem {
      var event = try due.map { try dueOnly($0) } ?? timeless()
      event.kind = .toDo(state)
      event.summary = summary
      return try #require(try EventSeries(event).toDo(at: .earliest, context: context))
    }
    let sorted = [
      try item("a", "20240605T090000Z", ToDo(priority: 1)),
      try item("b", "20240605T090000Z", ToDo(priority: 9)),
      try item("a", "20240605T090000Z", ToDo()),
      try item("b", "20240605T090000Z", ToDo()),
      try item("a", "20240606T090000Z", ToDo(priority: 1)),
      try item("a", nil, ToDo(priority: 1)),
      try item("a", "20240101T090000Z", ToDo(status: .completed)),
      try item("a", nil, ToDo(status: .cancelled)),
    ]
    for seed in 1...5 {
      var generator = SeededGenerator(seed: UInt64(seed))
      #expect(
        sorted.shuffled(using: &generator).sorted(by: ToDoItem.precedes) == sorted, "seed \(seed)")
    }
  }
}
