import CivilTime

/// What some tokens mean; the ``Symbol`` says which case it is.
enum Value: Hashable, Sendable {
  case none
  case integer(Int)
  case list([Int])
  case weekday(Weekday)
  case weekdays([Weekday])
  case length(Length)
  case part(PartOfDay)
  case day(DayReference)
  case clock(ClockReading)
  case when(When)
  case repeats(RepeatReading)
  case bound(Bound)
  case reminders([PhraseReminder])
  case text(String)
}
