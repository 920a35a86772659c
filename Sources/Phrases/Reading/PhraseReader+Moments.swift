package import CivilTime
import Messages

extension PhraseReader {
  /// Reads a point in time: "tomorrow 14:00", "now", "2h ago", "2026-11-21T14:00:00Z".
  ///
  /// What counts from now in hours, what names a zone and what has an offset is an instant; a day
  /// is a day. "24:00" is the end of a day.
  ///
  /// - Parameter takesPast: Whether what the text leaves open may be past, as where it is only
  ///   looked at: "9:00" is today's, "fri" is today on a Friday, "last fri" and "-7d" are read, and
  ///   "next week" is its first day. Else it is to come, as in ``event(_:)``: "9:00" is the next one,
  ///   and "fri" on a Friday is refused.
  /// - Throws: ``PhraseRefusal``, for a range, a duration, or a recurrence too.
  package func moment(
    _ text: some StringProtocol, takesPast: Bool = false
  ) throws(PhraseRefusal) -> Moment {
    if takesPast, let frame = frame(text) { return .date(frame.days.lowerBound) }
    return try moment(text, takesPast: takesPast, after: nil)
  }

  /// Reads when an event begins: a moment as of ``moment(_:takesPast:)``.
  ///
  /// "in 5m" and "+5m" are rounded up to the whole minute.
  ///
  /// - Throws: ``PhraseRefusal``.
  package func start(
    _ text: some StringProtocol, takesPast: Bool = false
  ) throws(PhraseRefusal) -> Moment {
    try moment(text, takesPast: takesPast, after: nil, isOfEvent: true)
  }

  /// Whether a text is a time without a day, which can follow one: "9:00", "in the morning", 下午3点.
  package func isTimeAlone(_ text: some StringProtocol) -> Bool {
    guard let reading = try? times(text), case .local = reading.start else { return false }
    return !reading.hasDay && reading.end == nil && MachineForms.moment(text) == nil
  }

  /// The name of the zone that a time names: "9:00 Europe/Berlin", "4pm CET"; nil for none.
  package func zoneName(in text: some StringProtocol) -> String? {
    MachineForms.moment(text) == nil ? (try? times(text))?.zone?.name : nil
  }

  /// Reads the end of an event that begins at `start`; a duration is counted from there.
  ///
  ///     start fri 14:00, "15:30"           that Friday
  ///     start fri 22:00, "1:00"            the Saturday after
  ///     start fri 22:00, "sat 2:00"        the first one after the start
  ///     start fri 14:00, "fri 13:00"       refused: nobody means a whole week
  ///     start fri 14:00, "45m", "+45m"     45 minutes later
  ///     start fri 14:00, "+2d 9:00"        the Sunday after at 9:00
  ///     start fri 14:00, "in 1h"           an hour from now, rounded up to the whole minute
  ///     start fri 14:00, "tomorrow 9:00"   tomorrow, counted from now
  ///     start 30 Dec, "2 Jan"              that of the next year
  ///     start 7 Dec, "6 Dec"               refused: nobody means a whole year
  ///
  /// A time that the text gives in full may be before the start.
  ///
  /// - Throws: ``PhraseRefusal``.
  package func end(
    _ text: some StringProtocol, after start: Moment
  ) throws(PhraseRefusal) -> Moment {
    try end(text, after: start, isOfEvent: true)
  }

  private func end(
    _ text: some StringProtocol, after start: Moment, isOfEvent: Bool
  ) throws(PhraseRefusal) -> Moment {
    let trimmed = text.trimmingBlanks()
    let isCounted = trimmed.first == "+"
    if let length = try? readDuration(isCounted ? trimmed.dropFirst() : trimmed) {
      guard let end = start.adding(length, in: context.zone) else {
        throw PhraseRefusal(UserText("the end is outside the years 1 to 9999"))
      }
      return .instant(end)
    }
    let begin = start.instant(in: context.zone)
    if isCounted { return try at(now: begin).moment(text, takesPast: true) }
    let end = try moment(trimmed, takesPast: false, after: begin, isOfEvent: isOfEvent)
    if isOfEvent { try checkYear(of: end, String(trimmed), after: begin) }
    return end
  }

  /// Refuses a day without a year of which the one before the start is nearer than the one after it.
  private func checkYear(
    of end: Moment, _ text: String, after begin: Timestamp
  ) throws(PhraseRefusal) {
    let first = Moment.instant(begin).day(in: context.zone)
    let last = end.day(in: context.zone)
    guard last.days(since: first) > 366 / 2, let yearBefore = first.adding(days: -365),
      let earlier = try? moment(
        text, takesPast: false, after: context.zone.startOfDay(yearBefore))
    else { return }
    let slip = earlier.day(in: context.zone)
    guard slip < first, first.days(since: slip) < last.days(since: first) else { return }
    throw PhraseRefusal(
      UserText(
        "\"{words}\": {end} is before the start {start}; write the year if you mean {later}",
        [
          "words": text, "end": slip.description, "start": first.description,
          "later": last.description,
        ]))
  }

  /// Reads the two ends of a half-open range.
  ///
  /// - Parameters:
  ///   - from: A moment; it may be past.
  ///   - to: An end as of ``end(_:after:)``, but not rounded; or "" for one day, or all days of
  ///     ``days(_:)``. A week or a month is its first day.
  /// - Throws: ``PhraseRefusal`` too for an end before the start.
  package func span(
    from: some StringProtocol, to: some StringProtocol
  ) throws(PhraseRefusal) -> TimeSpan {
    let days = try? days(from)
    let isRange = days.map { $0.unit != .day } ?? false
    let first: Moment =
      if let days, isRange { .date(days.days.lowerBound) } else {
        try moment(from, takesPast: true)
      }
    let start = first.instant(in: context.zone)
    var last = to.trimmingBlanks().isEmpty ? "\(isRange ? days?.count ?? 1 : 1)d" : String(to)
    if let frame = frame(to) { last = frame.days.lowerBound.description }
    let end = try end(last, after: first, isOfEvent: false).instant(in: context.zone)
    guard start <= end else {
      throw PhraseRefusal(
        UserText(
          "\"{end}\": the end is before the start \"{start}\"",
          ["end": String(to), "start": String(from)]))
    }
    return TimeSpan(start: start, end: end)
  }

  /// Reads a month by name: "december", "dec 2027", "next month", "last month".
  ///
  /// - Returns: Its first day; without a year, of the next such month, which may be this one. nil
  ///   for any other text, such as "1 december".
  package func month(_ text: some StringProtocol) -> CivilDate? {
    let today = context.today
    guard let first = CivilDate(year: today.year, month: today.month, day: 1) else { return nil }
    var setting = setting(at: context.zone)
    setting.takesPast = true
    for case .day(let day) in meanings(of: text, as: .frame, setting) {
      switch day {
      case .month(let month, let year):
        return CivilDate(
          year: year ?? today.year + (month < today.month ? 1 : 0), month: month, day: 1)
      case .months(let ahead): return first.adding(months: ahead)
      case .someMonth: return first
      default: continue
      }
    }
    return nil
  }

  private func moment(
    _ text: some StringProtocol, takesPast: Bool, after start: Timestamp?, isOfEvent: Bool = false
  ) throws(PhraseRefusal) -> Moment {
    try PhraseRefusal.naming(text) { () throws(PhraseRefusal) in
      try unnamedMoment(text, takesPast: takesPast, after: start, isOfEvent: isOfEvent)
    }
  }

  private func unnamedMoment(
    _ text: some StringProtocol, takesPast: Bool, after start: Timestamp?, isOfEvent: Bool
  ) throws(PhraseRefusal) -> Moment {
    let trimmed = text.trimmingBlanks()
    if trimmed.lowercased() == "now" { return .instant(context.now) }
    if let moment = MachineForms.moment(trimmed) { return moment }
    if takesPast, trimmed.first == "-", (try? readDuration(trimmed.dropFirst())) != nil {
      return try unnamedMoment(
        "\(trimmed.dropFirst()) ago", takesPast: true, after: start, isOfEvent: isOfEvent)
    }
    let reading = try read(text, isEvent: false) { setting, zone in
      setting.takesPast = takesPast
      setting.start = start.map { zone.reading(at: $0) }
    }
    guard reading.end == nil, reading.rule == nil, !reading.hasReminders, reading.calendar.isEmpty
    else {
      throw PhraseRefusal(UserText("that is more than one time"))
    }
    switch reading.start {
    case .date(let date): return .date(date)
    case .elapsed(let seconds):
      var instant = context.now.adding(seconds: seconds)
      if isOfEvent, seconds % 60 == 0 { instant = instant.roundedUpToMinute }
      guard instant >= .earliest, instant <= .latest else {
        throw PhraseRefusal(UserText("it is out of the years 1 to 9999"))
      }
      return .instant(instant)
    case .local(let local):
      guard let zone = reading.zone, let rules = try? zones.rules(named: zone.name) else {
        return .local(local)
      }
      return .instant(rules.instant(of: local))
    }
  }
}

extension Timestamp {
  /// The next whole minute, or itself.
  package var roundedUpToMinute: Timestamp {
    let rest = (seconds % 60 + 60) % 60
    return rest == 0 ? self : adding(seconds: 60 - rest)
  }
}
