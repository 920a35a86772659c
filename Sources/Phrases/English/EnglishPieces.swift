import CivilTime
import Recurrence

extension RuleTable {
  /// What days, times and lengths are in an event.
  mutating func addEnglishPieces() {
    addEnglishLengths()
    addParts()
    addWhens()
    addSpans()
    addEnglishReminders()
  }

  private mutating func addEnglishLengths() {
    add(.amount, [.one(.number), .one(.and), .one(.a), .one(.half)]) {
      $0.integer(0) <= 1000 ? .integer($0.integer(0) * 100 + 50) : nil
    }
    add(.amount, .a) { _ in .integer(100) }
    add(.amount, [.maybe(.a), .one(.half), .maybe(.a)]) { _ in .integer(50) }
    add(.amount, [.maybe(.a), .one(.quarter), .maybe(.of), .maybe(.a)]) {
      .integer($0.optionalInteger(1) ?? 25)
    }
    add(.length, [.one(.amount), .one(.dash), .one(.unit)]) {
      $0.length(2).times(hundredths: $0.integer(0)).map { .length($0) }
    }
    add(.length, [.one(.amount), .glued(.unitLetter)]) {
      $0.length(1).times(hundredths: $0.integer(0)).map { .length($0) }
    }
    // "1 h", but no "3 d".
    add(.length, [.one(.amount), .one(.unitLetter)]) {
      $0.length(1) == .hour
        ? $0.length(1).times(hundredths: $0.integer(0)).map { .length($0) } : nil
    }
    add(.length, [.one(.number), .glued(.hourLetter), .glued(.twoDigits)]) {
      guard $0.integer(0) <= 99, $0.integer(2) < 60 else { return nil }
      return .length(Length(seconds: $0.integer(0) * 3600 + $0.integer(2) * 60))
    }
    add(.length, .a, .unit, .and, .a, .half) {
      $0.length(1).times(hundredths: 150).map { .length($0) }
    }
    add(.length, [.one(.length), .maybe(.and), .one(.length)]) {
      let (long, short) = ($0.length(0), $0.length(2))
      guard long.rank > short.rank else { return nil }
      return .length(long + short)
    }
  }

  private mutating func addParts() {
    add(.partWhen, .in, .the, .part) { $0.part(2).map { .when(When(part: $0)) } }
    add(.partWhen, .in, .the, .am) { _ in .when(When(part: .morning)) }
    add(.partWhen, .in, .the, .pm) { _ in .when(When(part: .afternoon)) }
    add(.partWhen, .this, .part) {
      $0.part(1).map { .when(When(day: .relative(Length()), part: $0)) }
    }
    add(.partWhen, [.one(.early), .maybe(.in), .maybe(.the), .one(.part)]) {
      $0.part(3) == .morning ? .when(When(part: .earlyMorning)) : nil
    }
    add(.partWhen, [.one(.late), .maybe(.in), .maybe(.the), .one(.part)]) {
      $0.part(3) == .afternoon ? .when(When(part: .lateAfternoon)) : nil
    }
    // "monday am"
    for (half, part) in [(Symbol.am, PartOfDay.morning), (.pm, .afternoon)] {
      add(.partWhen, .day, half) {
        switch $0.day(0) {
        case .weekday?, .thisWeekday?, .nextWeekday?, .relative?:
          return .when(When(day: $0.day(0), part: part))
        // "april 7 pm" is no afternoon of a day.
        default: return nil
        }
      }
    }
    add(.partWhen, .part, .of, .day) { match in
      match.part(0).map { .when(When(day: match.day(2), part: $0)) }
    }
    add(.partWhen, .day, .part) { match in
      match.part(1).map { .when(When(day: match.day(0), part: $0)) }
    }
    add(.partWhen, .day, .partWhen) { match in
      guard let when = match.when(1), when.day == nil else { return nil }
      return When(day: match.day(0)).merged(when).map { .when($0) }
    }
  }

  private mutating func addWhens() {
    add(.when, .on, .day) { $0.when(1).map { .when($0) } }
    add(.when, .at, .clock) { $0.when(1).map { .when($0) } }
    add(.when, .on, .clock) { $0.when(1).map { .when($0) } }
    add(.when, .from, .clock) { $0.when(1).map { .when($0) } }
    add(.when, .starting, .clock) { $0.when(1).map { .when($0) } }
    add(.when, .at, .hour) { $0.when(1).map { .when($0) } }
    add(.when, .at, .hours) { $0.when(1).map { .when($0) } }
    // A bare hour counts only next to a day or a part of the day.
    for frame in [Symbol.day, .partWhen] {
      for hour in [Symbol.hour, .hours] {
        add(.when, [.maybe(.on), .one(frame), .maybe(.comma), .one(hour)]) {
          guard var when = $0.when(1)?.merged($0.when(3) ?? When()) else { return nil }
          when.isLoose = hour == .hour && frame == .day
          return .when(when)
        }
        add(.when, [.one(hour), .maybe(.comma), .maybe(.on), .one(frame)]) { match in
          guard var when = match.when(3).flatMap({ match.when(0)?.merged($0) }) else { return nil }
          when.beginsBare = hour == .hour
          return .when(when)
        }
      }
    }
    // A day with its time, for the ends of a range.
    add(.when, [.one(.day), .maybe(.comma), .maybe(.at), .one(.clock)]) { match in
      match.when(3).flatMap { match.when(0)?.merged($0) }.map { .when($0) }
    }
    add(.when, [.one(.clock), .maybe(.comma), .maybe(.on), .one(.day)]) { match in
      match.when(3).flatMap { match.when(0)?.merged($0) }.map { .when($0) }
    }
    add(.when, [.one(.day), .glued(.letterT), .glued(.clock)]) { match in
      guard let clock = match.clock(2) else { return nil }
      return .when(When(day: match.day(0), clock: clock.exact))
    }
    add(.when, [.maybe(.from), .one(.when), .one(.to), .one(.when)]) {
      guard let first = $0.when(1), let last = $0.when(3), first.endDay == nil,
        first.endClock == nil, last.endClock == nil, last.endDay == nil, let clock = first.clock,
        let end = last.clock, let day = last.day, let start = first.day, !first.isLoose,
        !last.isLoose
      else { return nil }
      return .when(
        When(day: start, endDay: day, part: first.part, clock: clock, endClock: end))
    }
    // "from 2pm till tomorrow 4:30pm"; in "2pm - 4:30pm tomorrow" the day is that of both.
    add(.when, [.maybe(.from), .one(.clock), .one(.to), .one(.day), .maybe(.at), .one(.clock)]) {
      guard let day = $0.day(3) else { return nil }
      return .when(
        When(
          day: .relative(Length()), endDay: day, clock: $0.clock(1), endClock: $0.clock(5)))
    }
  }

  private mutating func addSpans() {
    // "6 month checkup", "100 day party" and "30 Seconds to Mars" do not last so long.
    add(.duration, .length) {
      let length = $0.length(0)
      return length.months == 0 && length.days <= 62 && length.seconds % 60 == 0
        ? .length(length) : nil
    }
    add(.bound, [.one(.for), .maybe(.the), .one(.next), .one(.length)]) {
      $0.length(3).isWhole ? .bound(.length($0.length(3))) : nil
    }
    add(.elapsed, .in, .length) { .length($0.length(1)) }
    add(.elapsed, [.one(.plus), .glued(.length)]) { .length($0.length(1)) }
    add(.elapsed, .length, .ago) { $0.length(0).negated.map { .length($0) } }
    // A stay of 3 nights is on 3 days, or on 4.
    for more in [0, 1] {
      add(.duration, [.maybe(.for), .one(.number), .one(.repeats)]) {
        guard let nights = $0.repeats(2), nights.part == .night, nights.isBare,
          nights.frequency == .daily, (1...99).contains($0.integer(1))
        else { return nil }
        return .length(Length(days: $0.integer(1) + more))
      }
    }
    add(.elapsed, .length, .fromNow) { $0.integer(1) == 0 ? .length($0.length(0)) : nil }
    // "in two days' time"
    add(.elapsed, .in, .length, .fromNow) { .length($0.length(1)) }
    add(.allDay, .for, .allDay) { _ in Value.none }
  }
}

extension Length {
  /// The order of units in "1 day 2 hours 5 minutes".
  fileprivate var rank: Int {
    if months > 0 { return months >= 12 ? 6 : 5 }
    if days > 0 { return days % 7 == 0 ? 4 : 3 }
    return seconds % 3600 == 0 ? 2 : seconds % 60 == 0 ? 1 : 0
  }
}
