import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import Reminders

// Answers to notifications.

extension ReminderService {
  /// Returns the present text of a reminder's notification.
  func notificationText(of reminder: Reminder, markup: Bool) -> NotificationText {
    NotificationText(
      reminder, subject: subject(of: reminder), now: context.clock.now, zone: context.localZone,
      markup: markup)
  }

  /// Returns what a reminder is about; an event if that cannot be read.
  func subject(of reminder: Reminder) -> ReminderSubject {
    let key = reminder.key
    // Only a span without a duration can be a to-do's.
    guard reminder.span.start == reminder.span.end else { return .event }
    do throws(StoreError) {
      guard let series = try storage.current?.series(key.uid, in: key.calendar),
        series.master?.toDo != nil || series.overrides.contains(where: { $0.toDo != nil })
      else { return .event }
      // An override that differs in this from its series is shown like the series.
      guard let toDo = series.master ?? series.overrides.first else { return .toDo }
      return switch (toDo.anchor, toDo.end) {
      case (.none, _): .undatedToDo
      case (.start, .none): .startingToDo
      default: .toDo
      }
    } catch {
      context.log.warning(
        localized(
          "cannot read whether a reminder is of an event or a to-do: {reason}",
          ["reason": error.text]))
      return .event
    }
  }

  /// Returns the row of a reminder, marked if it is of a to-do without a date.
  func row(_ row: Row, of reminder: Reminder) -> Row {
    // Such a to-do has only absolute alarms, so other reminders need no lookup.
    guard reminder.key.recurrenceID.isEmpty, reminder.key.trigger >= reminder.span.start,
      subject(of: reminder) == .undatedToDo
    else { return row }
    var row = row
    row.set(.undated, true)
    return row
  }

  /// Carries out an action of a notification.
  ///
  /// - Parameter activationToken: the token of the notification server for a program that the
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
        // Opening the map does not dismiss the reminder.
        presenter.keep(reminders)
      }
    } catch {
      failed(CallError(error), to: meaning.reminders)
    }
  }

  /// Shows a reminder again whose meeting could not be opened.
  private func couldNotJoin(_ reminders: [String]) {
    do throws(ReminderError) {
      guard let id = reminders.first else { return }
      try scheduler?.snooze(id: id, until: context.clock.now.adding(seconds: 1))
    } catch {
      context.log.warning(
        localized(
          "cannot show the reminder of a meeting that could not be opened again: {reason}",
          ["reason": error.text]))
    }
  }

  private func first(
    of reminders: [String], _ scheduler: ReminderScheduler
  ) throws(ReminderError) -> Reminder? {
    guard let id = reminders.first else { return nil }
    return try scheduler.reminder(id: id)
  }

  /// Snoozes the reminders of a notification, in batches: a digest may have thousands.
  ///
  /// If the start has passed, a snooze until the start uses the first duration of the settings.
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

  /// Shows reminders again whose answer could not be stored.
  private func failed(_ error: CallError, to reminders: [String]) {
    context.log.error(
      localized(
        "cannot store the answer to a notification, so it is shown again: {reason}",
        ["reason": error.text]))
    scheduler?.showAgain(ids: reminders)
  }
}
