import CivilTime

/// The time that has passed while an agent ran, by which old data expires.
///
/// The system clock is no measure: one set ahead by years, for a minute, would empty the trash. So
/// each tick adds the time since the tick before, but a day at most, and nothing when the clock
/// goes back. The agent ticks at each change, start and midnight. What expires after 30 days is
/// thus kept at least 30 days, and longer by the days on which no agent ran.
struct RetentionClock {
  let database: Database

  /// The most that one tick adds, in seconds.
  static let mostSeconds: Int64 = 86_400

  /// Returns the seconds counted up to the last tick; only differences are meaningful.
  func seconds() throws(StoreError) -> Int64 {
    try database.integer("SELECT value FROM meta WHERE name = 'passed'")
  }

  /// Adds the time since the last tick, and returns the new ``seconds()``.
  func look(at now: Timestamp) throws(StoreError) -> Int64 {
    let passed = try seconds()
    let row = try database.statement("SELECT value FROM meta WHERE name = 'passed_at'")
    let last = try row.step() ? row.integer(0) : now.seconds
    row.reset()
    let counted = passed + min(max(now.seconds - last, 0), RetentionClock.mostSeconds)
    let written = try database.statement(
      "INSERT OR REPLACE INTO meta (name, value) VALUES ('passed', ?1), ('passed_at', ?2)")
    written.bind(1, counted)
    written.bind(2, now.seconds)
    try written.run()
    return counted
  }
}
