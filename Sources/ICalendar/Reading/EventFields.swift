import CalendarModel
import CivilTime
import Recurrence

/// One field of an event and the properties that hold it.
///
/// An unchanged field keeps its lines; a changed one gets new lines.
struct EventField {
  let properties: [PropertyName]
  let isSame: (Event, Event) -> Bool
  /// Returns the lines for the field. The component is the old one, for what else its lines hold.
  let lines: (Event, Component?) -> [String]

  init(
    _ properties: PropertyName..., same isSame: @escaping (Event, Event) -> Bool,
    lines: @escaping (Event, Component?) -> [String]
  ) {
    self.properties = properties
    self.isSame = isSame
    self.lines = lines
  }

  /// A field of TEXT; "" has no line.
  init(_ property: PropertyName, text path: KeyPath<Event, String>, isEscaped: Bool = true) {
    self.init(property, same: { $0[keyPath: path] == $1[keyPath: path] }) { event, _ in
      let text = event[keyPath: path]
      if text.isEmpty { return [] }
      return ["\(property.text):\(isEscaped ? escapedText(text) : singleLine(text))"]
    }
  }

  /// A number of a to-do; 0 has no line in a new component.
  init(_ property: PropertyName, toDo path: KeyPath<ToDo, Int>) {
    self.init(property, same: { $0.toDo?[keyPath: path] == $1.toDo?[keyPath: path] }) {
      event, component in
      guard let value = event.toDo?[keyPath: path], value != 0 || component != nil else {
        return []
      }
      return ["\(property.text):\(value)"]
    }
  }

  /// An instant in UTC.
  init(_ property: PropertyName, instant path: KeyPath<Event, Timestamp?>) {
    self.init(property, same: { $0[keyPath: path] == $1[keyPath: path] }) { event, _ in
      event[keyPath: path].map { ["\(property.text):\($0.basicText)"] } ?? []
    }
  }

  /// All fields but the alarms, in the order that a new component has.
  static var all: [EventField] {
    [
      EventField(.uid, same: { $0.uid == $1.uid }) { event, _ in
        ["UID:\(escapedText(event.uid.text))"]
      },
      // DTSTAMP is required. Outside of scheduling it is the time of the last change: RFC 5545
      // section 3.8.7.2.
      EventField(.stamp, same: { $0.lastModified == $1.lastModified }) { event, _ in
        let instant = event.lastModified ?? event.created ?? Timestamp(seconds: 0)
        return ["DTSTAMP:\(instant.basicText)"]
      },
      EventField(
        .recurrenceID,
        same: { $0.recurrenceID == $1.recurrenceID && $0.appliesToFuture == $1.appliesToFuture }
      ) { event, _ in
        guard let id = event.recurrenceID else { return [] }
        let range = event.appliesToFuture ? ";RANGE=THISANDFUTURE" : ""
        return ["RECURRENCE-ID\(range)\(id.parameters):\(id.value)"]
      },
      EventField(.start, same: { $0.anchor == $1.anchor && $0.start == $1.start }) { event, _ in
        event.anchor == .start ? ["DTSTART\(event.start.parameters):\(event.start.value)"] : []
      },
      EventField(.finish, .duration, same: { $0.toDo != nil || $0.end == $1.end }) { event, _ in
        if event.toDo != nil { return [] }
        return switch event.end {
        case .time(let end): ["DTEND\(end.parameters):\(end.value)"]
        case .duration(let duration): ["DURATION:\(duration)"]
        case .none: []
        }
      },
      EventField(
        .due, .duration,
        same: {
          $0.toDo == nil
            || $0.end == $1.end && $0.anchor == $1.anchor
              && ($0.anchor != .due || $0.start == $1.start)
        }
      ) { event, _ in
        guard event.toDo != nil else { return [] }
        if event.anchor == .due { return ["DUE\(event.start.parameters):\(event.start.value)"] }
        return switch event.end {
        case .time(let due): ["DUE\(due.parameters):\(due.value)"]
        case .duration(let duration): ["DURATION:\(duration)"]
        case .none: []
        }
      },
      EventField(.rule, same: { $0.recurrence.rules == $1.recurrence.rules }) { event, _ in
        event.recurrence.rules.map { "RRULE:\($0.text)" }
      },
      EventField(
        .exclusionRule, same: { $0.recurrence.exclusionRules == $1.recurrence.exclusionRules }
      ) { event, _ in
        event.recurrence.exclusionRules.map { "EXRULE:\($0.text)" }
      },
      EventField(.addedDates, same: { $0.recurrence.added == $1.recurrence.added }) { event, _ in
        event.recurrence.added.map(\.line)
      },
      EventField(.excludedDates, same: { $0.recurrence.excluded == $1.recurrence.excluded }) {
        event, _ in
        event.recurrence.excluded.map { "EXDATE\($0.parameters):\($0.value)" }
      },
      EventField(.summary, text: \.summary),
      EventField(.location, text: \.location),
      EventField(.description, text: \.description),
      EventField(.url, text: \.url, isEscaped: false),
      EventField(.status, same: { $0.status == $1.status }) { event, component in
        // An event without STATUS is confirmed; a new one has none.
        event.status == .confirmed && component == nil
          ? [] : ["STATUS:\(event.status.rawValue.uppercased())"]
      },
      EventField(.status, same: { $0.toDo?.status == $1.toDo?.status }) { event, component in
        guard let status = event.toDo?.status, status != .needsAction || component != nil else {
          return []
        }
        return ["STATUS:\(status.rawValue.uppercased())"]
      },
      EventField(.completed, same: { $0.toDo?.completed == $1.toDo?.completed }) { event, _ in
        event.toDo?.completed.map { ["COMPLETED:\($0.basicText)"] } ?? []
      },
      EventField(.percentComplete, toDo: \.percentComplete),
      EventField(.priority, toDo: \.priority),
      EventField(.transparency, same: { $0.isBusy == $1.isBusy }) { event, component in
        event.isBusy ? (component == nil ? [] : ["TRANSP:OPAQUE"]) : ["TRANSP:TRANSPARENT"]
      },
      EventField(.classification, same: { $0.classification == $1.classification }) {
        event, component in
        event.classification == .open && component == nil
          ? [] : ["CLASS:\(event.classification.rawValue.uppercased())"]
      },
      EventField(.color, .exactColor, same: { $0.color == $1.color }) { event, _ in
        guard let color = event.color else { return [] }
        let (name, isExact) = color.nearestName
        return ["COLOR:\(name)"] + (isExact ? [] : ["X-DATEBOOK-COLOR:\(color.text)"])
      },
      EventField(.categories, same: { $0.categories == $1.categories }) { event, _ in
        event.categories.isEmpty
          ? [] : ["CATEGORIES:\(event.categories.map(escapedText).joined(separator: ","))"]
      },
      EventField(.organizer, same: { $0.organizer == $1.organizer }) { event, component in
        event.organizer.map { [$0.line(.organizer, in: component)] } ?? []
      },
      EventField(.attendee, same: { $0.attendees == $1.attendees }) { event, component in
        event.attendees.map { $0.line(.attendee, in: component) }
      },
      EventField(.sequence, same: { $0.sequence == $1.sequence }) { event, component in
        event.sequence == 0 && component == nil ? [] : ["SEQUENCE:\(event.sequence)"]
      },
      EventField(.created, instant: \.created),
      EventField(.lastModified, instant: \.lastModified),
    ]
  }
}

/// Returns a URI or an address without characters that would end the line.
private func singleLine(_ text: String) -> String {
  String(decoding: text.utf8.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
}

extension EventTime {
  /// The parameters that the value needs.
  fileprivate var parameters: String {
    switch self {
    case .date: ";VALUE=DATE"
    case .zoned(_, let zone): ";TZID=\(escapedParameter(zone == ZoneNames.unnamed ? "" : zone))"
    case .floating, .utc: ""
    }
  }

  fileprivate var value: String {
    switch self {
    case .date(let date): date.basicText
    case .floating(let reading), .zoned(let reading, _): reading.basicText
    case .utc(let instant): instant.basicText
    }
  }
}

extension AddedDate {
  fileprivate var line: String {
    switch end {
    case .none: "RDATE\(start.parameters):\(start.value)"
    case .time(let end):
      // Both ends of a PERIOD are in one zone.
      "RDATE;VALUE=PERIOD\(start.parameters):\(start.value)/\(end.value)"
    case .duration(let length):
      "RDATE;VALUE=PERIOD\(start.parameters):\(start.value)/\(length)"
    }
  }
}

extension Attendee {
  /// Returns the attendee's line.
  ///
  /// It is the old line of the same address with CN and PARTSTAT changed, or a new one.
  fileprivate func line(_ property: PropertyName, in component: Component?) -> String {
    var parameters = ""
    if let component,
      let line = component.ownLines.lazy.map({ component.lines[$0] }).first(where: {
        $0.property == property
          && component.attendee($0).address == address
      })
    {
      if component.attendee(line) == self { return component.string(line.range) }
      component.forEachParameter(of: line) { parameter, value in
        if !component.isName(parameter, "CN"), !component.isName(parameter, "PARTSTAT") {
          parameters += ";\(component.string(parameter))=\(component.string(value))"
        }
        return true
      }
    }
    if !name.isEmpty { parameters += ";CN=\(escapedParameter(name))" }
    // NEEDS-ACTION is the default.
    if participation != "needs-action" {
      parameters += ";PARTSTAT=\(escapedParameter(participation.uppercased()))"
    }
    return "\(property.text)\(parameters):\(singleLine(address))"
  }
}
