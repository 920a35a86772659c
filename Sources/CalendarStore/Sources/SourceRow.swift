package import CalendarModel

/// A source of calendars, as the store has it.
package struct SourceRow: Hashable, Sendable {
  /// Its name in the calendars that come from it; see ``CalendarInfo/source``.
  package let id: String
  /// Such as "caldav".
  package let kind: String
  /// What the user set, as JSON. Holds no secret.
  package var settings: String
  /// How its last runs ended, as JSON.
  package var state: String

  package init(id: String, kind: String, settings: String, state: String) {
    self.id = id
    self.kind = kind
    self.settings = settings
    self.state = state
  }
}

/// A calendar of a source.
package struct CollectionRow: Hashable, Sendable {
  /// The ID of the source.
  package let source: String
  /// As the source writes it.
  package let href: String
  /// Our calendar; nil if it was not chosen, and is never asked for.
  package var calendar: CalendarID?
  /// The state of the source when the items were complete; empty at first.
  package var token: String

  package init(source: String, href: String, calendar: CalendarID?, token: String = "") {
    self.source = source
    self.href = href
    self.calendar = calendar
    self.token = token
  }
}

/// An event, to-do or other component of a collection, and how it compares with ours.
package struct ItemRow: Hashable, Sendable {
  package let href: String
  package let uid: EventUID
  /// The version of the source that both sides agreed on; empty if they never did.
  package let etag: String
  /// The Schedule-Tag of that version; empty if it has none.
  package let scheduleTag: String
  /// ``content`` of the series when both sides agreed.
  package let agreed: UInt64
  /// The revision that wrote what the series holds now; nil if it was removed here.
  package let content: UInt64?
  /// The text of the item when both sides agreed; nil for that of the series, until it is edited.
  package let base: String?

  /// Whether it had guests when both sides agreed; only known once it was changed here.
  package var hadGuests: Bool { base.map { $0.contains("\r\nATTENDEE") } ?? false }
  package var isRemoved: Bool { content == nil }
  package var isEdited: Bool { content.map { $0 != agreed } ?? false }
}

/// An item that was sent to a source, until it is known whether the source has it.
package struct SentItem: Hashable, Sendable {
  package let href: String
  package let uid: EventUID
  /// The ``ItemRow/content`` that was sent; a later one is an edit that the source cannot have.
  package let content: UInt64
  package let text: String

  package init(href: String, uid: EventUID, content: UInt64, text: String) {
    self.href = href
    self.uid = uid
    self.content = content
    self.text = text
  }
}
