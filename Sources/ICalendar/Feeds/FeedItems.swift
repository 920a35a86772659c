package import CalendarModel
import CivilTime
package import Messages

/// The items of a web calendar, each as a calendar server would store it: a VCALENDAR with all
/// components of one UID and the VTIMEZONEs that they use.
///
/// A component that cannot be read makes its item ``unreadable``; the others are not affected.
package struct FeedItems: Sendable {
  package struct Item: Hashable, Sendable {
    /// The UID in the text; made of ``key`` if the feed has none that lasts.
    package let uid: String
    package let text: String
    /// A hash of the text without DTSTAMP and LAST-MODIFIED, which many servers change with each
    /// download.
    package let fingerprint: String
    /// A hash that stays the same when the UID does not: of DTSTART, SUMMARY and RECURRENCE-ID.
    package let key: String
  }

  package struct Unreadable: Hashable, Sendable {
    /// The UID; "line 12" if that could not be read either.
    package let name: String
    package let reason: UserText
  }

  /// How UIDs begin that are made here.
  package static let prefixOfMadeUIDs = "feed-"

  package private(set) var unreadable: [Unreadable] = []
  /// NAME (RFC 7986), else X-WR-CALNAME; "" without either.
  package private(set) var name = ""
  /// X-APPLE-CALENDAR-COLOR, else COLOR (RFC 7986).
  package private(set) var color: EventColor?
  /// REFRESH-INTERVAL (RFC 7986), else X-PUBLISHED-TTL; 0 without either.
  package private(set) var refreshSeconds: Int64 = 0

  /// Whether it has had a NAME.
  private var hasOwnName = false
  private var groups: [FeedGroup] = []
  private var places: [String: Int] = [:]
  private var zones: [FeedGroup.Zone: [UInt8]] = [:]
  /// The properties of the current VCALENDAR that say how to read its components.
  private var head: [UInt8] = []

  /// Reads a feed.
  ///
  /// - Parameter ignoresUIDs: Whether the feed's UIDs change with each download, so that others are
  ///   made.
  /// - Throws: ``CalendarTextError`` if the text is not iCalendar ("not-icalendar"), too long
  ///   ("too-large"), or ends before END:VCALENDAR ("unexpected-end").
  package init(
    _ text: [UInt8], ignoringUIDs ignoresUIDs: Bool = false, limits: ReadLimits = ReadLimits()
  ) throws(CalendarTextError) {
    try limits.check(text)
    let text = utf8(fromUTF16: text) ?? text
    var reader = ComponentReader(text, limits: limits)
    var component = Component()
    var number = 0
    while true {
      var problems = Problems(limit: 16)
      guard let item = reader.next(&component, &problems) else { break }
      if reader.calendarNumber != number {
        number = reader.calendarNumber
        head = []
      }
      switch item {
      case .property: note(component, component.lines[0])
      case .component where component.name == "VTIMEZONE": keepZone(component, number)
      case .component: keep(component, number, ignoresUIDs)
      case .broken, .stray:
        if let problem = problems.list.last(where: { $0.severity == .refused }) {
          leaveOut(component, problem)
        }
      case .calendarInOneLine: throw noCalendar(text)
      }
    }
    guard reader.foundCalendar else { throw noCalendar(text) }
    if let line = reader.cutOffLine {
      throw CalendarTextError(
        line: line, column: 1, word: "unexpected-end",
        text: UserText("the calendar breaks off before its end"))
    }
    let names = Set(unreadable.map(\.name))
    groups.removeAll { names.contains($0.uid) }
    nameGroups()
  }

  /// The items, in the order in which each begins in the feed; each is made when it is asked for.
  package var items: some Collection<Item> {
    groups.lazy.map { $0.item(zones: zones) }
  }

  /// Whether there is neither an item nor anything unreadable.
  package var isEmpty: Bool { groups.isEmpty && unreadable.isEmpty }

  /// Hashes of the UIDs of the feed itself, by ``Item/key``, of at most `most` items.
  package func identities(most: Int) -> [String: String] {
    let sample = groups.filter { !$0.uid.isEmpty }.sorted { $0.key < $1.key }.prefix(most)
    return Dictionary(
      sample.map { group in
        var hash = FNVHash()
        hash.mix(group.uid)
        return (group.key, hash.text)
      }
    ) { first, _ in first }
  }

  // MARK: Reading

  /// Notes a property of a VCALENDAR itself.
  private mutating func note(_ component: Component, _ line: ContentLine) {
    func isNamed(_ name: String) -> Bool { component.isName(line.name, name) }
    let value = component.string(component.trimmed(line.value))
    switch line.property {
    case .version, .calendarZone: appendFolded(component.octets[line.range], to: &head)
    case .name where !hasOwnName: (name, hasOwnName) = (component.text(line.value), true)
    case .calendarName where name.isEmpty: name = component.text(line.value)
    case .color where color == nil: color = EventColor(calendarText: value)
    case .other where isNamed("PRODID") || isNamed("CALSCALE"):
      appendFolded(component.octets[line.range], to: &head)
    case .other where isNamed("X-APPLE-CALENDAR-COLOR"):
      // Apple also writes #RRGGBBAA.
      if let exact = EventColor(calendarText: String(value.prefix(7))) { color = exact }
    case .other where isNamed("REFRESH-INTERVAL") || isNamed("X-PUBLISHED-TTL"):
      guard let wait = try? CalendarDuration(text: value), !wait.isNegative else { break }
      if refreshSeconds == 0 || isNamed("REFRESH-INTERVAL") {
        refreshSeconds = wait.approximateSeconds
      }
    default: break
    }
  }

  private mutating func keepZone(_ component: Component, _ number: Int) {
    guard let id = component.first(.zoneID) else { return }
    let zone = FeedGroup.Zone(calendar: number, id: component.string(id.value))
    guard zones[zone] == nil else { return }
    var text: [UInt8] = []
    component.appendCanonicalText(to: &text)
    zones[zone] = text
  }

  private mutating func keep(_ component: Component, _ number: Int, _ ignoresUIDs: Bool) {
    let uid = component.uidText
    let place: Int
    if uid.isEmpty {
      place = groups.count
    } else {
      place = places[uid] ?? groups.count
      places[uid] = place
    }
    if place == groups.count {
      groups.append(FeedGroup(uid: uid, head: head, isNamed: !uid.isEmpty && !ignoresUIDs))
    }
    groups[place].add(component, calendar: number)
  }

  private mutating func leaveOut(_ component: Component, _ problem: ParseDiagnostic) {
    // Events whose zone is described wrongly may still use the installed one.
    if component.name == "VTIMEZONE" { return }
    let name = problem.uid.isEmpty ? "line \(problem.line)" : problem.uid
    guard !unreadable.contains(where: { $0.name == name }) else { return }
    unreadable.append(Unreadable(name: name, reason: problem.message))
  }

  /// Gives a UID to each item that has none that lasts.
  private mutating func nameGroups() {
    var counts: [String: Int] = [:]
    for index in groups.indices where !groups[index].isNamed {
      let name = FeedItems.prefixOfMadeUIDs + groups[index].key
      let count = counts[name, default: 0] + 1
      counts[name] = count
      groups[index].madeUID = count == 1 ? name : "\(name)-\(count)"
    }
  }
}

extension FeedItems {
  /// Whether the UIDs of a feed change with each download: no item of both has the same one twice.
  ///
  /// - Parameters: ``identities(most:)`` of two downloads. One item alone may have been replaced.
  package static func areUIDsUnstable(_ first: [String: String], _ second: [String: String]) -> Bool
  {
    let both = first.filter { second[$0.key] != nil }
    return both.count > 1 && both.allSatisfy { second[$0.key] != $0.value }
  }
}
