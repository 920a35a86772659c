import CalendarModel

/// The full-text index: an FTS5 table with a row for each VEVENT, keyed like its component.
///
/// The table has no content of its own; texts are in `components`. To delete a row, FTS5 needs the
/// exact texts that were inserted. So both operations use ``SearchText``, in one transaction with
/// the component: insert after it is written, delete before it is removed.
///
/// Source: sqlite.org/fts5.html sections 4.4.1 and 6.4.
struct SearchIndex {
  let database: Database

  /// Returns the column of a field.
  static func column(of field: SearchQuery.Field) -> String {
    switch field {
    case .summary: "summary"
    case .location: "location"
    case .description: "description"
    case .attendee: "attendees"
    case .category: "categories"
    }
  }

  private static let insert: StaticString = """
    INSERT INTO search (rowid, summary, location, description, attendees, categories)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """

  /// Indexes a component that is already written.
  func insert(_ component: Int64) throws(StoreError) {
    try run(SearchIndex.insert, withTextsOf: component)
  }

  /// Indexes a component that was just written, without reading it again.
  func insert(_ words: RowValues, component: Int64) throws(StoreError) {
    let row = try database.statement(SearchIndex.insert)
    row.bind(1, component)
    try words.run(row)
  }

  /// Returns the values for ``insert(_:component:)``, equal to what the SQL functions make.
  static func values(of event: Event) -> RowValues {
    var values = RowValues()
    values.reserve(
      octets: event.summary.utf8.count + event.location.utf8.count
        + event.description.utf8.count + 64, texts: 5, numbers: 0)
    values.set(2) { SearchText.write(wordsOf: event.summary, to: &$0) }
    values.set(3) { SearchText.write(wordsOf: event.location, to: &$0) }
    values.set(4) { SearchText.write(wordsOf: event.description, to: &$0) }
    values.set(5) { SearchText.write(wordsOf: event.organizer, event.attendees, to: &$0) }
    values.set(6) { SearchText.write(wordsOf: event.categories, to: &$0) }
    return values
  }

  /// Removes a component, which must still exist.
  func remove(_ component: Int64) throws(StoreError) {
    try run(
      """
      INSERT INTO search (search, rowid, summary, location, description, attendees, categories)
      VALUES ('delete', ?1, ?2, ?3, ?4, ?5, ?6)
      """, withTextsOf: component)
  }

  /// Removes the components of the series in `temp.leaving`, which must still exist.
  ///
  /// If these are at least half of all series, as after the first import, it is faster to clear the
  /// index and fill it again with the others.
  ///
  /// - Parameter count: the number of series in `temp.leaving`.
  func removeLeaving(_ count: Int) throws(StoreError) {
    let all = try database.integer("SELECT count(*) FROM series")
    guard all < 2 * Int64(count) else {
      return try database.statement(
        """
        INSERT INTO search (search, rowid, summary, location, description, attendees, categories)
        SELECT 'delete', key, search_text(summary), search_text(location),
          search_text(description), search_people(organizer || attendees),
          search_items(categories)
        FROM temp.leaving CROSS JOIN components ON components.series = leaving.series
        WHERE kind = 'event' ORDER BY key
        """
      ).run()
    }
    try database.statement("INSERT INTO search (search) VALUES ('delete-all')").run()
    try database.statement(
      """
      INSERT INTO search (rowid, summary, location, description, attendees, categories)
      SELECT key, search_text(summary), search_text(location), search_text(description),
        search_people(organizer || attendees), search_items(categories)
      FROM components
      WHERE kind = 'event' AND series NOT IN (SELECT series FROM temp.leaving) ORDER BY key
      """
    ).run()
  }

  /// Runs a statement with the key and texts of a component, if that is an event.
  ///
  /// Why not one "INSERT … SELECT"? It may write several rows, so SQLite begins a savepoint, which
  /// makes FTS5 flush: an import took 250 ms longer, while the index itself takes 50.
  private func run(_ sql: StaticString, withTextsOf component: Int64) throws(StoreError) {
    let texts = try database.statement(
      """
      SELECT key, search_text(summary), search_text(location), search_text(description),
        search_people(organizer || attendees), search_items(categories)
      FROM components WHERE key = ?1 AND kind = 'event'
      """)
    texts.bind(1, component)
    defer { texts.reset() }
    guard try texts.step() else { return }
    let row = try database.statement(sql)
    row.bind(1, component)
    for column in 1...5 as ClosedRange<Int32> { row.bind(column + 1, texts.bytes(column)) }
    try row.run()
  }

  /// Returns the matching components, best first by FTS5's rank, newer ones first among equals.
  ///
  /// The rank depends on how rare and how frequent the words are, and on their column; the summary
  /// weighs most.
  ///
  /// - Parameter expression: see ``SearchQuery/expression``.
  ///
  /// Source: sqlite.org/fts5.html section 5.1.1.
  func ranked(_ expression: String) throws(StoreError) -> [SearchHit] {
    let row = try database.statement(
      """
      SELECT rowid, bm25(search, 10.0, 4.0, 1.0, 3.0, 4.0) FROM search WHERE search MATCH ?1
      """)
    row.bind(1, expression)
    defer { row.reset() }
    var hits: [SearchHit] = []
    while try row.step() {
      hits.append(SearchHit(component: row.integer(0), rank: row.real(1)))
    }
    hits.sort { ($0.rank, -$0.component) < ($1.rank, -$1.component) }
    return hits
  }

  /// Returns the matching components, newest first.
  ///
  /// - Parameters:
  ///   - before: only those with a lesser key.
  ///   - limit: the most that are returned.
  func newest(
    _ expression: String, before: Int64 = .max, limit: Int
  ) throws(StoreError) -> [Int64] {
    let row = try database.statement(
      """
      SELECT rowid FROM search WHERE search MATCH ?1 AND rowid < ?2 ORDER BY rowid DESC LIMIT ?3
      """)
    row.bind(1, expression)
    row.bind(2, before)
    row.bind(3, Int64(limit))
    return try row.integers()
  }
}
