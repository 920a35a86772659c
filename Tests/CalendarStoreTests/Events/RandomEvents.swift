import CalendarModel
import CivilTime
import Recurrence
import TestSupport

/// Series with everything that an event can have, and texts of the kind that
/// breaks formats.
struct RandomEvents {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func series(_ uid: String, calendar: CalendarID) throws -> EventSeries {
    let kind = kind()
    var master = try event(uid, kind)
    guard chance(2) else { return EventSeries(calendar: calendar, master: master) }
    master.recurrence = try pattern()
    var overrides: [Event] = []
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      var override = try event(uid, kind)
      override.recurrenceID = time()
      override.appliesToFuture = chance(4)
      overrides.append(override)
    }
    let isOrphan = !overrides.isEmpty && chance(5)
    return EventSeries(calendar: calendar, master: isOrphan ? nil : master, overrides: overrides)
  }

  private mutating func event(_ uid: String, _ kind: Event.Kind) throws -> Event {
    var event = Event(uid: EventUID(uid), start: time(), end: end(), summary: text())
    event.kind = kind
    if kind != .event {
      event.anchor = Event.Anchor.allCases.randomElement(using: &generator) ?? .start
    }
    event.location = text()
    event.description = text()
    event.url = text()
    event.status = Event.Status.allCases.randomElement(using: &generator) ?? .confirmed
    event.isBusy = chance(2)
    event.classification =
      Event.Classification.allCases.randomElement(using: &generator) ?? .open
    event.color = chance(2) ? EventColor.palette.randomElement(using: &generator) : nil
    event.categories = list { $0.text() }
    event.organizer = chance(2) ? Attendee(address: text(), name: text()) : nil
    event.attendees = list {
      Attendee(address: $0.text(), name: $0.text(), participation: $0.text())
    }
    event.alarms = list { $0.alarm() }
    event.sequence = Int.random(in: 0...9, using: &generator)
    event.conference = chance(3) ? "https://example.org/\(text())" : ""
    event.created = chance(2) ? instant() : nil
    event.lastModified = chance(2) ? instant() : nil
    event.component = "BEGIN:VEVENT\r\nX-TEXT:\(text())\r\nEND:VEVENT\r\n"
    return event
  }

  /// Mostly an event.
  private mutating func kind() -> Event.Kind {
    switch Int.random(in: 0...9, using: &generator) {
    case 0: .journal
    case 1: .freeBusy
    case 2...4:
      .toDo(
        ToDo(
          status: ToDo.Status.allCases.randomElement(using: &generator) ?? .needsAction,
          completed: chance(2) ? instant() : nil,
          percentComplete: Int.random(in: 0...100, using: &generator),
          priority: Int.random(in: 0...9, using: &generator)))
    default: .event
    }
  }

  private mutating func pattern() throws -> RecurrencePattern {
    // They end, since the lengths are of decades and expanding is not what is tested.
    let rules = [
      "FREQ=DAILY;COUNT=5", "FREQ=WEEKLY;COUNT=10;WKST=SU",
      "FREQ=MONTHLY;COUNT=7;INTERVAL=2;BYMONTHDAY=-1", "FREQ=YEARLY;COUNT=4;BYMONTH=3;BYDAY=-1SU",
    ]
    var pattern = RecurrencePattern()
    for rule in rules where chance(2) { pattern.rules.append(try RecurrenceRule(text: rule)) }
    if chance(4) { pattern.exclusionRules = [try RecurrenceRule(text: "FREQ=WEEKLY;BYDAY=FR")] }
    pattern.added = list { AddedDate(start: $0.time(), end: $0.end()) }
    pattern.excluded = list { $0.time() }
    return pattern
  }

  private mutating func alarm() -> Alarm {
    let trigger: Alarm.Trigger =
      switch Int.random(in: 0...2, using: &generator) {
      case 0: .fromStart(duration())
      case 1: .fromEnd(duration().negated)
      default: .absolute(instant())
      }
    let actions: [Alarm.Action] = [.display, .audio, .email, .none]
    return Alarm(
      id: text(), action: actions.randomElement(using: &generator) ?? .display, trigger: trigger,
      repeatCount: Int.random(in: 0...3, using: &generator), repeatInterval: duration(),
      text: text(), acknowledged: chance(3) ? instant() : nil,
      snoozeOf: chance(4) ? text() : nil)
  }

  mutating func time() -> EventTime {
    let reading = ZoneRules.utc.reading(at: instant())
    return switch Int.random(in: 0...3, using: &generator) {
    case 0: .date(reading.date)
    case 1: .floating(reading)
    case 2:
      .zoned(
        reading,
        zone: ["Europe/Berlin", "America/Indiana/Indianapolis", "UTC"].randomElement(
          using: &generator) ?? "UTC")
    default: .utc(Timestamp(reading, offset: .utc))
    }
  }

  private mutating func end() -> EventEnd {
    switch Int.random(in: 0...2, using: &generator) {
    case 0: .time(time())
    case 1: .duration(duration())
    default: .none
    }
  }

  private mutating func duration() -> CalendarDuration {
    CalendarDuration(
      days: Int.random(in: 0...9, using: &generator),
      seconds: Int64.random(in: 0...200_000, using: &generator))
  }

  private mutating func instant() -> Timestamp {
    Timestamp(seconds: Int64.random(in: -2_000_000_000...6_000_000_000, using: &generator))
  }

  private mutating func text() -> String {
    let pieces = [
      "", "a", "4:abcd", "7:", "naïve café", "日本語", "👩‍👩‍👧", "\n", "\u{1f}", "it's \"so\"; --", "\0",
      " ", "NULL",
    ]
    return (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      pieces.randomElement(using: &generator) ?? ""
    }.joined()
  }

  private mutating func list<T>(_ make: (inout RandomEvents) -> T) -> [T] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in make(&self) }
  }

  private mutating func chance(_ oneIn: Int) -> Bool {
    Int.random(in: 1...oneIn, using: &generator) == 1
  }
}
