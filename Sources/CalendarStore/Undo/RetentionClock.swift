import CivilTime

/// The time that this agent has seen pass, by which data that is stored for some days expires.
///
/// The clock itself is not a measure of that: one that is set ahead by years, for a minute,
/// would empty the trash. So each tick counts the time that has passed since the tick
/// before, but a day at most, and what goes back counts nothing. The agent looks with each
/// change, at each start and at each midnight. What is to be kept for 30 days is thus kept
/// for 30 days at least, and longer by the days on which no agent ran.
struct RetentionClock {
  let database: Database

  /// The most that one look counts, in seconds.
  static let mostSeconds: Int64 = 86_400

  /// Returns the seconds since the last tick, from a beginning that says
  /// nothing.
  func seconds() throws(StoreError) -> Int64 {
    try database.integer("SELECT value FROM meta WHERE name = 'passed'")
  }

  /// Counts what has passed since the last look, and returns what ``seconds()`` will say.
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
