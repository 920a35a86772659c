/// What happened to an item here since the last synchronisation.
package enum LocalItem: Hashable, Sendable {
  /// Nothing.
  case unchanged
  /// It was changed or created; its text now.
  case edited(String)
  case removed
  /// It was never here.
  case absent
}

/// What happened to an item on the server since the last synchronisation.
package enum RemoteItem: Hashable, Sendable {
  /// Nothing; also of an item that was never there.
  case unchanged
  /// It was changed or created; its text and ETag now.
  case changed(String, etag: String)
  /// It is certainly gone.
  case gone
}

/// What is to be done with one item, and what people are told about it.
package struct ItemDecision: Hashable, Sendable {
  package let action: Action
  /// What is reported once; nil if there was no conflict.
  package let report: Report?

  /// What is to be done. The new state of the item is stored together with it.
  package enum Action: Hashable, Sendable {
    case nothing
    /// Store the server's text here; the item counts as not edited.
    case store(String)
    /// Remove the item here.
    case remove
    /// Drop the state of the item: it is on neither side.
    case forget
    /// Write the text to the server, if it still has this ETag; nil: if there is no such item.
    case push(String, match: String?)
    /// Store the merged text here and write it to the server, if it still has this ETag.
    ///
    /// The base of the item becomes the server's text, which is merged in.
    case storeAndPush(String, match: String)
    /// Delete the item on the server, if it still has this ETag.
    case delete(match: String)
  }

  /// How a conflict was settled.
  package enum Report: Hashable, Sendable {
    /// Both sides changed these properties; see ``ItemMerge/conflicts``.
    ///
    /// The losing text goes to the trash.
    case conflict(properties: [String], winner: MergeSide, losing: String)
    /// It was deleted on the server, but edited here: it is created there again.
    case createdAgain
    /// It was deleted here, but edited on the server: it is here again.
    case deletionDropped
  }

  init(_ action: Action, _ report: Report? = nil) {
    self.action = action
    self.report = report
  }
}

/// Decides what is done with one item.
///
/// - Parameters:
///   - base: The text that the last synchronisation left; nil if it was not stored, as of an item
///     that is not edited here, or if the item is new on both sides.
///   - etag: The ETag of the base; nil if the item was never on the server. An edit is only written
///     over the version that it was made from.
/// - Throws: ``UnreadableItem`` if a text that must be merged cannot be read.
package func decide(
  base: String?, etag: String?, local: LocalItem, remote: RemoteItem
) throws(UnreadableItem) -> ItemDecision {
  switch (local, remote) {
  case (.unchanged, .unchanged), (.absent, .unchanged): ItemDecision(.nothing)
  case (.unchanged, .gone): ItemDecision(.remove)
  case (.unchanged, .changed(let text, _)), (.absent, .changed(let text, _)):
    ItemDecision(.store(text))
  case (.removed, .gone), (.absent, .gone): ItemDecision(.forget)
  case (.removed, .unchanged):
    ItemDecision(etag.map { .delete(match: $0) } ?? .forget)
  case (.removed, .changed(let text, let etag)):
    if let base, try read(base, .base).content == read(text, .remote).content {
      ItemDecision(.delete(match: etag))
    } else {
      ItemDecision(.store(text), .deletionDropped)
    }
  case (.edited(let text), .unchanged): ItemDecision(.push(text, match: etag))
  case (.edited(let text), .gone): ItemDecision(.push(text, match: nil), .createdAgain)
  case (.edited(let ours), .changed(let theirs, let etag)):
    try settle(base: base, local: ours, remote: theirs, etag: etag)
  }
}

private func settle(
  base: String?, local: String, remote: String, etag: String
) throws(UnreadableItem) -> ItemDecision {
  let baseItem: ItemText? = if let base { try read(base, .base) } else { nil }
  let (ours, theirs) = (try read(local, .local), try read(remote, .remote))
  // The server only wrote it in another way.
  if theirs.meaning == baseItem?.meaning { return ItemDecision(.push(local, match: etag)) }
  let merge = ItemMerge(base: baseItem, local: ours, remote: theirs)
  let report: ItemDecision.Report? =
    merge.conflicts.isEmpty
    ? nil
    : .conflict(
      properties: merge.conflicts, winner: merge.winner,
      losing: merge.winner == .local ? remote : local)
  return merge.item.meaning == theirs.meaning
    ? ItemDecision(.store(remote), report)
    : ItemDecision(.storeAndPush(merge.item.text, match: etag), report)
}
