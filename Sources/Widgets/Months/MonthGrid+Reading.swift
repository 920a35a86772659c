import CalendarModel
import CivilTime
import JSON
import Messages

extension MonthGrid {
  /// Reads the text of ``json``, also from a later version: unknown keys are ignored.
  ///
  /// - Throws: ``SnapshotError`` with the path of the fault; text of more than 4 MiB is
  ///   ``SnapshotError/notJSON(_:)``.
  package init(json: String) throws(SnapshotError) {
    let value: JSONValue
    do {
      value = try JSONReader.value(of: Array(json.utf8), maximumOctets: 4 << 20)
    } catch {
      throw .notJSON(error)
    }
    guard let object = value.objectValue else {
      throw .malformed(path: "", expected: UserText("an object"))
    }
    try self.init(MemberReader(object: object, path: "month"))
  }

  init(_ members: MemberReader) throws(SnapshotError) {
    let events = try members.rows("events", MonthEvent.init)
    let days = try members.rows("days", MonthDay.init)
    for (place, day) in days.enumerated()
    where day.bars.contains(where: { !events.indices.contains($0.event) }) {
      throw .malformed(
        path: members.path(of: "days[\(place)].bars"),
        expected: UserText("a list of bars of its events"))
    }
    self.init(
      mode: try members.word("mode"), day: try members.date("day"),
      today: try members.date("today"), firstWeekday: try members.weekday("first_weekday"),
      previous: try members.optionalDate("previous"), next: try members.optionalDate("next"),
      lanes: try members.count("lanes"), days: days, events: events)
  }
}

extension MonthDay {
  fileprivate init(_ members: MemberReader) throws(SnapshotError) {
    self.init(
      date: try members.date("date"), isInMonth: try members.flag("in_month"),
      isToday: try members.flag("today"), isWeekend: try members.flag("weekend"),
      week: try members.count("week"), marker: try members.color("marker"),
      releases: DayMarker(rawValue: try members.optionalText("releases")),
      dots: try members.colors("dots"), bars: try members.rows("bars", MonthBar.init),
      more: try members.count("more"))
  }
}

extension MonthBar {
  fileprivate init(_ members: MemberReader) throws(SnapshotError) {
    self.init(
      event: try members.count("event"), lane: try members.count("lane"),
      part: try members.word("part"), showsText: try members.flag("text"))
  }
}

extension MonthEvent {
  fileprivate init(_ members: MemberReader) throws(SnapshotError) {
    guard let color = try members.color("color") else {
      throw .missing(path: members.path(of: "color"))
    }
    self.init(
      uid: try members.optionalText("uid"),
      recurrenceID: try members.optionalText("recurrence-id"),
      calendar: try members.text("calendar"), summary: try members.optionalText("summary"),
      start: try members.instant("start"), end: try members.instant("end"),
      isAllDay: try members.flag("all-day"), isTentative: try members.flag("tentative"),
      isDeclined: try members.flag("declined"), isFree: try members.flag("free"), color: color,
      count: try members.occurrences())
  }
}

extension MemberReader {
  /// Reads a flag that is left out if false.
  func flag(_ name: String) throws(SnapshotError) -> Bool {
    object[name] == nil ? false : try truth(name)
  }

  fileprivate func optionalDate(_ name: String) throws(SnapshotError) -> CivilDate? {
    object[name] == nil ? nil : try date(name)
  }

  fileprivate func weekday(_ name: String) throws(SnapshotError) -> Weekday {
    guard let weekday = Weekday(rawValue: Int(clamping: try integer(name))) else {
      throw .malformed(path: path(of: name), expected: UserText("a weekday from 1 to 7"))
    }
    return weekday
  }

  /// Reads one of the words of an enumeration.
  fileprivate func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(SnapshotError) -> Word {
    guard let word = Word(rawValue: try text(name)) else {
      let words = UserText.list(Word.allCases.map(\.rawValue))
      throw .malformed(
        path: path(of: name), expected: UserText("one of {values}", ["values": words]))
    }
    return word
  }

  fileprivate func colors(_ name: String) throws(SnapshotError) -> [EventColor] {
    var colors: [EventColor] = []
    for value in object[name]?.arrayValue ?? [] {
      guard let color = value.stringValue.flatMap({ EventColor(text: $0) }) else {
        throw .malformed(path: path(of: name), expected: UserText("a list of colors like #3b82f6"))
      }
      colors.append(color)
    }
    return colors
  }
}
