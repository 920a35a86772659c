import CalendarModel

// The components of a series, one row each.

extension SeriesRows {
  /// Inserts the components of a series that has none.
  func insertComponents(
    _ components: some Collection<PreparedComponent>, _ key: Int64
  ) throws(StoreError) {
    let row = try database.statement(parts: ComponentRow.insert)
    for component in components {
      row.bind(1, key)
      try component.row.run(row)
      try words.wrote(component)
    }
  }

  /// Overwrites the components of a series.
  ///
  /// Each new component takes over the key of the old one at its position. The search index then
  /// needs no update for those with the same texts, which is most of thousands of overrides.
  func replaceComponents(of series: EventSeries, _ key: Int64) throws(StoreError) {
    cache.forget(key)
    let formers = try formers(of: key, beside: series.components)
    let update = try database.statement(parts: ComponentRow.update)
    var rest = formers[...]
    try ComponentRow.forEach(of: series, atMost: formers.count) { (row) throws(StoreError) in
      let former = rest.removeFirst()
      if !former.hasSameWords { try words.willReplace(former.component) }
      update.bind(1, former.component)
      try row.run(update)
    }
    for former in rest { try delete(component: former.component) }
    let added = series.components.dropFirst(formers.count)
    if !added.isEmpty {
      try insertComponents(PreparedComponent.all(of: series).dropFirst(formers.count), key)
    }
  }

  /// Returns the keys of a series' components, and whether the new ones have the same texts.
  private func formers(
    of key: Int64, beside components: EventSeries.Components?
  ) throws(StoreError) -> [(component: Int64, hasSameWords: Bool)] {
    let statement = try database.statement(ComponentRow.selectWords)
    statement.bind(1, key)
    defer { statement.reset() }
    var formers: [(component: Int64, hasSameWords: Bool)] = []
    var coming = components?.makeIterator()
    var row = RowValues()
    while try statement.step() {
      var hasSameWords = false
      if let event = coming?.next() {
        row.clear()
        ComponentRow.setWords(of: event, in: &row)
        hasSameWords = ComponentRow.hasSameWords(row, as: statement)
      }
      formers.append((statement.integer(0), hasSameWords))
    }
    return formers
  }

  /// Deletes the components of a series.
  func deleteComponents(_ key: Int64) throws(StoreError) {
    cache.forget(key)
    for former in try formers(of: key, beside: nil) { try delete(component: former.component) }
  }

  private func delete(component key: Int64) throws(StoreError) {
    try words.willDelete(key)
    let row = try database.statement("DELETE FROM components WHERE key = ?1")
    row.bind(1, key)
    try row.run()
  }
}
