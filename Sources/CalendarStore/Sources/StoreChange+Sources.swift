package import CalendarModel

/// Writes sources, their collections and items, together with the events of a change.
///
/// They are no part of what is announced, logged or undone.
extension StoreChange {
  /// Adds a source, or overwrites the one with its ID.
  ///
  /// - Throws: ``StoreError`` when the database cannot be written.
  package func put(source: SourceRow) throws(StoreError) {
    try step { () throws(StoreError) in
      let row = try rows.database.statement(
        """
        INSERT INTO sources (id, kind, settings, state) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (id) DO UPDATE SET settings = ?3, state = ?4
        """)
      row.bind(1, source.id)
      row.bind(2, source.kind)
      row.bind(3, source.settings)
      row.bind(4, source.state)
      try row.run()
    }
  }

  /// Removes a source with its collections and items; its calendars and their events stay.
  ///
  /// - Throws: ``StoreError`` when the database cannot be written.
  package func remove(source id: String) throws(StoreError) {
    try step { () throws(StoreError) in
      let row = try rows.database.statement("DELETE FROM sources WHERE id = ?1")
      row.bind(1, id)
      try row.run()
    }
  }

  /// Adds a collection, or overwrites the one with its href.
  ///
  /// With another calendar than before it has no items and no token: what is missing in a new
  /// calendar was not removed.
  ///
  /// - Throws: ``StoreError`` when the database cannot be written.
  package func put(collection: CollectionRow) throws(StoreError) {
    try step { () throws(StoreError) in
      let items = try rows.database.statement(
        """
        DELETE FROM items WHERE collection = (SELECT key FROM collections
          WHERE href = ?2 AND calendar <> ?3 AND source = (SELECT key FROM sources WHERE id = ?1))
        """)
      items.bind(1, collection.source)
      items.bind(2, collection.href)
      items.bind(3, collection.calendar?.text ?? "")
      try items.run()
      let sent = try rows.database.statement(
        """
        DELETE FROM sent_items WHERE collection = (SELECT key FROM collections
          WHERE href = ?2 AND calendar <> ?3 AND source = (SELECT key FROM sources WHERE id = ?1))
        """)
      sent.bind(1, collection.source)
      sent.bind(2, collection.href)
      sent.bind(3, collection.calendar?.text ?? "")
      try sent.run()
      let row = try rows.database.statement(
        """
        INSERT INTO collections (source, href, calendar, token)
        SELECT key, ?2, ?3, ?4 FROM sources WHERE id = ?1
        ON CONFLICT (source, href) DO UPDATE SET
          token = CASE WHEN calendar = ?3 THEN ?4 ELSE '' END, calendar = ?3
        """)
      row.bind(1, collection.source)
      row.bind(2, collection.href)
      row.bind(3, collection.calendar?.text ?? "")
      row.bind(4, collection.token)
      try row.run()
    }
  }

  /// Records what both sides agree on of an item.
  ///
  /// - Parameters:
  ///   - scheduleTag: of the version that `etag` names; empty if it has none.
  ///   - content: the ``ItemRow/content`` that they agree on; nil for what it is now, 0 for none
  ///     that it was: then it is still to be sent.
  ///   - base: the text that they agree on; nil for that of the series.
  /// - Throws: ``StoreError`` when the database cannot be written.
  package func agree(
    on uid: EventUID, at href: String, etag: String, scheduleTag: String = "",
    content: UInt64? = nil, base: String? = nil, in collection: CollectionRow
  ) throws(StoreError) {
    try step { () throws(StoreError) in
      let row = try rows.database.statement(
        """
        INSERT INTO items (collection, href, uid, etag, base, schedule_tag, content)
        SELECT key, ?3, ?4, ?5, ?7, ?8, coalesce(?6, (
          SELECT content FROM series WHERE uid = ?4
            AND calendar = (SELECT key FROM calendars WHERE id = collections.calendar)), 0)
        FROM collections
        WHERE href = ?2 AND source = (SELECT key FROM sources WHERE id = ?1)
        ON CONFLICT (collection, href)
        DO UPDATE SET uid = ?4, etag = ?5, content = excluded.content, base = ?7,
          schedule_tag = ?8
        """)
      row.bind(1, collection.source)
      row.bind(2, collection.href)
      row.bind(3, href)
      row.bind(4, uid.text)
      row.bind(5, etag)
      row.bind(6, content.map(Int64.init))
      row.bind(7, base)
      row.bind(8, scheduleTag)
      try row.run()
    }
  }

  /// Writes a series as its source has rewritten what was sent.
  ///
  /// That is no edit: the change that was sent can still be undone.
  ///
  /// - Throws: ``StoreError`` when the database cannot be written.
  package func put(rewritten series: EventSeries) throws(StoreError) {
    try step { () throws(StoreError) in
      guard let calendar = rows.calendars[series.calendar],
        let content = try rows.content(of: series.uid, in: calendar.key)
      else { return try put(series) }
      try put(series)
      let row = try rows.database.statement(
        "UPDATE series SET content = ?3 WHERE calendar = ?1 AND uid = ?2")
      row.bind(1, calendar.key)
      row.bind(2, series.uid.text)
      row.bind(3, content)
      try row.run()
    }
  }

  /// Forgets an item: neither side has it any more.
  ///
  /// - Throws: ``StoreError`` when the database cannot be written.
  package func forget(item href: String, in collection: CollectionRow) throws(StoreError) {
    try step { () throws(StoreError) in
      let row = try rows.database.statement(
        """
        DELETE FROM items WHERE href = ?3 AND collection = (SELECT key FROM collections
          WHERE href = ?2 AND source = (SELECT key FROM sources WHERE id = ?1))
        """)
      row.bind(1, collection.source)
      row.bind(2, collection.href)
      row.bind(3, href)
      try row.run()
    }
  }
}
