import CalendarModel
import Testing

@testable import CalendarStore

/// Returns what a store holds of its events, whatever the revision: their rows, texts and words, the steps and what is
/// pending.
///
/// - Parameter words: those of summaries that are counted.
func content(of store: EventStore, words: [String] = ["before", "after"]) throws -> [String] {
  var content: [String] = []
  for sql in [
    """
    SELECT key || ' ' || uid || ' ' || alarms_through || ' ' || coalesce(next_alarm, '-') || ' '
      || is_unplaced || ' ' || content || ' ' || coalesce(first_minute, '-') FROM series ORDER BY key
    """,
    "SELECT series || ' ' || summary || ' ' || start FROM components ORDER BY series, recurrence_id",
    """
    SELECT id || ' ' || state || ' ' || due || ' ' || coalesce(closed_by, '-') FROM reminders
    ORDER BY key
    """,
    """
    SELECT key || ' ' || action || ' ' || revision || ' ' || is_undone || ' ' || octets
    FROM undo_steps WHERE is_dropped <> 1 ORDER BY key
    """,
    """
    SELECT step || ' ' || uid || ' ' || series_images.revision || ' ' || content || ' ' || place || ' ' || summary
    FROM series_images JOIN component_images ON image = series_images.key
    ORDER BY step, uid, calendar
    """,
    "SELECT name FROM meta WHERE name LIKE 'staged%' OR name LIKE 'turned%'",
  ] {
    let row = try store.database.statement(composed: sql)
    defer { row.reset() }
    while try row.step() { content.append(row.text(0)) }
  }
  for word in words { content.append("\(word) \(try found(word, store))") }
  return content
}

/// Returns how many events have a word in their summaries.
func found(_ word: String, _ store: EventStore) throws -> Int64 {
  let row = try store.database.statement("SELECT count(*) FROM search WHERE search MATCH ?1")
  row.bind(1, word)
  defer { row.reset() }
  return try row.step() ? row.integer(0) : -1
}
