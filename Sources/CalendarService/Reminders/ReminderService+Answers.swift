import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Reminders

// What people do with notifications.

extension ReminderService {
  /// Returns what the notification of a reminder says now.
  func notificationText(of reminder: Reminder, markup: Bool) -> NotificationText {
    NotificationText(
      reminder, subject: subject(of: reminder), now: context.clock.now, zone: context.localZone,
      markup: markup)
  }

  /// Returns what a reminder is of; what is not known is shown as an event.
  func subject(of reminder: Reminder) -> ReminderSubject {
    let key = reminder.key
    // What begins and ends at one moment may be a to-do.
    guard reminder.span.start == reminder.span.end else { return .event }
    do throws(StoreError) {
      guard let series = try storage.current?.series(key.uid, in: key.calendar),
        series.master?.toDo != nil || series.overrides.contains(where: { $0.toDo != nil })
      else { return .event }
      // An occurrence that differs from its series in that is told as those are.
      guard let toDo = series.master ?? series.overrides.first else { return .toDo }
      return switch (toDo.anchor, toDo.end) {
      case (.none, _): .undatedToDo
      case (.start, .none): .startingToDo
      default: .toDo
      }
    } catch {
      context.log.warning("it is not known whether a reminder is of a to-do: \(error)")
      return .event
    }
  }

  /// Returns the row of a reminder, which says of a to-do that has no date that it has none.
  func row(_ row: Row, of reminder: Reminder) -> Row {
    // Its moment is that of an absolute alarm: of others no event is looked up.
    guard reminder.key.recurrenceID.isEmpty, reminder.key.trigger >= reminder.span.start,
      subject(of: reminder) == .undatedToDo
    else { return row }
    var row = row
    row.set(.undated, true)
    return row
  }

  /// Does what an action of a notification means.
  ///
  /// - Parameter activationToken: what the notification server gave for a program that the
  ///   action opens.
  func answered(_ meaning: NotificationBoard.Meaning, activationToken: String?) {
    guard let scheduler else { return }
    do throws(ReminderError) {
      switch meaning {
      case .snooze(let reminders, let step):
        snooze(reminders[...], context.configuration.snoozes[step])
      case .dismiss(let reminders):
        answerAll(reminders[...], noteAnswer(to: reminders)) {
          scheduler, ids throws(ReminderError) in
          try scheduler.dismiss(ids: ids)
        }
      case .join(let reminders):
        let address = try first(of: reminders, scheduler)?.joinURL ?? ""
        try scheduler.dismiss(ids: reminders)
        guard !address.isEmpty else { break }
        opener.open(address, activationToken: activationToken) { [weak self] in
          self?.couldNotJoin(reminders)
        }
      case .locate(let reminders):
        if let place = try first(of: reminders, scheduler)?.location, !place.isEmpty {
          opener.open(place: place, activationToken: activationToken)
        }
        // Who looks where it is has not gone there yet.
        presenter.keep(reminders)
      }
    } catch {
      failed(CallError(error), to: meaning.reminders)
    }
  }

  /// Tells reminders again whose meeting could not be opened: whoever wanted to join is not there.
  private func couldNotJoin(_ reminders: [String]) {
    do throws(ReminderError) {
      guard let id = reminders.first else { return }
      try scheduler?.snooze(id: id, until: context.clock.now.adding(seconds: 1))
    } catch {
      context.log.warning("a reminder whose meeting could not be opened stays dismissed: \(error)")
    }
  }

  private func first(
    of reminders: [String], _ scheduler: ReminderScheduler
  ) throws(ReminderError) -> Reminder? {
    guard let id = reminders.first else { return nil }
    return try scheduler.reminder(id: id)
  }

  /// A digest may speak of thousands, which are dealt with some at a time.
  ///
  /// A snooze until a start that has come is one by the first length: the person wants it
  /// away, and told again.
  private func snooze(_ reminders: ArraySlice<String>, _ step: SnoozeStep) {
    let now = context.clock.now
    // One instant for all, so that they come back together.
    let until = context.localZone.adding(step.length ?? context.configuration.snooze, to: now)
    answerAll(reminders, noteAnswer(to: Array(reminders))) {
      scheduler, ids throws(ReminderError) in
      try scheduler.snooze(ids: ids) { reminder in
        guard case .start = step, reminder.span.start > now else { return until }
        return reminder.span.start
      }
    }
  }

  private func noteAnswer(to reminders: [String]) -> MethodAnswer {
    { [weak self] outcome in
      if case .failure(let error) = outcome { self?.failed(error, to: reminders) }
    }
  }

  /// An answer could not be written: what it was to end waits on, and the notification with it is gone from the
  /// screen by now.
  private func failed(_ error: CallError, to reminders: [String]) {
    context.log.error("a notification's answer: \(error.message)")
    scheduler?.showAgain(ids: reminders)
  }
}
