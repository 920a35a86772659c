import CalendarModel

/// Reads the components of many events as an export needs them, without making events of them.
///
/// One statement runs through all of them: who asks again for each event waits twice as long. So
/// it is cheap for events whose numbers ascend, and right for any. There is one at a time, within
/// one turn, and nothing is written meanwhile.
package struct ComponentCursor: ~Copyable {
  /// One component of an event.
  package struct Component {
    /// Its canonical text in UTF-8, good until the next one is read; empty until
    /// somebody has written it.
    package let text: UnsafeBufferPointer<UInt8>
    /// Whether its CLASS is PUBLIC, or not given.
    package let isPublic: Bool
  }

  private let row: Statement
  /// The event of the component at which the statement stands; nil where it has not begun, and
  /// after the last.
  private var event: Int64?
  /// The events after this number, and before ``event``, have no components.
  private var passed = Int64.max

  /// How many components of events that are not wanted are skipped before it is cheaper to ask
  /// again.
  private static let skipLimit = 8

  /// Prepares the reader.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package init(_ store: EventStore) throws(StoreError) {
    row = try store.database.statement(
      """
      SELECT series, component, class FROM components WHERE series >= ?1 ORDER BY series, key
      """)
  }

  deinit { row.reset() }

  /// Calls `body` with each component of an event, the master first; never for one
  /// that is gone.
  ///
  /// - Parameter key: the number of the event.
  /// - Throws: ``StoreError`` where the database cannot be read.
  package mutating func forEachComponent(
    ofEvent key: Int64, _ body: (Component) -> Void
  ) throws(StoreError) {
    try go(to: key)
    while event == key {
      body(
        Component(
          text: row.bytes(1), isPublic: row.text(2) == Event.Classification.open.rawValue))
      try step()
    }
    passed = key
  }

  /// Goes to the first component of an event, or of those after it.
  private mutating func go(to key: Int64) throws(StoreError) {
    if passed < key {
      for _ in 0..<ComponentCursor.skipLimit {
        guard let event, event < key else { return }
        try step()
      }
    }
    row.reset()
    row.bind(1, key)
    try step()
  }

  private mutating func step() throws(StoreError) {
    event = try row.step() ? row.integer(0) : nil
  }
}
