import CivilTime
import Messages

/// Repairs a component before it is read.
extension CalendarReader {
  /// Replaces TZIDs by the names under which the zones of the file are stored.
  func renameZones(in component: inout Component) {
    guard !events.zones.renamed.isEmpty else { return }
    let texts = component.lines(renamingZones: events.zones.renamed)
    if !texts.isEmpty { component.rewrite(texts) }
  }

  /// Converts quoted-printable text, vCalendar 1.0 and X-WR-TIMEZONE to plain iCalendar.
  mutating func mend(_ component: inout Component) {
    var unknown: ContentLine?
    let decoded = component.decodedLines(decode, unknown: &unknown)
    if !decoded.isEmpty {
      if let unknown {
        let charset = component.parameterText("CHARSET", of: unknown)
        events.tolerate(
          component, unknown, "unknown-charset",
          UserText(
            """
            the charset "{charset}" is unknown, or the text is not in it; it was read as UTF-8 or \
            Windows-1252
            """, ["charset": charset.prefix(40)]),
          uid: component.uidText)
      }
      let converted = decoded.keys.filter {
        component.isQuotedPrintable(component.lines[$0])
          && component.namesOtherCharset(component.lines[$0])
          && component.lines[$0].number != unknown?.number
      }.min()
      if let converted {
        let charset = component.parameterText("CHARSET", of: component.lines[converted])
        events.tolerateOnce(
          component, component.lines[converted], DecodedText.remarkWord,
          UserText(
            "quoted-printable text in the charset \"{charset}\" was converted to UTF-8",
            ["charset": charset.prefix(40)]),
          uid: component.uidText)
      }
      if !events.isVCalendar,
        let line = decoded.keys.filter({ component.isQuotedPrintable(component.lines[$0]) }).min()
      {
        events.tolerateOnce(
          component, component.lines[line], "quoted-printable",
          UserText("quoted-printable text is of vCalendar 1.0; it was decoded"),
          uid: component.uidText)
      }
      component.rewrite(decoded)
    }
    if events.isVCalendar {
      for (line, text) in component.becomeICalendar() {
        events.problems.add(
          ParseDiagnostic(
            line: line, column: 1, uid: component.uidText, summary: component.summaryText,
            word: "vcalendar-alarm", text: text,
            severity: .tolerated))
      }
    }
    mendEndsOfDays(in: &component)
    guard zone != .unknown else { return }
    let placed = component.lines(floatingIn: zone)
    guard let first = placed.keys.min() else { return }
    events.tolerateOnce(
      component, component.lines[first], "floating-in-zone",
      UserText("times without a zone are in the zone of X-WR-TIMEZONE"), uid: component.uidText)
    component.rewrite(placed)
  }

  /// Fixes UNTIL in all-day series if it is the instant at which its day begins in the local zone.
  ///
  /// Reading: RFC 5545 section 3.3.10 asks for a date. Exchange writes the midnight of the last day
  /// in UTC: in Berlin 20261210T230000Z for 11 December, which is 10 December in UTC.
  private mutating func mendEndsOfDays(in component: inout Component) {
    let ends = component.instantEndsOfDays
    if ends.isEmpty { return }
    let zones = zonesOfDays
    var texts: [Int: String] = [:]
    for end in ends {
      let zone = zones.first { $0.startOfDay($0.reading(at: end.instant).date) == end.instant }
      guard let zone else { continue }
      let line = component.lines[end.line]
      events.tolerateOnce(
        component, line, "lenient-rrule",
        UserText(
          "UNTIL is the midnight at which a day begins in {zone}; that day is the last one",
          ["zone": zone.name]),
        uid: component.uidText, at: end.range.lowerBound)
      texts[end.line] =
        component.string(line.range.lowerBound..<end.range.lowerBound)
        + zone.reading(at: end.instant).date.basicText
        + component.string(end.range.upperBound..<line.range.upperBound)
    }
    if !texts.isEmpty { component.rewrite(texts) }
  }

  /// The zones in which days may begin: X-WR-TIMEZONE, else the file's zones, else the local one.
  private var zonesOfDays: [ZoneRules] {
    if let rules = rules(zone) { return [rules] }
    let brought = custom.ids.compactMap { rules(events.zones.meaning(of: $0)) }
    return brought.isEmpty ? local.map { [$0] } ?? [] : brought
  }

  private func rules(_ zone: ZoneNames.Meaning) -> ZoneRules? {
    switch zone {
    case .utc: .utc
    case .zone(let name): events.rules(name)
    case .unknown: nil
    }
  }

  /// Whether a component is still within the limits after conversion, which can make it longer.
  ///
  /// Stored text must be readable again. A component that is too long is reported.
  mutating func isWithinLimits(_ component: Component) -> Bool {
    let limit = limits.maximumLineOctets
    func refuse(_ line: Int, _ column: Int, _ text: UserText) {
      events.problems.add(
        ParseDiagnostic(
          line: line, column: column, uid: component.uidText,
          summary: component.summaryText, word: "too-large",
          text: text, severity: .refused))
    }
    if component.lines.count > limits.maximumLines {
      refuse(
        component.lines[0].number, 1,
        UserText(
          "{component}: more than {limit} lines once it is converted to iCalendar",
          ["component": component.name, "limit": limits.maximumLines]))
      return false
    }
    if component.octets.count > limits.maximumComponentOctets {
      refuse(
        component.lines[0].number, 1,
        UserText(
          "{component}: more than {limit} bytes once it is converted to iCalendar",
          ["component": component.name, "limit": limits.maximumComponentOctets]))
      return false
    }
    guard component.octets.count > limit,
      let long = component.lines.first(where: { $0.range.count > limit })
    else { return true }
    refuse(
      long.number, limit + 1,
      UserText(
        "{property}: the line has more than {limit} bytes once it is converted to iCalendar",
        ["property": component.excerpt(long.name), "limit": limit]))
    return false
  }

  /// Whether the UID of a component is within the limit; a longer one is reported.
  mutating func hasFittingUID(_ component: Component) -> Bool {
    let limit = limits.maximumUIDOctets
    // Resolving escapes can only make it shorter.
    guard let line = component.first(.uid), line.value.count > limit else { return true }
    let count = component.uidText.utf8.count
    guard count > limit else { return true }
    events.problems.add(
      ParseDiagnostic(
        line: line.number, column: line.valueStart - line.name.lowerBound + 1,
        uid: component.uidText, word: "too-large",
        text: UserText(
          "UID: it has {count} bytes; at most {limit} are read", ["count": count, "limit": limit]),
        severity: .refused))
    return false
  }
}
