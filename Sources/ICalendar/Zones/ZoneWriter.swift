import CivilTime

/// How many more years are examined to tell a rule that continues from one that ends.
private let lookaheadYears = 12

/// Returns a VTIMEZONE: the changes in the needed years, and the rule that continues after them.
///
/// - Parameters:
///   - id: The TZID.
///   - needed: The span from the first to the last instant in the zone.
///
/// Source: RFC 5545 section 3.6.5.
func zoneLines(id: String, rules: ZoneRules, needed: TimeSpan) -> [String] {
  let first = max(1, rules.reading(at: needed.start).date.year)
  let last = min(max(first, rules.reading(at: needed.end).date.year), 2100)
  let from = Timestamp(seconds: Int64(CivilDate.dayNumber(year: first, month: 1, day: 1)) * 86_400)
  var observances = [Observance(fixed: rules.offset(at: from), at: from)]
  for change in changes(of: rules, after: from, years: last + lookaheadYears) {
    if let index = observances.lastIndex(where: { $0.goesOn(with: change) }) {
      observances[index].add(change)
    } else {
      observances.append(Observance(change))
    }
  }
  var lines = ["BEGIN:VTIMEZONE", "TZID:\(escapedText(id))"]
  for observance in observances where observance.year <= last {
    lines += observance.lines(lastYear: last + lookaheadYears)
  }
  return lines + ["END:VTIMEZONE"]
}

/// A change of the offset, with its time on the old clock.
private struct Change {
  let local: CivilDateTime
  let from: UTCOffset
  let to: UTCOffset

  var instant: Timestamp { Timestamp(local, offset: from) }
}

private func changes(of rules: ZoneRules, after start: Timestamp, years last: Int) -> [Change] {
  var found: [Change] = []
  var span = rules.span(at: start)
  while span.end > start.seconds, span.end <= Timestamp.latest.seconds {
    let next = rules.span(at: Timestamp(seconds: span.end))
    guard let local = Timestamp(seconds: span.end).reading(offset: span.offset),
      local.date.year <= last
    else { break }
    if next.offset != span.offset {
      found.append(Change(local: local, from: span.offset, to: next.offset))
    }
    span = next
  }
  return found
}

/// One STANDARD or DAYLIGHT: one change, or one each year on the same weekday of a month.
private struct Observance {
  private let start: Change
  private var latest: Change
  /// The weekday's ordinals in the month that fit all changes; -1 is the last.
  private var ordinals: Set<Int>
  private var count = 1

  init(_ change: Change) {
    start = change
    latest = change
    ordinals = Observance.ordinals(change.local.date)
  }

  /// The offset with which the VTIMEZONE begins.
  init(fixed offset: UTCOffset, at instant: Timestamp) {
    let reading = instant.reading(offset: .utc) ?? CivilDateTime(.earliest, .midnight)
    self.init(Change(local: reading, from: offset, to: offset))
    ordinals = []
  }

  var year: Int { start.local.date.year }

  private static func ordinals(_ date: CivilDate) -> Set<Int> {
    let day = date.day
    let isLast = day + 7 > CivilDate.length(ofMonth: date.month, year: date.year)
    return isLast ? [(day - 1) / 7 + 1, -1] : [(day - 1) / 7 + 1]
  }

  func goesOn(with change: Change) -> Bool {
    let (old, new) = (latest.local, change.local)
    return new.date.year == old.date.year + 1 && new.date.month == old.date.month
      && new.date.weekday == old.date.weekday && new.time == old.time
      && change.from == start.from && change.to == start.to
      && !ordinals.isDisjoint(with: Observance.ordinals(new.date))
  }

  mutating func add(_ change: Change) {
    latest = change
    ordinals.formIntersection(Observance.ordinals(change.local.date))
    count += 1
  }

  /// - Parameter lastYear: A rule that holds to the end of this year gets no UNTIL.
  func lines(lastYear: Int) -> [String] {
    let kind = start.to.seconds > start.from.seconds ? "DAYLIGHT" : "STANDARD"
    var lines = [
      "BEGIN:\(kind)", "DTSTART:\(start.local.basicText)",
      "TZOFFSETFROM:\(start.from.basicText)", "TZOFFSETTO:\(start.to.basicText)",
    ]
    if count > 1, let ordinal = ordinals.min() {
      let date = start.local.date
      // One day more: some readers (python-dateutil) take UNTIL for a local time and would lose the
      // last change.
      let until = latest.instant.adding(seconds: 86_400)
      let end = latest.local.date.year < lastYear ? ";UNTIL=\(until.basicText)" : ""
      lines.append(
        "RRULE:FREQ=YEARLY;BYMONTH=\(date.month);BYDAY=\(ordinal)\(date.weekday.code)\(end)")
    }
    return lines + ["END:\(kind)"]
  }
}
