package import CalendarModel

/// Reads sources, their collections and items.
extension EventStore {
  /// Returns all sources, in the order in which they were added.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func sources() throws(StoreError) -> [SourceRow] {
    let row = try database.statement("SELECT id, kind, settings, state FROM sources ORDER BY key")
    defer { row.reset() }
    var sources: [SourceRow] = []
    while try row.step() {
      sources.append(
        SourceRow(
          id: row.text(0), kind: row.text(1), settings: row.text(2), state: row.text(3)))
    }
    return sources
  }

  /// Returns the collections of a source, in the order in which they were found.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func collections(of source: String) throws(StoreError) -> [CollectionRow] {
    let row = try database.statement(
      """
      SELECT href, calendar, token FROM collections
      WHERE source = (SELECT key FROM sources WHERE id = ?1) ORDER BY key
      """)
    row.bind(1, source)
    defer { row.reset() }
    var collections: [CollectionRow] = []
    while try row.step() {
      let calendar = row.text(1)
      collections.append(
        CollectionRow(
          source: source, href: row.text(0),
          calendar: calendar.isEmpty ? nil : CalendarID(calendar), token: row.text(2)))
    }
    return collections
  }

  /// Returns the items of a collection, compared with the series of its calendar.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func items(of collection: CollectionRow) throws(StoreError) -> [ItemRow] {
    try items(of: collection, "ORDER BY items.key")
  }

  /// Returns the items that were edited or removed here.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func changedItems(of collection: CollectionRow) throws(StoreError) -> [ItemRow] {
    try items(of: collection, "AND series.content IS NOT items.content ORDER BY items.key")
  }

  /// Returns an item by its href; nil if it is not known.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func item(_ href: String, of collection: CollectionRow) throws(StoreError) -> ItemRow? {
    try items(of: collection, "AND href = ?4", href).first
  }

  /// Returns the item of a series; nil if it has none.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func item(
    of uid: EventUID, in collection: CollectionRow
  ) throws(StoreError) -> ItemRow? {
    try items(of: collection, "AND items.uid = ?4", uid.text).first
  }

  private func items(
    of collection: CollectionRow, _ condition: StaticString, _ value: String? = nil
  ) throws(StoreError) -> [ItemRow] {
    guard let calendar = collection.calendar else { return [] }
    let row = try database.statement(
      """
      SELECT href, items.uid, etag, schedule_tag, items.content, series.content, base FROM items
      LEFT JOIN series ON series.uid = items.uid
        AND series.calendar = (SELECT key FROM calendars WHERE id = ?3)
      WHERE collection = (SELECT key FROM collections
        WHERE href = ?2 AND source = (SELECT key FROM sources WHERE id = ?1))
      """, condition)
    row.bind(1, collection.source)
    row.bind(2, collection.href)
    row.bind(3, calendar.text)
    if let value { row.bind(4, value) }
    defer { row.reset() }
    var items: [ItemRow] = []
    while try row.step() {
      items.append(
        ItemRow(
          href: row.text(0), uid: EventUID(row.text(1)), etag: row.text(2),
          scheduleTag: row.text(3), agreed: UInt64(max(0, row.integer(4))),
          content: row.optionalInteger(5).map { UInt64(max(0, $0)) }, base: row.optionalText(6)))
    }
    return items
  }

  /// Returns the series of a collection's calendar that are no items yet: added here.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func newcomers(
    of collection: CollectionRow
  ) throws(StoreError) -> [(uid: EventUID, content: UInt64)] {
    guard let calendar = collection.calendar else { return [] }
    let row = try database.statement(
      """
      SELECT uid, content FROM series
      WHERE calendar = (SELECT key FROM calendars WHERE id = ?3) AND NOT EXISTS (
        SELECT 1 FROM items WHERE items.uid = series.uid AND collection = (
          SELECT key FROM collections
          WHERE href = ?2 AND source = (SELECT key FROM sources WHERE id = ?1)))
      ORDER BY key
      """)
    row.bind(1, collection.source)
    row.bind(2, collection.href)
    row.bind(3, calendar.text)
    defer { row.reset() }
    var newcomers: [(uid: EventUID, content: UInt64)] = []
    while try row.step() {
      newcomers.append((EventUID(row.text(0)), UInt64(max(0, row.integer(1)))))
    }
    return newcomers
  }

  /// Returns how many of the changed, removed and added events of a collection have guests, or had
  /// some.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func changesWithGuests(of collection: CollectionRow) throws(StoreError) -> Int {
    var count = 0
    for item in try changedItems(of: collection) {
      let hasGuests = try hasGuests(item.uid, in: collection)
      if hasGuests || item.hadGuests { count += 1 }
    }
    for newcomer in try newcomers(of: collection) {
      if try hasGuests(newcomer.uid, in: collection) { count += 1 }
    }
    return count
  }

  private func hasGuests(
    _ uid: EventUID, in collection: CollectionRow
  ) throws(StoreError) -> Bool {
    let row = try database.statement(
      """
      SELECT 1 FROM components WHERE attendees <> '' AND series = (
        SELECT key FROM series
        WHERE uid = ?1 AND calendar = (SELECT key FROM calendars WHERE id = ?2)) LIMIT 1
      """)
    row.bind(1, uid.text)
    row.bind(2, collection.calendar?.text ?? "")
    defer { row.reset() }
    return try row.step()
  }

  /// Returns the revision that wrote what a series holds; nil if there is no such series.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func content(of uid: EventUID, in calendar: CalendarID) throws(StoreError) -> UInt64? {
    let row = try database.statement(
      """
      SELECT content FROM series
      WHERE uid = ?1 AND calendar = (SELECT key FROM calendars WHERE id = ?2)
      """)
    row.bind(1, uid.text)
    row.bind(2, calendar.text)
    defer { row.reset() }
    return try row.step() ? UInt64(max(0, row.integer(0))) : nil
  }
}
