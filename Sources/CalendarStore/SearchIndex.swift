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

  /// Files the components of a series, which are written already.
  func insert(series: Int64) throws(StoreError) {
    try forEachComponent(of: series, SearchIndex.insert)
  }

  /// Files a component that has just been written, without reading it again.
  func insert(_ event: Event, component: Int64) throws(StoreError) {
    let row = try database.statement(SearchIndex.insert)
    row.bind(1, component)
    row.bind(2, SearchText.words(of: event.summary))
    row.bind(3, SearchText.words(of: event.location))
    row.bind(4, SearchText.words(of: event.description))
    row.bind(5, SearchText.words(of: event.organizer.map { [$0] } ?? [], event.attendees))
    row.bind(6, SearchText.words(of: event.categories))
    try row.run()
  }

  /// Takes out the components of a series, which are still there.
  func remove(series: Int64) throws(StoreError) {
    try forEachComponent(
      of: series,
      """
      INSERT INTO search (search, rowid, summary, location, description, attendees, categories)
      VALUES ('delete', ?1, ?2, ?3, ?4, ?5, ?6)
      """)
  }

  /// Runs a statement with the key and the texts of each component.
  ///
  /// Why not one "INSERT … SELECT"? It may write several rows, and so SQLite makes a
  /// savepoint for it, at which FTS5 writes out all that it has gathered: an import took
  /// 250 ms longer, where the index itself takes 50.
  private func forEachComponent(of series: Int64, _ sql: StaticString) throws(StoreError) {
    let texts = try database.statement(
      """
      SELECT key, search_text(summary), search_text(location), search_text(description),
        search_people(organizer || attendees), search_items(categories)
      FROM components WHERE series = ?1 AND kind = 'event'
      """)
    texts.bind(1, series)
    defer { texts.reset() }
    let row = try database.statement(sql)
    while try texts.step() {
      row.bind(1, texts.integer(0))
      for column in 1...5 as ClosedRange<Int32> { row.bind(column + 1, texts.bytes(column)) }
      try row.run()
    }
  }

  /// Returns the components that have all the words, best first: by how rare and
  /// how many the words are and where they stand, a title before all else. Of equals
  /// the one that was written last comes first.
  ///
  /// Source: sqlite.org/fts5.html section 5.1.1.
  func hits(of query: SearchQuery) throws(StoreError) -> [SearchHit] {
    let row = try database.statement(
      """
      SELECT rowid, bm25(search, 10.0, 4.0, 1.0, 3.0, 4.0) FROM search WHERE search MATCH ?1
      """)
    row.bind(1, query.expression)
    defer { row.reset() }
    var hits: [SearchHit] = []
    while try row.step() {
      hits.append(SearchHit(component: row.integer(0), rank: row.real(1)))
    }
    hits.sort { ($0.rank, -$0.component) < ($1.rank, -$1.component) }
    return hits
  }
}

/// A component that has the words.
package struct SearchHit: Equatable, Sendable {
  /// Its key, which it keeps until its event is written anew.
  package let component: Int64
  /// Less is better.
  package let rank: Double
}
