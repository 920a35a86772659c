import CalendarModel
import CivilTime
import TestSupport

@testable import AgentSupport

/// A year of a person's events, once as the store takes them and once as a plain list of what is to
/// ring: the days are walked one by one and every pattern is asked whether it has this one, so that
/// nothing of the engines under test is in the list but the offsets of the zones.
struct PersonalYear {
  var events: [PlainEvent]

  /// Where the person flies.
  static let places = [
    "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "America/St_Johns",
    "Asia/Tokyo", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
  ]

  var series: [EventSeries] {
    get throws { try events.map { try $0.series } }
  }

  /// Makes up events whose days all lie within a year from `first` on.
  init(from first: CivilDate, using random: inout SeededGenerator) {
    var events: [PlainEvent] = []
    func add(
      _ uid: String, _ clock: PlainEvent.Clock, _ pattern: PlainEvent.Pattern,
      minute: Int, lasting length: Int, _ alarms: [PlainEvent.Trigger]
    ) {
      let start = Int.random(in: 3...80, using: &random)
      var event = PlainEvent(
        uid: uid, calendar: Bool.random(using: &random) ? "personal" : "work", clock: clock,
        pattern: pattern, first: first.later(start), last: first.later(364), minute: minute,
        length: length, triggers: alarms)
      let days = event.patternDays
      for day in days.dropFirst() where Int.random(in: 0..<25, using: &random) == 0 {
        if Bool.random(using: &random) {
          event.excluded.insert(day)
        } else {
          event.moved[day] = clock == .allDay ? 1 : Int.random(in: -100...130, using: &random)
        }
      }
      // A series has its master's start as its first instance.
      event.first = days.first ?? event.first
      events.append(event)
    }
    func any<Element>(_ choices: [Element]) -> Element {
      choices[Int.random(in: 0..<choices.count, using: &random)]
    }
    // Alarms of one event differ by seconds: wherever it is moved, none falls on the instant of another, since
    // what one event has twice is told once.
    let abroad = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"]
    add(
      "standup", .zoned(any(abroad)), .weekly([1, 3, 5], every: 1), minute: 9 * 60 + 15,
      lasting: 15,
      [.start(seconds: -600)])
    add("pills", .floating, .daily(every: any([1, 2, 3])), minute: 8 * 60, lasting: 0, [.start()])
    add(
      "night", .zoned(any(abroad)), .daily(every: 3), minute: 2 * 60 + 30, lasting: 60,
      [.start(days: -1), .end(seconds: -301)])
    add(
      "sport", .floating, .weekly([2, 4], every: any([1, 2])), minute: 18 * 60 + 30, lasting: 90,
      [.start(seconds: -3600), .start(seconds: -901, repeats: any([0, 2]))])
    add(
      "office", .zoned("America/New_York"), .weekly([4], every: 2), minute: 10 * 60, lasting: 45,
      [.start(seconds: -900), .end(seconds: 121)])
    add(
      "bins", .allDay, .weekly([any([1, 5])], every: 1), minute: 0, lasting: 1,
      [.start(seconds: -18_000)])
    add(
      "rent", .allDay, .monthly(day: any([1, 15, 31])), minute: 0, lasting: 1,
      [.start(seconds: 9 * 3600), .start(days: -1, seconds: -15 * 3600 + 1)])
    add("backup", .utc, .daily(every: 7), minute: 23 * 60 + 50, lasting: 20, [.start(repeats: 1)])
    for number in 0..<15 {
      add(
        "birthday-\(number)", .allDay, .once, minute: 0, lasting: any([1, 1, 3]),
        [.start(seconds: 9 * 3600), .start(days: -6, seconds: -15 * 3600 + 1), .end(seconds: 2)])
    }
    for number in 0..<25 {
      let clock: PlainEvent.Clock = any([.floating, .utc, .zoned(any(abroad))])
      add(
        "visit-\(number)", clock, .once, minute: Int.random(in: 0..<1440, using: &random),
        lasting: Int.random(in: 0...240, using: &random),
        [
          .start(seconds: Int64.random(in: -200...10, using: &random) * 60 + 13),
          .start(days: Int.random(in: -3...1, using: &random)),
          .end(seconds: 61, repeats: any([0, 0, 3])),
        ])
    }
    for number in 0..<8 {
      let clock: PlainEvent.Clock = any([.floating, .utc, .zoned(any(abroad))])
      add(
        "task-\(number)", clock, .once, minute: Int.random(in: 0..<1440, using: &random),
        lasting: Int.random(in: 0...240, using: &random),
        [.end(), .end(seconds: Int64.random(in: -200...(-1), using: &random) * 60 + 11)])
      events[events.count - 1].isToDo = true
    }
    for number in 0..<8 {
      let minute = Int.random(in: 0..<1440, using: &random)
      add(
        "call-\(number)", any([.floating, .zoned(any(abroad))]), .once, minute: minute, lasting: 30,
        [])
      // Of some nobody says anything, and their calendar's reminders are told.
      guard Bool.random(using: &random), let event = events.last else { continue }
      let noon = Timestamp(CivilDateTime(event.first, .midnight), offset: .utc)
      let instants = [-3, 1].map { day in
        noon.adding(
          seconds: Int64(day * 86_400 + Int.random(in: 0..<1440, using: &random) * 60 + 17))
      }
      events[events.count - 1].triggers = instants.enumerated().map { .at($1, id: $0) }
    }
    add("holiday", .allDay, .monthly(day: any([3, 28])), minute: 0, lasting: 2, [])
    add("choir", .floating, .weekly([3], every: 1), minute: 20 * 60, lasting: 120, [])
    // One day has them all at once.
    let start = first.later(Int.random(in: 30...300, using: &random))
    for index in events.indices where events[index].pattern == .once {
      if Int.random(in: 0..<4, using: &random) == 0 { events[index].first = start }
    }
    self.events = events
  }
}

/// One time that something is to ring.
struct PlainAlarm: Hashable {
  /// The same whatever zone the list is of: uid, day of the pattern, when it begins on it, alarm,
  /// repetition.
  let name: String
  let uid: String
  let alarm: String
  let trigger: Timestamp
  let start: Timestamp
  let end: Timestamp
  /// The same as long as the alarm and the occurrence are, wherever those are moved to.
  let role: String
  /// The last instant at which it is worth telling, however late it falls due.
  let worthThrough: Timestamp
  /// Whether its instant goes with the person's zone.
  let travels: Bool

  /// The last instant at which it is worth telling.
  ///
  /// - Parameter due: when it fell due, maybe by another zone.
  func deadline(due: Timestamp) -> Timestamp { max(worthThrough, due.adding(seconds: 86_400)) }
}
