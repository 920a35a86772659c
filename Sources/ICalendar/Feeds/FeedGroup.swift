import CalendarModel
import CivilTime

/// The components of one UID in a web calendar.
struct FeedGroup: Sendable {
  /// A VTIMEZONE: two VCALENDARs of a text may describe a TZID differently.
  struct Zone: Hashable {
    /// The number of the VCALENDAR in the text.
    let calendar: Int
    let id: String
  }

  /// The UID in the feed; "" if it has none.
  let uid: String
  /// Whether that UID is the item's; otherwise ``madeUID`` is.
  let isNamed: Bool
  var madeUID = ""
  /// A hash of what usually identifies an event: DTSTART, SUMMARY and RECURRENCE-ID.
  private(set) var key = ""
  private let head: [UInt8]
  /// Canonical texts, without UID unless ``isNamed``.
  private var components: [[UInt8]] = []
  private var zones: [Zone] = []
  private var content = FNVHash()
  /// Whether the key is that of an override.
  private var isKeyOfOverride = true

  init(uid: String, head: [UInt8], isNamed: Bool) {
    self.uid = uid
    self.head = head
    self.isNamed = isNamed
  }

  /// Adds a component of the VCALENDAR with that number.
  mutating func add(_ component: Component, calendar: Int) {
    var component = component
    if isKeyOfOverride {
      key = FeedGroup.key(of: component)
      isKeyOfOverride = component.first(.recurrenceID) != nil
    }
    if !isNamed {
      let own = component.ownLines.filter { component.lines[$0].property == .uid }
      for index in own.reversed() { component.lines.remove(at: index) }
    }
    component.octets.withUnsafeBufferPointer { octets in
      for line in component.lines where line.property != .stamp && line.property != .lastModified {
        content.mix(UnsafeBufferPointer(rebasing: octets[line.range]))
        content.mix("")
      }
    }
    var text: [UInt8] = []
    component.appendCanonicalText(to: &text)
    var use = ZoneUse()
    text.withUnsafeBufferPointer {
      use.note($0, lying: TimeSpan(start: .earliest, end: .latest))
    }
    zones += use.ids.map { Zone(calendar: calendar, id: $0) }.filter { !zones.contains($0) }
    components.append(text)
  }

  func item(zones texts: [Zone: [UInt8]]) -> FeedItems.Item {
    var text = Array("BEGIN:VCALENDAR\r\n".utf8) + head
    var content = content
    var written: Set<String> = []
    for zone in zones where written.insert(zone.id).inserted {
      guard let rules = texts[zone] else { continue }
      text += rules
      rules.withUnsafeBufferPointer { content.mix($0) }
    }
    for component in components {
      if isNamed {
        text += component
        continue
      }
      // After the BEGIN.
      let start = component.firstIndex(of: 0x0A).map { $0 + 1 } ?? component.endIndex
      text += component[..<start]
      text += "UID:\(madeUID)\r\n".utf8
      text += component[start...]
    }
    text += "END:VCALENDAR\r\n".utf8
    return FeedItems.Item(
      uid: isNamed ? uid : madeUID, text: String(decoding: text, as: UTF8.self),
      fingerprint: content.text, key: key)
  }

  private static func key(of component: Component) -> String {
    var hash = FNVHash()
    for property in [PropertyName.start, .summary, .recurrenceID] {
      hash.mix(component.first(property).map { component.text(component.trimmed($0.value)) } ?? "")
    }
    return hash.text
  }
}
