import CalendarBus
import CalendarStore

/// What runs of sources need of the agent.
struct SourceAccess {
  let context: AgentContext
  let storage: Storage
  let changes: ChangeRunner

  var coder: ItemCoder { ItemCoder(context: context) }

  /// Reads from the store.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func read<Answer>(
    _ body: (EventStore) throws(StoreError) -> Answer
  ) throws(CallError) -> Answer {
    let store = try storage.store()
    return try translated { () throws(StoreError) in try body(store) }
  }

  /// Changes events and the state of sources together.
  ///
  /// - Throws: ``CallError`` of the kinds `busy` and `storageFailed`.
  @discardableResult
  func change(
    _ body: (StoreChange) throws(CallError) -> Void
  ) throws(CallError) -> ChangeSet {
    try changes.change(origin: .sync, body)
  }
}
