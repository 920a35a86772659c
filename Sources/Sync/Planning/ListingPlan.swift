/// An item of a remote that a synchronisation has stored here.
package struct KnownItem: Hashable, Sendable {
  /// Its name, as the remote writes it.
  package let href: String
  /// The ETag of the stored version; empty if the remote gives none.
  package let etag: String
  package let uid: String
  /// Whether it was edited here since the last synchronisation.
  package var isEdited = false
  /// Whether it was removed here since the last synchronisation.
  package var isRemoved = false

  package init(href: String, etag: String, uid: String) {
    self.href = href
    self.etag = etag
    self.uid = uid
  }
}

/// An item in an answer to ``RemoteRequest/changes``.
package struct ListedItem: Hashable, Sendable {
  package let href: String
  package let etag: String
  /// Its text; nil if it is to be fetched.
  package let text: String?

  package init(href: String, etag: String, text: String? = nil) {
    self.href = href
    self.etag = etag
    self.text = text
  }
}

/// What a complete answer to ``RemoteRequest/changes`` means for the items of a collection.
package struct ListingPlan: Hashable, Sendable {
  /// The items to fetch, as the remote writes them: new ones, and those whose ETag differs or is
  /// missing.
  package private(set) var fetch: [String] = []
  /// The new and changed items whose text is in the answer.
  package private(set) var texts: [ListedItem] = []
  /// The known items that are gone on the remote.
  package private(set) var gone: [KnownItem] = []
  /// Whether the answer names no item at all, not even one that cannot be read.
  package let isEmpty: Bool

  /// - Parameters:
  ///   - known: The items that the last synchronisation left; only these can be gone.
  ///   - names: How the remote names items. Items of other collections are ignored.
  ///   - listed: The items of the answer. If one is listed twice, the first counts.
  ///   - gone: The items of which the remote says that they are not there any more.
  ///   - unreadable: The items that are there, but cannot be read.
  ///   - isFull: See ``RemoteListing/isFull``. Only then what is not listed is gone, and only if
  ///     everything could be read.
  package init(
    known: [KnownItem], names: ItemNames, listed: [ListedItem], gone: [String],
    unreadable: [String], isFull: Bool
  ) {
    var knownItems: [String: KnownItem] = [:]
    for item in known { names.key(item.href).map { knownItems[$0] = item } }
    var present = Set(unreadable.compactMap(names.key))
    let isAnyUnreadable = !unreadable.isEmpty
    for item in listed {
      guard let key = names.key(item.href), present.insert(key).inserted else { continue }
      if !item.etag.isEmpty, knownItems[key]?.etag == item.etag { continue }
      if item.text == nil { fetch.append(item.href) } else { texts.append(item) }
    }
    isEmpty = present.isEmpty && !isAnyUnreadable
    let certainlyGone = Set(gone.compactMap(names.key))
    self.gone = known.filter { item in
      guard let key = names.key(item.href), !present.contains(key) else { return false }
      return certainlyGone.contains(key) || isFull && !isAnyUnreadable
    }
  }
}
