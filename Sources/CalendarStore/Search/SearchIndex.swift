import CalendarModel

/// Which components have which words: an FTS5 table with a row for each VEVENT,
/// master or override, under the key of the component.
///
/// The table keeps words and where they stand, and no texts: those are in
/// `components`. To take a row out of such a table one has to say what went in; so
/// both go through ``SearchText``, before the component is removed and after it is
/// written, in one transaction with it.
///
/// Source: sqlite.org/fts5.html sections 4.4.1 and 6.4.
struct SearchIndex {
  let database: Database

  /// The column of a field.
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

  /// Files a component, which is written already.
  func insert(_ component: Int64) throws(StoreError) {
    try run(SearchIndex.insert, withTextsOf: component)
  }

  /// Files a component that has just been written, without reading it again.
  func insert(_ words: RowValues, component: Int64) throws(StoreError) {
    let row = try database.statement(SearchIndex.insert)
    row.bind(1, component)
    try words.run(row)
  }

  /// What ``insert(_:component:)`` takes of an event: what `search_text` and its like make of
  /// its columns.
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

  /// Takes out a component, which is still there.
  func remove(_ component: Int64) throws(StoreError) {
    try run(
      """
      INSERT INTO search (search, rowid, summary, location, description, attendees, categories)
      VALUES ('delete', ?1, ?2, ?3, ?4, ?5, ?6)
      """, withTextsOf: component)
  }

  /// Takes out the components of the series in `temp.leaving`, which are still there.
  ///
  /// Where the others are fewer, as after the import of a first calendar, the index is
  /// emptied and those are filed again: that takes as long as they do.
  ///
  /// - Parameter count: how many series there are in `temp.leaving`.
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

  /// Runs a statement with the key and the texts of a component, if that is searched.
  ///
  /// Why not one "INSERT … SELECT"? It may write several rows, and so SQLite makes a
  /// savepoint for it, at which FTS5 writes out all that it has gathered: an import took
  /// 250 ms longer, where the index itself takes 50.
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

  /// Returns the components that FTS5 finds, best first: by how rare and how many the
  /// words are and where they stand, a title before all else. Of equals the one that
  /// was added last comes first.
  ///
  /// - Parameter expression: as of ``SearchQuery/expression``.
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

  /// Returns the components that FTS5 finds, those that were added last first.
  ///
  /// - Parameters:
  ///   - before: only those with a lesser key.
  ///   - limit: the most.
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
    defer { row.reset() }
    var found: [Int64] = []
    while try row.step() { found.append(row.integer(0)) }
    return found
  }
}
