package import CivilTime

extension EventSeries {
  /// Returns the series with ACKNOWLEDGED for the reminders that were dismissed; nil if it covers
  /// all of them already.
  ///
  /// An alarm whose ACKNOWLEDGED covers its dismissed reminders stays as it is, whoever wrote it. So
  /// two programs that share an event come to rest: neither writes a later instant over one that
  /// says enough. A snooze is not written, and counts as a reminder that is still to be seen.
  ///
  /// - Parameters:
  ///   - answers: The stored reminders of this series.
  ///   - nextAlarm: The first alarm without a stored reminder; nil if there is none.
  ///
  /// Source: RFC 9074 section 6.1.
  package func acknowledging(
    _ answers: [AlarmAnswer], nextAlarm: Timestamp?, context: ZoneContext
  ) -> EventSeries? {
    let dismissed = answers.filter { $0.reminder.state == .acknowledged }.map(\.reminder.key)
    guard !dismissed.isEmpty else { return nil }
    let answered = answered(answers.map(\.unsnoozed), nextAlarm: nextAlarm, context: context)
    let events = zip(components, answered.components).map {
      $0.acknowledging(dismissed, through: $1.alarms)
    }
    guard events != Array(components) else { return nil }
    let hasMaster = master != nil
    return EventSeries(
      calendar: calendar, master: hasMaster ? events.first : nil,
      overrides: Array(events.dropFirst(hasMaster ? 1 : 0)), countedEnds: countedEnds)
  }
}

extension AlarmAnswer {
  fileprivate var unsnoozed: AlarmAnswer {
    guard reminder.state == .snoozed else { return self }
    var reminder = reminder
    reminder.state = .delivered
    return AlarmAnswer(reminder, at: at)
  }
}

extension Event {
  /// Takes over ACKNOWLEDGED of other alarms where it covers more of the dismissed reminders.
  fileprivate func acknowledging(_ dismissed: [ReminderKey], through others: [Alarm]) -> Event {
    var event = self
    for (index, alarm) in alarms.enumerated() {
      guard let new = others.first(where: { $0.id == alarm.id })?.acknowledged else { continue }
      // Alarms of one instant are one reminder, which has the ID of one of them.
      let own = dismissed.filter { $0.alarm == alarm.id }
      let isNeeded = (own.isEmpty ? dismissed : own).contains { key in
        key.trigger <= new && alarm.acknowledged.map { key.trigger > $0 } ?? true
      }
      if isNeeded { event.alarms[index].acknowledged = new }
    }
    return event
  }
}
