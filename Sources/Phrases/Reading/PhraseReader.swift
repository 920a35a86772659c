package import CivilTime
import Messages

/// Reads what people type: events, times, ends, durations, spans, weekly hours, reminders.
///
/// All are pieces of one grammar. A text that could be two things is refused with both.
package struct PhraseReader {
  package let language: PhraseLanguage
  /// The present, and the zone of what names none.
  package let context: PhraseContext
  package let zones: any Zones
  /// The order of "3/4"; nil where nothing settles it.
  package var dateOrder: PhraseSetting.DateOrder?
  /// Whether "3:30" is on the 24-hour clock; nil where nothing settles it.
  package var usesTwentyFourHours: Bool?
  /// The first day of the week; nil where nothing settles it.
  package var firstWeekday: Weekday?

  package init(
    _ language: PhraseLanguage, _ context: PhraseContext, zones: any Zones,
    dateOrder: PhraseSetting.DateOrder? = nil, usesTwentyFourHours: Bool? = nil,
    firstWeekday: Weekday? = nil
  ) {
    self.language = language
    self.context = context
    self.zones = zones
    self.dateOrder = dateOrder
    self.usesTwentyFourHours = usesTwentyFourHours
    self.firstWeekday = firstWeekday
  }

  /// Reads an event with its title: "lunch with Ana friday 12:30-13:15 at Sal's #work !15m".
  ///
  /// - Throws: ``PhraseRefusal``.
  package func event(_ text: some StringProtocol) throws(PhraseRefusal) -> PhraseReading {
    try read(text, isEvent: true) { _, _ in }
  }

  /// Reads the times of an event, without a title: "fri 9:30-11:00", "every tuesday 18:00".
  ///
  /// - Throws: ``PhraseRefusal``.
  package func times(_ text: some StringProtocol) throws(PhraseRefusal) -> PhraseReading {
    try read(text, isEvent: false) { _, _ in }
  }

  /// Reads a line, with the zone that it may name.
  ///
  /// "9:00 Europe/Berlin" is on the clock of Berlin, and the next 9:00 there. The result names the
  /// zone as ``zones`` does.
  ///
  /// - Parameter adjust: Sets more of the setting; it gets the zone of its times.
  func read(
    _ text: some StringProtocol, isEvent: Bool,
    _ adjust: (inout PhraseSetting, ZoneRules) -> Void
  ) throws(PhraseRefusal) -> PhraseReading {
    func read(at zone: ZoneRules) throws(PhraseRefusal) -> PhraseReading {
      var setting = setting(at: zone)
      adjust(&setting, zone)
      return try readPhrase(text, in: language, setting, isEvent: isEvent)
    }
    let reading = try read(at: context.zone)
    guard let named = reading.zone else { return reading }
    guard let rules = try? zones.rules(named: named.name) else {
      throw PhraseRefusal(UserText("there is no zone \"{zone}\"", ["zone": named.name]))
    }
    let moved = try read(at: rules)
    if let offset = named.offsetSeconds, case .local(let start) = moved.start {
      let instant = rules.instant(of: start)
      guard instant == Timestamp(seconds: start.linearSeconds - Int64(offset)) else {
        throw PhraseRefusal(
          UserText(
            "{zone} has another time on {date}; name the zone as \"{zone}\"",
            ["zone": rules.name, "date": start.date.description]))
      }
    }
    return moved
  }

  func setting(at zone: ZoneRules) -> PhraseSetting {
    PhraseSetting(
      now: zone.reading(at: context.now), dateOrder: dateOrder,
      usesTwentyFourHours: usesTwentyFourHours, firstWeekday: firstWeekday)
  }

  /// The meanings of a whole text as a symbol: "1h 30m" as a length.
  func values(of text: some StringProtocol, as symbol: Symbol) -> [Value] {
    let tokens = Tokenizer.tokens(of: text.utf8.count <= 200 ? String(text) : "")
    var setting = setting(at: context.zone)
    setting.takesPast = true
    return Chart(tokens, language, setting).items.filter {
      $0.symbol == symbol && $0.start == 0 && $0.end == tokens.count && !tokens.isEmpty
    }.map(\.value)
  }
}

/// Reads a line as ``PhraseReader`` does.
///
/// - Parameter isEvent: Whether it has a title.
/// - Throws: ``PhraseRefusal``, for an unknown zone too, and for an abbreviation that does not hold
///   on the day: "9am EST" in July.
package func readPhrase(
  _ text: some StringProtocol, in language: PhraseLanguage, now: Timestamp, zone: ZoneRules,
  zones: any Zones, dateOrder: PhraseSetting.DateOrder? = nil, usesTwentyFourHours: Bool? = nil,
  firstWeekday: Weekday? = nil, isEvent: Bool = true
) throws(PhraseRefusal) -> PhraseReading {
  let reader = PhraseReader(
    language, PhraseContext(now: now, zone: zone), zones: zones, dateOrder: dateOrder,
    usesTwentyFourHours: usesTwentyFourHours, firstWeekday: firstWeekday)
  return isEvent ? try reader.event(text) : try reader.times(text)
}
