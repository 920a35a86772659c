import CivilTime

extension OccurrenceAlarm {
  /// A hash of the alarm and the reading on its event's clock, which no change of zone data alters.
  ///
  /// The same alarm is then known again when its instant moves, and is not delivered twice:
  ///
  ///     with the old zone data  standup 9:00 Kyiv, alarm 1  fired at 07:00Z
  ///     with the new zone data  standup 9:00 Kyiv, alarm 1  06:00Z: already delivered
  ///
  /// Moving the event, changing its zone or its alarm changes the hash. It is 0 only if no zone can
  /// move the alarm: the event is in UTC or the trigger is absolute. Hashes are only compared
  /// within one event.
  package var wallClockFingerprint: Int64 {
    let event = occurrence.event
    if case .utc = event.start { return 0 }
    var hash = FNVHash()
    switch alarm.trigger {
    case .absolute: return 0
    case .fromStart(let distance): hash.mix(alarm.isOnClock ? "clock" : "start", distance)
    case .fromEnd(let distance): hash.mix("end", distance)
    }
    if repetition > 0 { hash.mix(String(repetition), alarm.repeatInterval) }
    hash.mix(alarm.id)
    hash.mix(occurrence.zoneName ?? "")
    let start = occurrence.writtenStart
    hash.mix(start.basicText)
    // A reading that happens twice: the second is another occurrence.
    if !occurrence.isAllDay,
      occurrence.zone.instant(of: start) != occurrence.span.start
    {
      hash.mix("second")
    }
    // Two overrides may have been moved to the same time. One that was not moved keeps its hash.
    if let original = event.recurrenceID, original.reading != start {
      hash.mix(original.reading.basicText)
    }
    return hash.value == 0 ? 1 : Int64(bitPattern: hash.value)
  }
}

extension FNVHash {
  fileprivate mutating func mix(_ word: String, _ length: CalendarDuration) {
    mix(word)
    mix(length.description)
  }
}
