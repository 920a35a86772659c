import CalendarModel
import CivilTime

/// The ledger: every reminder that became due in the last year, and its state.
struct ReminderRows {
  let database: Database

  /// Selects what ``all(_:)`` reads; a WHERE clause follows.
  static let select: StaticString = """
    SELECT calendar, uid, recurrence_id, alarm, trigger_at, summary, location, join_url,
      span_start, span_end, is_all_day, is_private, state, close_reason, due, snoozes, is_missed,
      zone, clock_name
    FROM reminders
    """

  /// Inserts what ``write(_:at:closer:_:)`` binds; a conflict clause follows.
  private static let insert: StaticString = """
    INSERT INTO reminders (id, calendar, uid, recurrence_id, alarm, trigger_at, summary, location,
      join_url, span_start, span_end, is_all_day, is_private, state, close_reason, due, snoozes,
      is_missed, due_at, delivered_at, snoozed_at, acknowledged_at, closed_at, closed_by,
      zone, clock_name)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
      ?20, ?21, ?22, ?23, ?24, ?25, ?26)
    """

  /// SQL condition: the reminder is pending. An index covers only these.
  static let isPending = "state IN ('due', 'delivered', 'snoozed')"

  /// SQL condition: the reminder was closed without delivery, and not by a change of events.
  static let isUntold = """
    (state = 'closed' AND closed_by IS NULL
      AND close_reason IN \(Reminder.CloseReason.list(\.canComeUntold)))
    """

  /// SQL condition: the reminder was pending when a change silenced its event.
  static let isSilenced = """
    (state = 'closed' AND closed_by IS NOT NULL
      AND close_reason IN \(Reminder.CloseReason.list(\.isSilence)))
    """

  /// SQL condition: the reminder was pending when a change moved its event or removed its alarm.
  static let isMovedAway = """
    (state = 'closed' AND closed_by IS NOT NULL AND close_reason = 'event-moved')
    """

  // MARK: Reading

  /// Returns the pending reminders, the soonest first.
  func pending() throws(StoreError) -> [Reminder] {
    try all(
      database.statement(
        composed: """
          \(ReminderRows.select) WHERE \(ReminderRows.isPending) ORDER BY due, summary, key
          """))
  }

  /// Returns the pending reminders of an event.
  func pending(of uid: EventUID, in calendar: CalendarID) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      composed: """
        \(ReminderRows.select) WHERE uid = ?1 AND calendar = ?2 AND \(ReminderRows.isPending)
        ORDER BY key
        """)
    row.bind(1, uid.text)
    row.bind(2, calendar.text)
    return try all(row)
  }

  /// Returns the reminder with a key, in any state; nil if there is none.
  func reminder(_ key: ReminderKey) throws(StoreError) -> Reminder? {
    let row = try database.statement(
      ReminderRows.select,
      """
      WHERE uid = ?1 AND calendar = ?2 AND recurrence_id = ?3 AND alarm = ?4 AND trigger_at = ?5
      """)
    row.bind(1, key.uid.text)
    row.bind(2, key.calendar.text)
    row.bind(3, key.recurrenceID)
    row.bind(4, key.alarm)
    row.bind(5, key.trigger.seconds)
    return try all(row).first
  }

  private static let others = """
    SELECT alarm FROM (
      SELECT * FROM reminders
      WHERE uid = ?1 AND calendar = ?2 AND recurrence_id = ?3 AND trigger_at = ?4)
    WHERE state <> 'closed' OR \(isUntold)
    """

  /// Whether another reminder covers an alarm's instant.
  ///
  /// It is one under another key that is not closed, or was closed without delivery.
  ///
  /// - Parameters:
  ///   - key: the key to ignore, of the alarm's calendar and event.
  ///   - leaving: keys of reminders whose own alarms moved or are gone; ignored unless they are for
  ///     this very alarm.
  func hasAnother(
    than key: ReminderKey, for alarm: OccurrenceAlarm, leaving: Set<ReminderKey>
  ) throws(StoreError) -> Bool {
    let row = try database.statement(composed: ReminderRows.others)
    row.bind(1, key.uid.text)
    row.bind(2, key.calendar.text)
    row.bind(3, alarm.recurrenceID)
    row.bind(4, alarm.instant.seconds)
    defer { row.reset() }
    while try row.step() {
      let other = ReminderKey(
        calendar: key.calendar, uid: key.uid, recurrenceID: alarm.recurrenceID,
        alarm: row.text(0), trigger: alarm.instant)
      // The row of a reminder that leaves belongs to its own alarm.
      if other != key, !leaving.contains(other) || other.alarm == alarm.alarm.id { return true }
    }
    return false
  }

  /// Returns the reminder with an id; the latest if there are several.
  func reminder(_ id: String) throws(StoreError) -> Reminder? {
    let row = try database.statement(ReminderRows.select, "WHERE id = ?1 ORDER BY key DESC")
    row.bind(1, id)
    return try all(row).first
  }

  /// Returns the reminders whose ids begin with a prefix, in any state, sorted by id.
  ///
  /// - Parameter beginning: some hexadecimal digits in lower case.
  func reminders(beginning: String, limit: Int) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      ReminderRows.select, "WHERE id >= ?1 AND id < ?1 || 'g' ORDER BY id, key LIMIT ?2")
    row.bind(1, beginning)
    row.bind(2, Int64(limit))
    return try all(row)
  }

  /// Returns the reminders that were too old for delivery, latest first.
  ///
  /// Only the last 20,000 rows are searched, since there is no index.
  func missed(limit: Int) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      ReminderRows.select,
      """
      WHERE key > (SELECT max(key) FROM reminders) - 20000
        AND state = 'closed' AND close_reason = 'missed'
      ORDER BY key DESC LIMIT ?1
      """)
    row.bind(1, Int64(limit))
    return try all(row)
  }

  /// Returns the reminders of an event in any state, latest first.
  func latest(
    of uid: EventUID, in calendar: CalendarID, recurrenceID: String?, limit: Int
  ) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      ReminderRows.select,
      """
      WHERE uid = ?1 AND calendar = ?4 AND (?2 IS NULL OR recurrence_id = ?2)
      ORDER BY trigger_at DESC, key DESC LIMIT ?3
      """)
    bind(uid, calendar, recurrenceID, limit, to: row)
    return try all(row)
  }

  func bind(
    _ uid: EventUID, _ calendar: CalendarID, _ recurrenceID: String?, _ limit: Int,
    to row: Statement
  ) {
    row.bind(1, uid.text)
    row.bind(2, recurrenceID)
    row.bind(3, Int64(clamping: limit))
    row.bind(4, calendar.text)
  }

  func all(_ row: Statement) throws(StoreError) -> [Reminder] {
    defer { row.reset() }
    var reminders: [Reminder] = []
    while try row.step() {
      let key = ReminderKey(
        calendar: CalendarID(row.text(0)), uid: EventUID(row.text(1)), recurrenceID: row.text(2),
        alarm: row.text(3), trigger: Timestamp(seconds: row.integer(4)))
      let start = row.integer(8)
      guard row.integer(9) >= start, let state = state(row.text(12), reason: row.optionalText(13))
      else {
        throw database.damaged("the reminder \(key.id)")
      }
      reminders.append(
        Reminder(
          key: key, summary: row.text(5), location: row.text(6), joinURL: row.text(7),
          span: TimeSpan(start: Timestamp(seconds: start), end: Timestamp(seconds: row.integer(9))),
          isAllDay: row.bool(10), isPrivate: row.bool(11), state: state,
          due: Timestamp(seconds: row.integer(14)), snoozes: Int(row.integer(15)),
          isMissed: row.bool(16), zone: row.text(17), wallClockFingerprint: row.integer(18)))
    }
    return reminders
  }

  private func state(_ word: String, reason: String?) -> Reminder.State? {
    switch word {
    case "due": .due
    case "delivered": .delivered
    case "snoozed": .snoozed
    case "acknowledged": .acknowledged
    case "closed": reason.flatMap(Reminder.CloseReason.init(rawValue:)).map { .closed($0) }
    default: nil
    }
  }

  // MARK: Writing

  /// Inserts a new reminder; returns false if its key is in the ledger already.
  func insertNew(_ reminder: Reminder, at now: Timestamp) throws(StoreError) -> Bool {
    try write(
      reminder, at: now,
      database.statement(ReminderRows.insert, "ON CONFLICT DO NOTHING"))
    return database.changedRows > 0
  }

  /// Writes the state of a reminder, reached at `now`.
  ///
  /// - Parameter closer: the revision that closes it, if a change of events does.
  func record(
    _ reminder: Reminder, at now: Timestamp, closer: UInt64? = nil
  ) throws(StoreError) {
    try write(reminder, at: now, closer: closer, database.statement(composed: ReminderRows.record))
  }

  private static let record = """
    \(insert) ON CONFLICT (uid, calendar, recurrence_id, alarm, trigger_at) DO UPDATE SET
      state = ?14, close_reason = ?15, due = ?16, snoozes = ?17, is_missed = ?18,
      due_at = coalesce(?19, due_at), delivered_at = coalesce(?20, delivered_at),
      snoozed_at = coalesce(?21, snoozed_at), acknowledged_at = ?22, closed_at = ?23,
      closed_by = CASE ?14 WHEN 'closed' THEN coalesce(?24, closed_by) WHEN 'acknowledged' THEN ?24 END,
      earlier = CASE WHEN state = ?14 AND state <> 'closed' AND due = ?16 THEN earlier
        ELSE \(LedgerSteps.adding(
          """
          coalesce(CASE ?14
            WHEN 'due' THEN 'due ' || due_at || ' ;'
            WHEN 'delivered' THEN 'delivered ' || delivered_at || ' ;'
            WHEN 'snoozed' THEN \(LedgerSteps.snoozed)
          END, '')
          || coalesce('acknowledged ' || acknowledged_at || ' ;', '')
          || coalesce('closed ' || closed_at || ' ' || close_reason || ';', '')
          """)) END
    """

  /// Updates what a reminder shows of its event, but not its state.
  func reword(_ reminder: Reminder) throws(StoreError) {
    let row = try database.statement(
      """
      UPDATE reminders SET summary = ?7, location = ?8, join_url = ?9, span_start = ?10,
        span_end = ?11, is_all_day = ?12, is_private = ?13
      WHERE uid = ?3 AND calendar = ?2 AND recurrence_id = ?4 AND alarm = ?5 AND trigger_at = ?6
      """)
    bindWords(of: reminder, to: row)
    try row.run()
  }

  /// Deletes reminders that were closed without delivery although their instants are in the future.
  ///
  /// This happens if the clock was ahead. Their keys are free again.
  ///
  /// - Returns: how many of them had been too old.
  func forgetMissed(after now: Timestamp) throws(StoreError) -> Int {
    let row = try database.statement(
      composed: """
        DELETE FROM reminders WHERE trigger_at > ?1 AND \(ReminderRows.isUntold)
        RETURNING close_reason = 'missed'
        """)
    row.bind(1, now.seconds)
    defer { row.reset() }
    var missed = 0
    while try row.step() { missed += row.bool(0) ? 1 : 0 }
    return missed
  }

  private func write(
    _ reminder: Reminder, at now: Timestamp, closer: UInt64? = nil, _ row: Statement
  ) throws(StoreError) {
    row.bind(1, reminder.id)
    bindWords(of: reminder, to: row)
    let (word, reason, step) = parts(of: reminder.state)
    row.bind(14, word)
    row.bind(15, reason)
    row.bind(16, reminder.due.seconds)
    row.bind(17, Int64(reminder.snoozes))
    row.bind(18, reminder.isMissed)
    for column: Int32 in 19...23 { row.bind(column, column == step ? now.seconds : nil) }
    row.bind(24, closer.map { Int64($0) })
    row.bind(25, reminder.zone)
    row.bind(26, reminder.wallClockFingerprint)
    try row.run()
  }

  /// Binds a reminder's key to ?2 to ?6, and what it shows of its event to ?7 to ?13.
  private func bindWords(of reminder: Reminder, to row: Statement) {
    row.bind(2, reminder.key.calendar.text)
    row.bind(3, reminder.key.uid.text)
    row.bind(4, reminder.key.recurrenceID)
    row.bind(5, reminder.key.alarm)
    row.bind(6, reminder.key.trigger.seconds)
    row.bind(7, reminder.summary)
    row.bind(8, reminder.location)
    row.bind(9, reminder.joinURL)
    row.bind(10, reminder.span.start.seconds)
    row.bind(11, reminder.span.end.seconds)
    row.bind(12, reminder.isAllDay)
    row.bind(13, reminder.isPrivate)
  }

  /// Returns the word of a state, the close reason, and the parameter for its instant.
  func parts(of state: Reminder.State) -> (word: String, reason: String?, step: Int32) {
    switch state {
    case .due: ("due", nil, 19)
    case .delivered: ("delivered", nil, 20)
    case .snoozed: ("snoozed", nil, 21)
    case .acknowledged: ("acknowledged", nil, 22)
    case .closed(let reason): ("closed", reason.rawValue, 23)
    }
  }
}
