import CivilTime

/// The text of a date, a time, an instant, a length or a POSIX rule.
///
/// What one reader accepts must come back from what is written of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTimes(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: octets, count: count)
  let text = String(decoding: input, as: UTF8.self)
  if let date = try? CivilDate(text: text) {
    precondition((try? CivilDate(text: date.description)) == date)
    precondition((try? CivilDate(text: date.basicText)) == date)
    let week = WeekDate(date, firstWeekday: .sunday)
    precondition(week.week >= 1 && week.week <= 53)
    _ = date.adding(months: count)
  }
  if let time = try? TimeOfDay(text: text) {
    precondition((try? TimeOfDay(text: time.basicText)) == time)
    precondition((try? TimeOfDay(text: time.description)) == time)
  }
  if let reading = try? CivilDateTime(text: text) {
    precondition((try? CivilDateTime(text: reading.description)) == reading)
    precondition((try? CivilDateTime(text: reading.basicText)) == reading)
    precondition(CivilDateTime(linearSeconds: reading.linearSeconds) == reading)
  }
  if let instant = try? Timestamp(text: text), instant >= .earliest, instant <= .latest {
    precondition((try? Timestamp(text: instant.description)) == instant)
    precondition((try? Timestamp(text: instant.basicText)) == instant)
  }
  if let length = try? CalendarDuration(text: text) {
    precondition((try? CalendarDuration(text: length.description)) == length)
  }
  if let zone = try? ZoneRules(name: "Fuzz", posix: text) {
    var instant = Timestamp(seconds: 0)
    for _ in 0..<8 {
      guard let change = zone.nextChange(after: instant) else { break }
      precondition(change > instant)
      instant = change
    }
    _ = zone.startOfDay(.epoch)
    _ = zone.resolve(CivilDateTime(.latest, .midnight))
  }
  return 0
}
