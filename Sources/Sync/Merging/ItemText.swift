import CivilTime
package import ICalendar

/// The text of an item: a VCALENDAR with all components of one UID and their time zones.
package struct ItemText: Sendable {
  /// The properties of the VCALENDAR.
  var lines: [PropertyLine]
  var zones: [ComponentTree]
  /// The event, to-do or journal entry and its overrides.
  var components: [ComponentTree]

  /// - Throws: `CalendarTextError` if any of it cannot be read; it names the line.
  package init(_ text: String) throws(CalendarTextError) {
    let calendar = try ComponentTree(calendar: text)
    lines = calendar.lines
    zones = calendar.children.filter { $0.name == "VTIMEZONE" }
    components = calendar.children.filter { $0.name != "VTIMEZONE" }
  }

  /// An item that says nothing: the base of an item that was created on both sides.
  static let empty = ItemText()

  private init() {
    lines = []
    zones = []
    components = []
  }

  /// The text as a server stores it.
  package var text: String {
    ComponentTree(name: "VCALENDAR", lines: lines, children: zones + components).text
  }

  /// Returns the text with another UID.
  package func text(uid: String) -> String {
    var calendar = self
    calendar.components = []
    let end = "END:VCALENDAR\r\n"
    return String(decoding: calendar.text.utf8.dropLast(end.utf8.count), as: UTF8.self)
      + components.map { renamedComponent($0.text, uid: uid, renamed: [:]) }.joined() + end
  }

  /// What the item says, in one spelling.
  ///
  /// The properties of the VCALENDAR say which program wrote it. Servers rewrite time zones, and
  /// DTSTAMP with each download.
  package var meaning: String {
    components.map { $0.meaning(without: ["DTSTAMP"]) }.sorted().joined(separator: "\n")
  }

  /// What the item says besides its version; see ``PropertyRule/bookkeeping``.
  var content: String { components.map(\.content).sorted().joined(separator: "\n") }

  /// The latest LAST-MODIFIED of the components; nil if none has one.
  var lastModified: Timestamp? {
    components.compactMap { component in
      component.first("LAST-MODIFIED").flatMap { try? Timestamp(text: $0.value) }
    }.max()
  }

  /// The TZIDs that the components use.
  var zoneNames: Set<String> {
    var names: Set<String> = []
    func note(_ component: ComponentTree) {
      for line in component.lines { line.zoneName.map { _ = names.insert($0) } }
      component.children.forEach(note)
    }
    components.forEach(note)
    return names
  }
}

extension PropertyLine {
  /// The TZID parameter without quotes.
  var zoneName: String? {
    parameters.first { $0.name == "TZID" }?.value.filter { $0 != "\"" }
  }
}

extension ComponentTree {
  /// The value of the RECURRENCE-ID of an override; "" of the event itself.
  var recurrenceID: String { first("RECURRENCE-ID")?.value ?? "" }

  /// What the component says besides its version.
  var content: String { meaning(without: PropertyRule.bookkeeping) }
}
