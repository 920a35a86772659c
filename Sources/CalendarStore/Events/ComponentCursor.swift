import CalendarModel

/// Reads the stored text of components for an export, without decoding events.
///
/// One statement scans the components of all events: a query for each event would take twice as
/// long. Ascending keys are cheap, any order is correct. Use one cursor at a time, and write
/// nothing while it is in use.
package struct ComponentCursor: ~Copyable {
  /// One component of an event.
  package struct Component {
    /// The canonical text in UTF-8, valid until the next read; empty if none was stored yet.
    package let text: UnsafeBufferPointer<UInt8>
    /// Whether its CLASS is PUBLIC or absent.
    package let isPublic: Bool
  }

  private let row: Statement
  /// The event of the statement's current row; nil before the first row and after the last.
  private var event: Int64?
  /// No event between this key and ``event`` has components.
  private var passed = Int64.max

  /// How many unwanted components are skipped before the statement is restarted instead.
  private static let skipLimit = 8

  /// Prepares the statement.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package init(_ store: EventStore) throws(StoreError) {
    row = try store.database.statement(
      """
      SELECT series, component, class FROM components WHERE series >= ?1 ORDER BY series, key
      """)
  }

  deinit { row.reset() }

  /// Calls `body` with each component of an event, the master first; never if the event is gone.
  ///
  /// - Parameter key: the key of the event.
  /// - Throws: ``StoreError`` when the database cannot be read.
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

  /// Moves to the first component of an event, or else of the next one that has components.
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
