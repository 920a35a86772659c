package import CivilTime
import Messages
import Recurrence

/// The years in which the rules of a VTIMEZONE are expanded.
private let expandedYears = 1970...2100

/// The most changes of one VTIMEZONE: two a year, and room for more.
private let maximumChanges = 2000

/// Returns the rules of a stored VTIMEZONE, expanded from 1970 to 2100.
///
/// Before the first change the offset before it applies, after the last change the last one.
///
/// - Throws: ``CalendarTextError`` ("bad-zone") if the text is no VTIMEZONE, has no observance, or
///   one whose DTSTART, TZOFFSETFROM or TZOFFSETTO is missing or cannot be read.
///
/// Source: RFC 5545 section 3.6.5.
package func readZone(_ component: String) throws(CalendarTextError) -> ZoneRules {
  var parsed = Component()
  var problems = Problems(limit: 1)
  var reader = ComponentReader(Array(component.utf8), limits: ReadLimits())
  guard reader.next(&parsed, &problems) == .component, parsed.name == "VTIMEZONE" else {
    throw CalendarTextError(
      line: 1, column: 1, word: "bad-zone", text: UserText("the text is not a whole VTIMEZONE"))
  }
  return try parsed.zoneRules()
}

extension Component {
  /// Returns the rules of this VTIMEZONE.
  ///
  /// - Throws: ``CalendarTextError`` ("bad-zone"); see ``readZone(_:)``.
  func zoneRules() throws(CalendarTextError) -> ZoneRules {
    let name = first(.zoneID).map { text(trimmed($0.value)) } ?? ""
    var changes: [ZoneChange] = []
    for lines in children {
      let kind = lines.lowerBound
      guard isName(self.lines[kind].value, "STANDARD") || isName(self.lines[kind].value, "DAYLIGHT")
      else { continue }
      changes += try observance(lines)
      guard changes.count <= maximumChanges else {
        throw CalendarTextError(
          line: self.lines[kind].number, column: 1, word: "bad-zone",
          text: UserText(
            "the zone \"{zone}\" has more than {limit} changes",
            ["zone": name, "limit": maximumChanges]))
      }
    }
    // The last written of several changes at one instant counts.
    var kept: [ZoneChange] = []
    for change in changes.enumerated().sorted(by: {
      ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
    }).map(\.element) {
      if kept.last?.instant == change.instant { kept.removeLast() }
      kept.append(change)
    }
    let place = lines.first?.number ?? 1
    guard let first = kept.first else {
      throw CalendarTextError(
        line: place, column: 1, word: "bad-zone",
        text: UserText(
          "the zone \"{zone}\" has neither STANDARD nor DAYLIGHT", ["zone": name]))
    }
    do throws(CivilTimeError) {
      return try ZoneRules(
        name: ZoneNames.name(ofID: name), initial: first.from,
        changes: kept.map { ($0.instant, $0.to) }, then: nil)
    } catch {
      throw CalendarTextError(line: place, column: 1, word: "bad-zone", text: error.text)
    }
  }

  /// Returns the changes of one STANDARD or DAYLIGHT.
  private func observance(_ range: Range<Int>) throws(CalendarTextError) -> [ZoneChange] {
    var start: CivilDateTime?
    var (from, to): (UTCOffset?, UTCOffset?) = (nil, nil)
    var rules: [RecurrenceRule] = []
    var added: [RecurrenceMoment] = []
    for line in lines[range] {
      func fail(_ reason: UserText, _ offset: Int) -> CalendarTextError {
        CalendarTextError(
          line: line.number, column: offset - line.name.lowerBound + 1, word: "bad-zone",
          text: UserText(
            "{property}: {problem}", ["property": excerpt(line.name), "problem": reason]))
      }
      do throws(ValueFault) {
        switch line.property {
        case .start: start = try reading(line.value).clock
        case .offsetFrom: from = try offset(line.value)
        case .offsetTo: to = try offset(line.value)
        case .addedDates:
          for part in list(line.value) where !trimmed(part).isEmpty {
            switch try reading(part) {
            case .date(let date): added.append(.date(date))
            case .local(let reading): added.append(.local(reading))
            case .utc(let instant): added.append(.instant(instant))
            }
          }
        case .rule where !trimmed(line.value).isEmpty:
          let value = trimmed(line.value)
          do throws(RecurrenceError) {
            rules.append(try RecurrenceRule(text: string(value)))
          } catch {
            throw ValueFault(word: "bad-rrule", reason: error.text, offset: value.lowerBound)
          }
        default: continue
        }
      } catch { throw fail(error.reason, error.offset) }
    }
    guard let start, let from, let to else {
      throw CalendarTextError(
        line: lines[range.lowerBound].number, column: 1, word: "bad-zone",
        text: UserText("an observance needs DTSTART, TZOFFSETFROM and TZOFFSETTO"))
    }
    // Its readings are on the clock before the change.
    let clock = ZoneRules(fixed: from, name: "")
    let first = ZoneChange(instant: clock.instant(of: start), from: from, to: to)
    guard !rules.isEmpty || !added.isEmpty else { return [first] }
    let set = RecurrenceSet(
      start: start, isAllDay: false, zone: clock, rules: rules, added: added)
    var changes: [ZoneChange] = []
    // Microsoft's zones begin in 1601; years before 1970 are skipped.
    set.forEachInstance(from: yearStart(expandedYears.lowerBound)) { instance in
      guard instance.instant < yearStart(expandedYears.upperBound + 1),
        changes.count <= maximumChanges
      else { return false }
      changes.append(ZoneChange(instant: instance.instant, from: from, to: to))
      return true
    }
    if let before = set.last(before: yearStart(expandedYears.lowerBound)) {
      changes.insert(ZoneChange(instant: before.instant, from: from, to: to), at: 0)
    }
    return changes.isEmpty ? [first] : changes
  }
}

/// An instant at which the offset of a zone changes.
private struct ZoneChange {
  let instant: Timestamp
  let from: UTCOffset
  let to: UTCOffset
}

private func yearStart(_ year: Int) -> Timestamp {
  let day = CivilDate.dayNumber(year: year, month: 1, day: 1)
  return Timestamp(seconds: Int64(day) * 86_400)
}

extension Component.Reading {
  /// The reading of an onset, in whatever form.
  fileprivate var clock: CivilDateTime {
    switch self {
    case .date(let date): CivilDateTime(date, .midnight)
    case .local(let reading): reading
    case .utc(let instant): ZoneRules.utc.reading(at: instant)
    }
  }
}
