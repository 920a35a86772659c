package import CivilTime
import Messages

/// Reads a line as ``readPhrase(_:in:_:isEvent:)`` does, with the zone that it may name.
///
/// "9:00 Europe/Berlin" is on the clock of Berlin, and the next 9:00 there. The result names the
/// zone as `zones` does.
///
/// - Throws: ``PhraseRefusal``, for an unknown zone too, and for an abbreviation that does not hold
///   on the day: "9am EST" in July.
package func readPhrase(
  _ text: some StringProtocol, in language: PhraseLanguage, now: Timestamp, zone: ZoneRules,
  zones: any Zones, dateOrder: PhraseSetting.DateOrder? = nil, usesTwentyFourHours: Bool? = nil,
  isEvent: Bool = true
) throws(PhraseRefusal) -> PhraseReading {
  func read(at zone: ZoneRules) throws(PhraseRefusal) -> PhraseReading {
    try readPhrase(
      text, in: language,
      PhraseSetting(
        now: zone.reading(at: now), dateOrder: dateOrder,
        usesTwentyFourHours: usesTwentyFourHours), isEvent: isEvent)
  }
  let reading = try read(at: zone)
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
