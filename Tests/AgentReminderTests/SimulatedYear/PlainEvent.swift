import CalendarModel
import CivilTime
import Recurrence
import TestSupport

@testable import AgentSupport

/// An event in the simplest of terms.
struct PlainEvent {
  enum Clock: Hashable {
    case allDay, floating, utc
    case zoned(String)
  }

  enum Pattern: Hashable {
    case once
    case daily(every: Int)
    /// ISO numbers of weekdays, in every so many weeks from the first day's on.
    case weekly([Int], every: Int)
    case monthly(day: Int)
  }

  struct Trigger {
    /// Its own in its event, for ever.
    var id = 0
    var isFromEnd = false
    var days = 0
    var seconds: Int64 = 0
    var repeats = 0
    /// Whatever the event does.
    var instant: Timestamp?

    static func at(_ instant: Timestamp, id: Int) -> Trigger { Trigger(id: id, instant: instant) }
    static func start(days: Int = 0, seconds: Int64 = 0, repeats: Int = 0) -> Trigger {
      Trigger(days: days, seconds: seconds, repeats: repeats)
    }
    static func end(days: Int = 0, seconds: Int64 = 0, repeats: Int = 0) -> Trigger {
      Trigger(isFromEnd: true, days: days, seconds: seconds, repeats: repeats)
    }
  }

  let uid: String
  let calendar: String
  let clock: Clock
  let pattern: Pattern
  var first: CivilDate
  let last: CivilDate
  /// Minutes after midnight.
  var minute: Int
  /// Minutes; of an all-day event days.
  let length: Int
  var triggers: [Trigger] {
    didSet { nextID = max(nextID, (triggers.map(\.id).max() ?? 0) + 1) }
  }
  /// The id of the next alarm that comes.
  private var nextID = 0
  var excluded: Set<CivilDate> = []
  /// By how many minutes (days of an all-day event) single occurrences are later.
  var moved: [CivilDate: Int] = [:]
  var isToDo = false
  /// Whether it is cancelled, or done if it is a to-do.
  var isOff = false

  /// What both calendars tell of events without reminders: so many seconds before the start, and after midnight on
  /// the clock of a whole day. No event has these of its own, since what falls on one instant is told once.
  static let defaultSeconds: (timed: Int64, allDay: Int64) = (-847, 9 * 3600 + 7)

  /// No repetition falls on another's instant, by another offset or when the event is moved: those
  /// differ by minutes.
  static let repeatSeconds: Int64 = 7 * 60 + 1

  init(
    uid: String, calendar: String, clock: Clock, pattern: Pattern, first: CivilDate,
    last: CivilDate, minute: Int, length: Int, triggers: [Trigger]
  ) {
    self.uid = uid
    self.calendar = calendar
    self.clock = clock
    self.pattern = pattern
    self.first = first
    self.last = last
    self.minute = minute
    self.length = length
    self.triggers = triggers.enumerated().map { id, trigger in
      var trigger = trigger
      trigger.id = id
      return trigger
    }
    nextID = triggers.count
  }

  // MARK: Edits

  /// Changes it as people do, and returns what was changed; nil where it has nothing of the kind.
  ///
  /// - Parameter today: what is edited of a series is near it.
  mutating func edit(near today: CivilDate, using random: inout SeededGenerator) -> String? {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let sign = Bool.random(using: &random) ? 1 : -1
    switch isOff && Bool.random(using: &random) ? 10 : number(0...11) {
    case 10...11:
      isOff.toggle()
      return isOff ? "cancelled or done" : "called or open again"
    case 0...2: return move(byMinutes: sign * number(1...9)) ? "moved a little" : nil
    case 3: return move(byMinutes: sign * number(10...400)) ? "moved" : nil
    case 4:
      let other = first.later(sign * number(1...10))
      guard pattern == .once, other <= last else { return nil }
      first = other
      return "moved by days"
    case 5...6:
      guard let day = occurrence(near: today, using: &random) else { return nil }
      let isLittle = Bool.random(using: &random)
      moved[day] =
        clock == .allDay
        ? number(0...2)
        : max(-100, min(130, (moved[day] ?? 0) + sign * number(1...(isLittle ? 9 : 130))))
      return "an occurrence moved"
    case 7:
      guard let day = occurrence(near: today, using: &random) else { return nil }
      excluded.insert(day)
      moved[day] = nil
      return "an occurrence taken out"
    case 8:
      guard nextID < 40 else { return nil }
      // A second of its own: what one occurrence has twice is told once.
      var trigger = Trigger.start(seconds: Int64(number(-200...10)) * 60 + 14 + Int64(nextID))
      trigger.id = nextID
      triggers.append(trigger)
      return "another alarm"
    default:
      guard !triggers.isEmpty else { return nil }
      triggers.remove(at: number(0...(triggers.count - 1)))
      return "an alarm less"
    }
  }

  private mutating func move(byMinutes minutes: Int) -> Bool {
    guard clock != .allDay, 0..<1440 ~= minute + minutes else { return false }
    minute += minutes
    return true
  }

  /// Returns a day of the pattern near another one, and not the first.
  private func occurrence(near today: CivilDate, using random: inout SeededGenerator) -> CivilDate?
  {
    patternDays.dropFirst().filter { !excluded.contains($0) && abs($0.days(since: today)) <= 4 }
      .randomElement(using: &random)
  }

  // MARK: The list

  /// The days that the pattern has, as one would look for them in a paper calendar.
  var patternDays: [CivilDate] {
    var days: [CivilDate] = []
    var day = first
    while day <= last {
      let isOne =
        switch pattern {
        case .once: day == first
        case .daily(let every): day.days(since: first) % every == 0
        case .weekly(let weekdays, let every):
          weekdays.contains(day.weekday.rawValue)
            && day.monday.days(since: first.monday) / 7 % every == 0
        case .monthly(let wanted): day.day == wanted
        }
      if isOne { days.append(day) }
      day = day.later(1)
    }
    return days
  }

  func alarms(in home: String, by zones: ZoneData) -> [PlainAlarm] {
    let zone =
      switch clock {
      case .allDay, .floating: zones[home]
      case .utc: ZoneRules.utc
      case .zoned(let name): zones[name]
      }
    if isOff { return [] }
    var alarms: [PlainAlarm] = []
    for day in patternDays where !excluded.contains(day) {
      let (start, end) = span(of: day, in: zone)
      let (name, role) = (
        "\(uid) \(day) at \(minute)+\(moved[day] ?? 0) alarm ", pattern == .once ? "" : "\(day) "
      )
      func add(_ alarm: String, _ rings: Timestamp, _ repetition: Int = 0, isFixed: Bool = false) {
        alarms.append(
          PlainAlarm(
            name: (isFixed ? "\(uid) alarm " : name) + "\(alarm) time \(repetition)", uid: uid,
            alarm: alarm, trigger: rings, start: start, end: end,
            role: "\(role)\(alarm) \(repetition)",
            worthThrough: end.adding(seconds: clock == .allDay ? 3 * 86_400 : 0),
            travels: !isFixed && (clock == .allDay || clock == .floating)))
      }
      if triggers.isEmpty, !isToDo {
        let seconds = PlainEvent.defaultSeconds
        add(
          "default-1",
          clock == .allDay
            ? slowInstant(
              day.later(moved[day] ?? 0), TimeOfDay(secondOfDay: Int(seconds.allDay)) ?? .midnight,
              zone)
            : start.adding(seconds: seconds.timed))
      }
      for trigger in triggers {
        if let instant = trigger.instant {
          add("\(trigger.id)", instant, isFixed: true)
          continue
        }
        var instant = trigger.isFromEnd ? end : start
        if trigger.days != 0 {
          let reading = zone.reading(at: instant)
          instant = slowInstant(reading.date.later(trigger.days), reading.time, zone)
        }
        instant = instant.adding(seconds: trigger.seconds)
        for repetition in 0...trigger.repeats {
          add(
            "\(trigger.id)",
            instant.adding(seconds: Int64(repetition) * PlainEvent.repeatSeconds), repetition)
        }
      }
    }
    return alarms
  }

  /// Where the occurrence of a day of the pattern lies.
  private func span(of day: CivilDate, in zone: ZoneRules) -> (start: Timestamp, end: Timestamp) {
    let shift = moved[day] ?? 0
    if clock == .allDay {
      let first = day.later(shift)
      return (
        slowInstant(first, .midnight, zone), slowInstant(first.later(length), .midnight, zone)
      )
    }
    let reading = reading(of: day, later: shift)
    let start = slowInstant(reading.date, reading.time, zone)
    return (start, start.adding(seconds: Int64(length) * 60))
  }

  private func reading(of day: CivilDate, later minutes: Int) -> CivilDateTime {
    var (day, minute) = (day, minute + minutes)
    while minute < 0 { (day, minute) = (day.later(-1), minute + 1440) }
    while minute >= 1440 { (day, minute) = (day.later(1), minute - 1440) }
    return CivilDateTime(day, TimeOfDay(hour: minute / 60, minute: minute % 60) ?? .midnight)
  }

  // MARK: As the store takes it

  var series: EventSeries {
    get throws {
      var master = Event(uid: EventUID(uid), start: time(of: first, later: 0), summary: uid)
      master.end =
        clock == .allDay
        ? .time(.date(first.later(length)))
        : .duration(CalendarDuration(seconds: Int64(length) * 60))
      if isToDo { master.kind = .toDo(ToDo(status: isOff ? .completed : .needsAction)) }
      if isOff { master.status = .cancelled }
      master.alarms = triggers.map { trigger in
        if let instant = trigger.instant {
          return Alarm(id: "\(trigger.id)", trigger: .absolute(instant))
        }
        let distance = CalendarDuration(days: trigger.days, seconds: trigger.seconds)
        return Alarm(
          id: "\(trigger.id)",
          trigger: trigger.isFromEnd ? .fromEnd(distance) : .fromStart(distance),
          repeatCount: trigger.repeats,
          repeatInterval: CalendarDuration(seconds: PlainEvent.repeatSeconds))
      }
      let overrides = moved.sorted { $0.key < $1.key }.map { day, shift in
        var event = master
        event.recurrenceID = time(of: day, later: 0)
        event.start = time(of: day, later: shift)
        if clock == .allDay { event.end = .time(.date(day.later(shift + length))) }
        return event
      }
      master.recurrence.excluded = excluded.sorted().map { time(of: $0, later: 0) }
      if let rule = ruleText { master.recurrence.rules = [try RecurrenceRule(text: rule)] }
      return EventSeries(
        calendar: CalendarID(calendar), master: master, overrides: overrides)
    }
  }

  private var ruleText: String? {
    // An end that lies behind the last instance in whatever zone.
    let end = clock == .allDay ? "UNTIL=\(last.basicText)" : "COUNT=\(patternDays.count)"
    switch pattern {
    case .once: return nil
    case .daily(let every): return "FREQ=DAILY;INTERVAL=\(every);\(end)"
    case .weekly(let weekdays, let every):
      let codes = weekdays.compactMap { Weekday(rawValue: $0)?.code }.joined(separator: ",")
      return "FREQ=WEEKLY;INTERVAL=\(every);BYDAY=\(codes);\(end)"
    case .monthly(let day): return "FREQ=MONTHLY;BYMONTHDAY=\(day);\(end)"
    }
  }

  private func time(of day: CivilDate, later minutes: Int) -> EventTime {
    if clock == .allDay { return .date(day.later(minutes)) }
    let reading = reading(of: day, later: minutes)
    return switch clock {
    case .allDay, .floating: .floating(reading)
    case .utc: .utc(slowInstant(reading.date, reading.time, .utc))
    case .zoned(let name): .zoned(reading, zone: name)
    }
  }
}

/// Returns the instant of a reading, found by trying the offsets of the day before and of the day
/// after: the first that the clock truly shows, and in a gap the offset before it.
private func slowInstant(_ date: CivilDate, _ time: TimeOfDay, _ zone: ZoneRules) -> Timestamp {
  let wanted = CivilDateTime(date, time)
  let plain = Timestamp(wanted, offset: .utc)
  let before = Int64(zone.offset(at: plain.adding(seconds: -93_600)).seconds)
  let after = Int64(zone.offset(at: plain.adding(seconds: 93_600)).seconds)
  let candidates = [plain.adding(seconds: -before), plain.adding(seconds: -after)].sorted()
  return candidates.first { zone.reading(at: $0) == wanted } ?? plain.adding(seconds: -before)
}

extension CivilDate {
  /// Days later; the years of the tests are far from the calendar's ends.
  func later(_ days: Int) -> CivilDate { adding(days: days) ?? self }

  fileprivate var monday: CivilDate { later(1 - weekday.rawValue) }
}
