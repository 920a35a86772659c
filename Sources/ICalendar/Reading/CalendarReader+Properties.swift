import Messages

/// Reads the properties of a VCALENDAR that affect its components.
extension CalendarReader {
  mutating func readProperty(_ component: Component) {
    let line = component.lines[0]
    noteHead(component, line)
    switch line.property {
    case .version where component.isName(line.value, "1.0"):
      events.isVCalendar = true
      tolerate(
        component, "vcalendar-1.0",
        UserText("VERSION 1.0: this is vCalendar 1.0; it is read as iCalendar"),
        at: line)
    case .calendarZone where !component.trimmed(line.value).isEmpty:
      readZone(component, line)
    case .other where events.isVCalendar && component.isName(line.name, "TZ"),
      .other where events.isVCalendar && component.isName(line.name, "DAYLIGHT"):
      tolerate(
        component, "vcalendar-zone",
        UserText(
          "{property} {value} is ignored: times without Z are read in your own time zone",
          [
            "property": component.excerpt(line.name), "value": component.excerpt(line.value),
          ]),
        at: line)
    case .calendarName, .name:
      if name == nil { name = component.text(line.value) }
    case .method: readMethod(component, line)
    default: break
    }
  }

  /// Reads X-WR-TIMEZONE, the zone of floating times; the first known one counts, anywhere.
  private mutating func readZone(_ component: Component, _ line: ContentLine) {
    let id = component.string(component.trimmed(line.value))
    let meaning = zone(named: id)
    if hasZone { return check(component, line, says: zone, as: meaning) }
    guard meaning != .unknown else {
      return tolerate(
        component, "unknown-zone",
        UserText(
          "X-WR-TIMEZONE: no zone \"{zone}\" is installed",
          ["zone": component.excerpt(line.value)]),
        at: line)
    }
    (zone, hasZone) = (meaning, true)
    noteLate(\.zone, id)
  }

  /// Reads METHOD; the first one counts, anywhere in the VCALENDAR.
  private mutating func readMethod(_ component: Component, _ line: ContentLine) {
    let method = component.string(component.trimmed(line.value))
    let own = SchedulingMessage(method: method)
    if hasMethod { return check(component, line, says: message, as: own) }
    (message, hasMethod) = (own, true)
    noteLate(\.method, method)
    // Joined invitations have one METHOD each, so the set of reported ones is bounded.
    guard let remark = own.remark, toldMethods.count < limits.maximumProblems,
      toldMethods.insert(String(method.uppercased().prefix(100))).inserted
    else { return }
    tolerate(
      component, own == .cancellation ? "cancellation" : "method-ignored",
      UserText(
        "METHOD {method}: {meaning}",
        ["method": component.excerpt(line.value), "meaning": remark]),
      at: line)
  }

  /// Records a property that comes after components that it affects, for reading the text again.
  private mutating func noteLate(
    _ property: WritableKeyPath<LateProperties, String?>, _ text: String
  ) {
    if hasComponents, known[number]?[keyPath: property] == nil {
      unknown[number, default: LateProperties()][keyPath: property] = text
    }
  }

  /// Reports a second METHOD or X-WR-TIMEZONE that differs, once for each VCALENDAR.
  private mutating func check<Meaning: Equatable>(
    _ component: Component, _ line: ContentLine, says present: Meaning, as meaning: Meaning
  ) {
    if meaning == present || hasToldTwice { return }
    hasToldTwice = true
    tolerate(
      component, "duplicate-property",
      UserText(
        "{property}: the calendar has another one before it, which is used",
        ["property": component.excerpt(line.name)]),
      at: line)
  }

  /// Returns the meaning of X-WR-TIMEZONE.
  ///
  /// A zone of the file keeps its TZID here, because it is written into components before they are
  /// read.
  func zone(named id: String) -> ZoneNames.Meaning {
    let meaning = events.zones.meaning(of: id)
    return events.zones.renamed[id] == nil ? meaning : .zone(id)
  }
}
