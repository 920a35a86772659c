package import CivilTime

// Writes dismissals and snoozes into the alarms of events, in the form of RFC 9074. The reminder
// table of the database is the source; exported text is made from it.

extension Alarm {
  private static let snoozePrefix = "datebook-snooze-"

  /// Returns the ``id`` of the alarm that we write for a snoozed reminder.
  package static func snoozeID(of reminder: String) -> String { snoozePrefix + reminder }

  /// The id of the reminder that this alarm snoozes.
  ///
  /// nil unless a Datebook, this one or another, has written the alarm.
  package var snoozedReminder: String? {
    guard snoozeOf != nil, id.hasPrefix(Alarm.snoozePrefix) else { return nil }
    return String(id.dropFirst(Alarm.snoozePrefix.count))
  }
}

/// A stored reminder, and since when it has been in its state.
package struct AlarmAnswer: Hashable, Sendable {
  package let reminder: Reminder
  package let at: Timestamp

  package init(_ reminder: Reminder, at: Timestamp) {
    self.reminder = reminder
    self.at = at
  }

  /// Whether somebody has dismissed the reminder or snoozed it until a known instant.
  ///
  /// A snooze until the session is unlocked has no instant that another program could read.
  fileprivate var isSettled: Bool {
    switch reminder.state {
    case .acknowledged: true
    case .snoozed: reminder.due != Reminder.untilUnlocked
    case .due, .delivered, .closed: false
    }
  }

  /// Whether somebody still has to see the reminder.
  ///
  /// One that was closed because its calendar was hidden comes back when the calendar is shown.
  fileprivate var isWaiting: Bool {
    reminder.isPending && !isSettled || reminder.state == .closed(.calendarHidden)
  }
}

extension EventSeries {
  /// Returns the series with ACKNOWLEDGED and snooze alarms for other programs to read.
  ///
  /// ACKNOWLEDGED covers everything up to an instant. So it stays before the first alarm that
  /// somebody still has to see: while Monday's reminder is open, dismissing Tuesday's writes
  /// nothing.
  ///
  ///     delivered  Mon    Tue    Wed
  ///     state      open   seen   seen   nothing is written
  ///     state      seen   open   seen   up to a second before Tuesday's
  ///     state      seen   seen   seen   up to the last answer
  ///
  /// Alarms of one instant are delivered as one reminder; its answer counts for all of them.
  ///
  /// An event that only has its calendar's default reminders is not changed: a VALARM would replace
  /// the defaults of other programs.
  ///
  /// - Parameters:
  ///   - answers: The stored reminders of this series.
  ///   - nextAlarm: The first alarm without a stored reminder; nil if there is none.
  ///
  /// Source: RFC 9074 sections 6.1 and 7.
  package func answered(
    _ answers: [AlarmAnswer], nextAlarm: Timestamp?, context: ZoneContext
  ) -> EventSeries {
    var events = Array(components)
    var mine: [Int: [AlarmAnswer]] = [:]
    let places = AlarmPlaces(events, context)
    for answer in answers {
      if let place = places.place(of: answer.reminder.key) {
        mine[place, default: []].append(answer)
      }
    }
    let snoozedHere = Set(answers.filter { $0.reminder.snoozes > 0 }.map(\.reminder.id))
    for place in events.indices {
      events[place].alarms.removeAll { alarm in
        alarm.snoozedReminder.map(snoozedHere.contains) ?? false
      }
      events[place].answer(mine[place] ?? [], nextAlarm: nextAlarm, context: context)
    }
    let hasMaster = master != nil
    return EventSeries(
      calendar: calendar, master: hasMaster ? events.first : nil,
      overrides: Array(events.dropFirst(hasMaster ? 1 : 0)), countedEnds: countedEnds)
  }
}

/// An index from a reminder to the component that has its alarm.
///
/// That is the component of its occurrence, else the first with an alarm of that id. A series can
/// have thousands of components and reminders.
private struct AlarmPlaces {
  private struct Name: Hashable {
    let recurrenceID: String
    let alarm: String
  }

  private var named: [Name: Int] = [:]
  private var first: [String: Int] = [:]

  init(_ events: [Event], _ context: ZoneContext) {
    for (place, event) in events.enumerated() where !event.alarms.isEmpty {
      let recurrenceID = event.recurrenceID?.reminderText(context)
      for alarm in event.alarms {
        if first[alarm.id] == nil { first[alarm.id] = place }
        guard let recurrenceID else { continue }
        let name = Name(recurrenceID: recurrenceID, alarm: alarm.id)
        if named[name] == nil { named[name] = place }
      }
    }
  }

  func place(of key: ReminderKey) -> Int? {
    named[Name(recurrenceID: key.recurrenceID, alarm: key.alarm)] ?? first[key.alarm]
  }
}

/// An index of answers by how far their instant is from the start or end of their occurrence.
///
/// With thousands of answers and alarms with a hundred repeats each, only likely pairs are
/// compared.
struct AnswerDistances {
  /// The distances in seconds, ascending, each with the index of its answer.
  private let fromStart: [(seconds: Int64, place: Int)]
  private let fromEnd: [(seconds: Int64, place: Int)]
  private let absolute: [(seconds: Int64, place: Int)]

  init(_ answers: [AlarmAnswer]) {
    func ordered(_ seconds: (Reminder) -> Int64) -> [(seconds: Int64, place: Int)] {
      answers.enumerated().map { (seconds($1.reminder), $0) }.sorted { $0 < $1 }
    }
    fromStart = ordered { $0.key.trigger.seconds - $0.span.start.seconds }
    fromEnd = ordered { $0.key.trigger.seconds - $0.span.end.seconds }
    absolute = ordered { $0.key.trigger.seconds }
  }

  /// Returns the indices of the answers that an alarm may have caused, ascending.
  ///
  /// - Complexity: Two binary searches for each repeat, and the matches.
  func near(_ alarm: Alarm) -> [Int] {
    let distances =
      switch alarm.trigger {
      case .fromStart: fromStart
      case .fromEnd: fromEnd
      case .absolute: absolute
      }
    var base: Int64 = 0
    if case .absolute(let moment) = alarm.trigger { base = moment.seconds }
    var found: Set<Int> = []
    for repetition in 0..<alarm.timesRaised {
      let distance = alarm.distance(repetition)
      var index = distances.partitioningIndex { $0.seconds >= base + distance.lowest }
      while index < distances.count, distances[index].seconds <= base + distance.highest {
        found.insert(distances[index].place)
        index += 1
      }
    }
    return found.sorted()
  }
}

extension EventTime {
  /// Returns this RECURRENCE-ID as a reminder key has it; nil if its zone is not known.
  package func reminderText(_ context: ZoneContext) -> String? {
    switch self {
    case .date(let day): day.basicText
    case .floating(let reading): reading.basicText
    default: (try? instant(in: context))?.basicText
    }
  }
}

extension Alarm {
  /// Whether this alarm fired at the same instant as a reminder of another alarm.
  ///
  /// - Parameter isToDo: A to-do's reminder has only the due time, so a start cannot be compared.
  fileprivate func isRaised(with reminder: Reminder, in zone: ZoneRules, isToDo: Bool) -> Bool {
    if action == .none { return false }
    if isToDo, case .fromStart = trigger { return false }
    return (0..<timesRaised).contains {
      instant($0, of: reminder.span, in: zone) == reminder.key.trigger
    }
  }
}

extension Event {
  fileprivate mutating func answer(
    _ answers: [AlarmAnswer], nextAlarm: Timestamp?, context: ZoneContext
  ) {
    if answers.isEmpty { return }
    // An event whose zone is not known fires no alarms.
    let zone = try? start.zoneRules(in: context)
    let answersOf = Dictionary(grouping: answers, by: \.reminder.key.alarm)
    let distances = AnswerDistances(answers)
    for index in alarms.indices {
      let alarm = alarms[index]
      var those = answersOf[alarm.id] ?? []
      // Snooze alarms are skipped: a series can have thousands of them.
      if let zone, alarm.snoozeOf == nil {
        those += distances.near(alarm).map { answers[$0] }.filter {
          $0.reminder.key.alarm != alarm.id
            && alarm.isRaised(with: $0.reminder, in: zone, isToDo: toDo != nil)
        }
      }
      let settled = those.filter(\.isSettled)
      guard let last = settled.map({ max($0.at, $0.reminder.key.trigger) }).max(),
        let first = settled.map(\.reminder.key.trigger).min()
      else { continue }
      let open = those.filter(\.isWaiting).map(\.reminder.key.trigger)
      let bound = (open + [nextAlarm].compactMap(\.self)).min().map { $0.adding(seconds: -1) }
      let through = min(last, bound ?? last)
      guard through >= first else { continue }
      alarms[index].acknowledged = max(alarms[index].acknowledged ?? through, through)
    }
    for answer in answers where answer.isSettled && answer.reminder.state == .snoozed {
      let reminder = answer.reminder
      guard let original = alarms.first(where: { $0.id == reminder.key.alarm }) else { continue }
      alarms.append(
        Alarm(
          id: Alarm.snoozeID(of: reminder.id), action: original.action,
          trigger: .absolute(reminder.due), text: original.text,
          snoozeOf: original.snoozeOf ?? original.id))
    }
  }
}
