import CalendarBus
import CivilTime
import Widgets

// Of which occurrence it is told that a reminder has passed.
extension AddedEvent {
  /// Returns an event that happens once, and of one that repeats its first occurrence that is still to come, as an event
  /// by itself, with the reminders that it has; nil where there is none of which a reminder may have passed.
  ///
  /// No more of the calendar is looked at than the longest reminder of the event reaches.
  ///
  /// - Parameter calendar: has the reminders of what has none of its own; nil where nobody knows it.
  static func occurrenceToCome(
    of event: Row, in calendar: Row?, _ context: CommandContext
  ) throws(CommandError) -> Row? {
    guard event.flag(.recurring) else { return event }
    let now = context.now.seconds
    // Where the event begins may be none: it may be left out, or an exception that is elsewhere.
    let next = try AgendaRows(context: context, isWhole: false).first(
      of: event, withinSeconds: reach(of: event, in: calendar)
    ) { isToCome($0, now) }
    guard let next else { return nil }
    var occurrence = try context.client().event(
      event.text(.uid), occurrence: next.text(.recurrenceID), in: event.text(.calendar))
    occurrence.set(.recurring, false)
    return occurrence
  }

  /// Returns the reminders of an event that are put off.
  static func snoozed(of event: Row, _ context: CommandContext) throws(CommandError) -> [Row] {
    waiting(of: event, among: try context.client().pendingReminders())
      .filter { $0.text(.state) == "snoozed" }
  }

  /// Says of reminders that were put off before an event was changed that they are so no more, as where they are still to
  /// come by that.
  ///
  /// - Parameters:
  ///   - former: the event as it was; what is moved from one occurrence on is another since.
  ///   - isMoved: whether it has the reminders that it had.
  static func warnOfSnoozes(
    _ before: [Row], of event: Row, over former: Row, isMoved: Bool, _ context: CommandContext
  ) throws(CommandError) {
    if before.isEmpty { return }
    let now = try snoozed(of: event, context)
    let isOther = event.text(.uid) != former.text(.uid)
    let rest = isOther ? try snoozed(of: former, context) : []
    let ended = before.count - now.count - rest.count
    guard ended > 0 else { return }
    let title = displayLine(event.text(.summary))
    let name = title.isEmpty ? event.text(.uid) : "\"\(title)\""
    context.output.warning(
      (ended == 1
        ? "one reminder that was snoozed is so no more"
        : "\(ended) reminders that were snoozed are so no more")
        + ", since the event \(isMoved ? "was moved" : "has other reminders"); calctl why \(name) has its reminders"
    )
  }

  /// Whether an occurrence has not begun; of a whole day, on which it may ring, whether that goes on.
  private static func isToCome(_ occurrence: Row, _ now: Int64) -> Bool {
    occurrence.flag(.allDay) ? occurrence.number(.end) > now : occurrence.number(.start) >= now
  }

  /// Returns how many seconds the first reminder of an occurrence is before it, or a little more: a day may have 25 hours.
  private static func reach(of event: Row, in calendar: Row?) -> Int64 {
    let own = event.texts(.reminders)
    let defaults = calendar?.texts(event.flag(.allDay) ? .allDayReminders : .reminders) ?? []
    return (own.isEmpty ? defaults : own).compactMap(length).map(\.approximateSeconds)
      .reduce(0, max) + 7200
  }

  /// Returns " for the occurrence of 09:00" of one of what repeats; else "".
  static func whose(
    _ occurrence: Row, of event: Row, _ context: CommandContext
  ) throws(CommandError) -> String {
    guard event.flag(.recurring) else { return "" }
    let start = Timestamp(seconds: occurrence.number(.start))
    let when =
      occurrence.flag(.allDay)
      ? DayNames.full(try context.zone().reading(at: start).date)
      : try context.output.moment(start)
    return " for the occurrence of \(when)"
  }
}
