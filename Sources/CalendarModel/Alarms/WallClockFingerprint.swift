import CivilTime

extension OccurrenceAlarm {
  /// What this time of the alarm is known by whatever the zones are and whatever their data say: a
  /// number made of what its event's clock shows, and of nothing that goes with an offset; never 0.
  /// 0 for one that no zone can move: of an event in UTC, or at a moment of its own.
  ///
  ///     by the data of before    standup 9:00 Kyiv, alarm 1    rang at 07:00Z
  ///     by those of now          standup 9:00 Kyiv, alarm 1    06:00Z, and has rung
  ///
  /// An event that is moved, put into another zone, or has its alarm changed has another one: it
  /// must be announced again.
  ///
  /// It is the 64-bit FNV-1a hash, as of ``ReminderKey/id``, and is only compared with those of one
  /// event.
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
    // The second of two instants at which the clock shows the same is an occurrence of its own.
    if !occurrence.isAllDay,
      occurrence.zone.instant(of: start) != occurrence.span.start
    {
      hash.mix("second")
    }
    // Exceptions may have been moved to one time. One that has stayed where it was is what it was.
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
