import CalendarModel

/// Keeps what is sent to a source until its answer: if that is lost, the source may have it or not,
/// or get it later, when a program that was killed has sent it already.
extension StoreChange {
  /// Notes an item that is about to be sent.
  ///
  /// - Throws: ``StoreError`` when the database cannot be written.
  package func note(_ item: SentItem, in collection: CollectionRow) throws(StoreError) {
    try step { () throws(StoreError) in
      let row = try rows.database.statement(
        """
        INSERT OR REPLACE INTO sent_items (collection, href, uid, content, text)
        SELECT key, ?3, ?4, ?5, ?6 FROM collections
        WHERE href = ?2 AND source = (SELECT key FROM sources WHERE id = ?1)
        """)
      row.bind(1, collection.source)
      row.bind(2, collection.href)
      row.bind(3, item.href)
      row.bind(4, item.uid.text)
      row.bind(5, Int64(item.content))
      row.bind(6, item.text)
      try row.run()
    }
  }

  /// Forgets what was sent to an href: it is known what the source has there.
  ///
  /// - Throws: ``StoreError`` when the database cannot be written.
  package func forgetSentItems(
    _ href: String, in collection: CollectionRow
  ) throws(StoreError) {
    try step { () throws(StoreError) in
      let row = try rows.database.statement(
        """
        DELETE FROM sent_items WHERE href = ?3 AND collection = (SELECT key FROM collections
          WHERE href = ?2 AND source = (SELECT key FROM sources WHERE id = ?1))
        """)
      row.bind(1, collection.source)
      row.bind(2, collection.href)
      row.bind(3, href)
      try row.run()
    }
  }
}

extension EventStore {
  /// Returns what was sent to an href without an answer, the latest first.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func sentItems(
    _ href: String, of collection: CollectionRow
  ) throws(StoreError) -> [SentItem] {
    let row = try database.statement(
      """
      SELECT uid, content, text FROM sent_items
      WHERE href = ?3 AND collection = (SELECT key FROM collections
        WHERE href = ?2 AND source = (SELECT key FROM sources WHERE id = ?1))
      ORDER BY content DESC
      """)
    row.bind(1, collection.source)
    row.bind(2, collection.href)
    row.bind(3, href)
    defer { row.reset() }
    var items: [SentItem] = []
    while try row.step() {
      items.append(
        SentItem(
          href: href, uid: EventUID(row.text(0)), content: UInt64(max(0, row.integer(1))),
          text: row.text(2)))
    }
    return items
  }
}
