package import CalendarModel
package import CivilTime

/// What we call ourselves in a file.
private let productID = "-//Datebook//Datebook 1//EN"

/// Returns a whole VCALENDAR with these series: a VTIMEZONE for each TZID that
/// they use and whose rules are known, then the events, the master of a series
/// before its overrides.
///
/// An event's ``Event/component`` is taken as it stands; one without is written
/// anew.
///
/// Source: RFC 5545 section 3.4.
package func writeCalendar(_ series: [EventSeries], zones: any Zones) -> String {
  var texts: [String] = []
  var used: [String: TimeSpan] = [:]
  var order: [String] = []
  var component = Component()
  for one in series {
    // Where a series ends is worth working out only for one that recurs.
    let span =
      one.isRecurring
      ? (try? one.extent(zones: zones)) ?? .always : TimeSpan(start: .latest, end: .latest)
    for event in one.components {
      let text = event.component.isEmpty ? writeComponent(event) : event.component
      texts.append(text)
      component.fill(text)
      for id in component.zoneIDs {
        let needed = event.needed(span)
        if let known = used[id] {
          used[id] = TimeSpan(
            start: min(known.start, needed.start), end: max(known.end, needed.end))
        } else {
          used[id] = needed
          order.append(id)
        }
      }
    }
  }
  var output: [UInt8] = []
  for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:\(productID)"] {
    appendFolded(line, to: &output)
  }
  let names = ZoneNames(
    isInstalled: { (try? zones.rules(named: $0)) != nil },
    isInFile: { (try? zones.rules(named: $0.isEmpty ? ZoneNames.unnamed : $0)) != nil })
  for id in order {
    guard let needed = used[id] else { continue }
    let rules: ZoneRules? =
      switch names.meaning(of: id) {
      case .utc: .utc
      case .zone(let name): try? zones.rules(named: name)
      case .unknown: nil
      }
    guard let rules else { continue }
    for line in zoneLines(id: id, rules: rules, needed: needed) {
      appendFolded(line, to: &output)
    }
  }
  for text in texts { output.append(contentsOf: text.utf8) }
  appendFolded("END:VCALENDAR", to: &output)
  return String(decoding: output, as: UTF8.self)
}

extension Event {
  /// The instants for which its zones are needed: those of the series and its own
  /// start, a month wide on either side.
  fileprivate func needed(_ span: TimeSpan) -> TimeSpan {
    let own = Timestamp(start.reading, offset: .utc)
    let month: Int64 = 31 * 86_400
    let end = span.end == .latest && span.start == .latest ? own : max(span.end, own)
    return TimeSpan(
      start: max(min(span.start, own), .earliest).adding(seconds: -month),
      end: min(end, .latest).adding(seconds: month))
  }
}

extension Component {
  /// Becomes the first component of a canonical text; empty if there is none.
  fileprivate mutating func fill(_ text: String) {
    var problems = Problems(limit: 0)
    var reader = ComponentReader(Array(text.utf8), limits: ReadLimits())
    if reader.next(&self, &problems) != .component { removeAll() }
  }

  /// The TZIDs that its properties name, each once.
  fileprivate var zoneIDs: [String] {
    var ids: [String] = []
    for line in lines {
      guard let range = parameter("TZID", of: line) else { continue }
      let id = string(range)
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }
}
