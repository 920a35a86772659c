package import CalendarModel
package import CivilTime

/// Returns the event as canonical text: its component, folded at 75 octets, with CRLF.
///
/// It starts from ``Event/component`` and only changes the lines of fields that differ, so that
/// unknown properties, parameters and components stay. DTSTAMP, which is required, is the last
/// change, else the creation, else 1970-01-01T00:00:00Z.
///
/// - Parameter zones: The installed zones. With them a TZID that names none stays. Without them one
///   like "Europe/Nowhere" counts as a zone, so the floating time that was read from it looks like
///   a change.
///
/// Source: RFC 5545 section 3.6.1.
package func writeComponent(_ event: Event, zones: (any Zones)? = nil) -> String {
  // A component of an unknown kind never changes.
  if event.kind == .other { return event.component }
  var event = event
  if let zones {
    event.recurrence.rules = event.recurrence.rules.map { rule in
      rule.ending(onClockOf: event.start) { try? zones.rules(named: $0) }
    }
  }
  var output: [UInt8] = []
  if let (component, old) = readBack(event, zones) {
    write(event, over: old, component, to: &output)
  } else {
    appendFolded("BEGIN:\(event.kind.componentName)", to: &output)
    for field in EventField.all {
      for line in field.lines(event, nil) { appendFolded(line, to: &output) }
    }
    for alarm in event.alarms {
      for line in alarm.componentLines(of: event) {
        appendFolded(line, to: &output)
      }
    }
    appendFolded("END:\(event.kind.componentName)", to: &output)
  }
  return String(decoding: output, as: UTF8.self)
}

/// Reads the stored text of an event to find out which fields have changed; nil if it has none.
///
/// A TZID counts as the event's own zone, or as an installed one. Any other is floating if the
/// event floats, as when it was first read.
private func readBack(_ event: Event, _ zones: (any Zones)?) -> (Component, Event)? {
  guard !event.component.isEmpty else { return nil }
  var component = Component()
  var problems = Problems(limit: 0)
  var reader = ComponentReader(Array(event.component.utf8), limits: .ofKeptText)
  guard reader.next(&component, &problems) == .component,
    component.kind?.isSame(as: event.kind) ?? false
  else { return nil }
  let times = event.times
  let used = Set(times.compactMap(\.zoneName))
  let floats = times.contains { if case .floating = $0 { true } else { false } }
  let isUTC = times.contains { if case .utc = $0 { true } else { false } }
  let names = ZoneNames(
    isInstalled: { name in
      used.contains(name)
        || zones.map { (try? $0.rules(named: name)) != nil } ?? isKnownArea(name)
    },
    isInFile: { id in
      if used.contains(ZoneNames.name(ofID: id)) { return true }
      // A UTC offset in its name, if the event was read with that.
      if let fixed = ZoneNames.fixedZone(id), fixed == "UTC" ? isUTC : used.contains(fixed) {
        return false
      }
      return !floats
    })
  var events = EventReader(
    zones: names, rules: { _ in nil }, limits: ReadLimits(), problems: problems)
  events.checksOrder = false
  return events.read(component).map { (component, $0.event) }
}

/// Whether a name begins like one of the IANA database.
private func isKnownArea(_ name: String) -> Bool {
  let areas: Set<Substring> = [
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe",
    "Indian", "Pacific", "Etc", "US", "Canada",
  ]
  return name.split(separator: "/", maxSplits: 1).first.map(areas.contains) ?? false
}

private func write(
  _ event: Event, over old: Event, _ component: Component, to output: inout [UInt8]
) {
  // The new lines of each replaced property.
  var replaced: [PropertyName: [String]] = [:]
  var order: [PropertyName] = []
  for field in EventField.all where !field.isSame(event, old) {
    let lines = field.lines(event, component)
    for property in field.properties {
      replaced[property] = property == field.properties[0] ? lines : []
      order.append(property)
    }
  }
  let alarms = alarmTexts(event, old, component)
  var depth = 0
  var skipped: Range<Int>?
  func flushProperties() {
    for property in order {
      for line in replaced[property] ?? [] { appendFolded(line, to: &output) }
      replaced[property] = []
    }
  }
  for (index, line) in component.lines.enumerated() {
    if let range = skipped, range.contains(index) {
      if line.property == .begin { depth += 1 }
      if line.property == .end { depth -= 1 }
      continue
    }
    if line.property == .begin {
      depth += 1
      if depth == 2 {
        flushProperties()
        if let alarm = alarms.changed.first(where: { $0.range.lowerBound == index }) {
          for line in alarm.lines { appendFolded(line, to: &output) }
          skipped = alarm.range
          continue
        }
      }
    } else if line.property == .end {
      if depth == 1 {
        flushProperties()
        for line in alarms.added { appendFolded(line, to: &output) }
      }
      depth -= 1
    } else if depth == 1, let lines = replaced[line.property] {
      // The new lines go where the first old one was.
      for line in lines { appendFolded(line, to: &output) }
      replaced[line.property] = []
      continue
    }
    appendFolded(component.octets[line.range], to: &output)
  }
}

// MARK: Alarms

private struct AlarmTexts {
  /// The VALARMs to change, with their new lines; none removes them.
  var changed: [(range: Range<Int>, lines: [String])] = []
  var added: [String] = []
}

/// Compares the alarms of an event with those in its text.
private func alarmTexts(_ event: Event, _ old: Event, _ component: Component) -> AlarmTexts {
  var texts = AlarmTexts()
  if event.alarms == old.alarms { return texts }
  var rest = event.alarms
  var number = 0
  var seen: Set<String> = []
  for range in component.children
  where component.isName(component.lines[range.lowerBound].value, "VALARM") {
    number += 1
    // An alarm that cannot be read stays.
    var isLocal = false
    guard
      var before = try? component.alarm(
        range, position: number, event: event.uid,
        instant: { reading in
          isLocal = true
          return Timestamp(reading, offset: .utc)
        })
    else { continue }
    before.rename(unlike: seen.contains, position: number)
    seen.insert(before.id)
    guard old.alarms.contains(where: { $0.id == before.id }) else { continue }
    guard let index = rest.firstIndex(where: { $0.id == before.id }) else {
      texts.changed.append((range, []))
      continue
    }
    var alarm = rest.remove(at: index)
    // An alarm without text has the event's title in the file.
    if alarm.text.isEmpty, !before.text.isEmpty {
      alarm.text = event.summary.isEmpty ? before.text : event.summary
    }
    // The zone of a trigger without Z is not known here, so any offset counts as the same.
    if isLocal, case .absolute(let given) = before.trigger, case .absolute(let now) = alarm.trigger,
      abs(given.seconds - now.seconds) <= 26 * 3600
    {
      before.trigger = alarm.trigger
    }
    let needsName =
      Int(alarm.id) != nil && event.alarms.contains { $0.snoozeOf == alarm.id }
      && !component.lines[range].contains { $0.property == .uid }
    if alarm != before || needsName {
      let name = needsName ? Alarm.uidText(ofID: alarm.id, in: event.uid) : nil
      texts.changed.append((range, changedLines(alarm, before, named: name, component, range)))
    }
  }
  texts.added = rest.flatMap { $0.componentLines(of: event) }
  return texts
}

/// Returns the lines of a VALARM with changes applied.
///
/// - Parameter name: A UID to add; nil adds none.
private func changedLines(
  _ alarm: Alarm, _ before: Alarm, named name: String?, _ component: Component, _ range: Range<Int>
) -> [String] {
  var replaced: [PropertyName: [String]] = [:]
  for (new, old) in zip(alarm.timingLines, before.timingLines) where new.lines != old.lines {
    replaced[new.property] = new.lines
  }
  if let name { replaced[.uid] = ["UID:" + name] }
  if alarm.action != before.action {
    replaced[.action] = ["ACTION:\(alarm.action.rawValue.uppercased())"]
  }
  if alarm.text != before.text {
    replaced[.description] = ["DESCRIPTION:\(escapedText(alarm.text))"]
  }
  var lines: [String] = []
  var depth = 0
  for (index, line) in component.lines[range].enumerated() {
    if line.property == .begin { depth += 1 }
    if line.property == .end {
      if depth == 1 {
        for property in replaced.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
          lines += replaced[property] ?? []
        }
      }
      depth -= 1
    }
    if depth == 1, index > 0, let new = replaced[line.property] {
      lines += new
      replaced[line.property] = []
      continue
    }
    lines.append(component.string(line.range))
  }
  return lines
}

extension Event {
  /// All times in its properties.
  fileprivate var times: [EventTime] {
    var times =
      (anchor == .none ? [] : [start]) + recurrence.excluded + recurrence.added.map(\.start)
    if let recurrenceID { times.append(recurrenceID) }
    for end in [end] + recurrence.added.map(\.end) {
      if case .time(let time) = end { times.append(time) }
    }
    return times
  }
}
