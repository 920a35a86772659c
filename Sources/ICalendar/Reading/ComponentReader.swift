import Messages

/// Reads a stream of VCALENDARs one component at a time.
///
/// A component that breaks off, is nested wrongly or exceeds a limit is reported and skipped;
/// reading continues after it.
///
/// Source: RFC 5545 section 3.4 and 3.6.
struct ComponentReader {
  enum Item: Equatable {
    /// A property of the VCALENDAR itself, in the component's lines.
    case property
    /// A complete component.
    case component
    /// A component that was left out and reported.
    case broken
    /// A line of a component without a BEGIN, which was reported.
    case stray
    /// A calendar without line breaks, which was reported.
    case calendarInOneLine
  }

  private var reader: LineReader
  private let limits: ReadLimits
  private var isOpen = false
  private var hasBegun = false
  private var hasToldOutside = false
  /// How many VCALENDARs have begun.
  private(set) var calendarNumber = 0
  /// The line at which the last one began.
  private(set) var calendarLine = 0
  /// The VCALENDARs that break off before their END or inside a component.
  private(set) var cutOff: Set<Int> = []
  /// The last line of a text that ends inside a VCALENDAR or a component; nil before the end.
  private(set) var cutOffLine: Int?
  /// Whether the current lines belong to a component without a BEGIN.
  private var isStray = false

  /// Components that are only allowed directly in a VCALENDAR.
  ///
  /// One inside another means that the other has no END.
  fileprivate static let outermost = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"]

  /// - Parameter start: The octet at which the first line begins.
  init(
    _ text: [UInt8], from start: Int = 0, limits: ReadLimits, decode: CharacterDecoder? = nil
  ) {
    reader = LineReader(
      text, from: start, maximumOctets: limits.maximumLineOctets, decode: decode)
    self.limits = limits
  }

  /// The octets of the text that were read.
  var offset: Int { reader.offset }
  /// The number of the next line; the line at `start` is 1.
  var lineNumber: Int { reader.number }

  /// Whether a calendar or a component has begun yet.
  var foundCalendar: Bool { hasBegun }

  /// Reads the next property or component into `component`; nil at the end of the text.
  mutating func next(_ component: inout Component, _ problems: inout Problems) -> Item? {
    while true {
      component.removeAll()
      guard let line = reader.next(into: &component.octets) else {
        if isOpen {
          lackEnd(reader.number)
          cutOffLine = reader.lastNumber
        }
        isOpen = false
        if let number = reader.emptyInFold.take() {
          tell(
            .tolerated, number, "bad-syntax",
            UserText("there are empty lines within folded lines; they are ignored"))
        }
        return nil
      }
      guard !line.flaws.contains(.tooLong) else {
        if component.isCalendarInOneLine(line.range) { return leaveOutCalendar(line) }
        tell(
          .refused, line.number, "line-too-long",
          UserText(
            "{line}: {problem}",
            ["line": component.lineName(from: line.range.lowerBound), "problem": tooLong]),
          column: limits.maximumLineOctets + 1)
        continue
      }
      guard let content = ContentLine(component.octets, line.range, number: line.number) else {
        outside(
          line.number,
          UserText(
            """
            the line is not a content line: it has no colon, or a name with invalid characters; it \
            is ignored
            """))
        continue
      }
      switch content.property {
      case .begin where component.isName(content.value, "VCALENDAR"):
        // Reported at the line before: in joined files, the file that lacks its END.
        if isOpen { lackEnd(max(1, line.number - 1)) }
        isOpen = true
        hasBegun = true
        isStray = false
        calendarNumber += 1
        calendarLine = line.number
      case .begin where component.isCalendarInOneLine(content.range):
        return leaveOutCalendar(line)
      case .begin:
        if !isOpen, !hasBegun, !component.isName(content.value, "VTIMEZONE") {
          tell(
            .tolerated, line.number, "missing-vcalendar",
            UserText("a component outside of a VCALENDAR"))
          // A bare event counts as a calendar; a component of another name does not.
          let name = component.string(component.trimmed(content.value)).uppercased()
          hasBegun = Self.outermost.contains(name)
        }
        if component.isOutermost(content.value) { isStray = false }
        let item = read(content, line, &component)
        // For example an alarm of the component that was left out.
        return item == .component && isStray ? .broken : item
      case .end where component.isName(content.value, "VCALENDAR") && isOpen:
        isOpen = false
        isStray = false
      case .end:
        if component.isOutermost(content.value) { isStray = false }
        tell(
          .refused, line.number, "mismatched-end",
          UserText("END:{name} has no BEGIN", ["name": component.excerpt(content.value)]))
      default:
        guard isOpen else {
          outside(
            line.number, UserText("the line is outside of a VCALENDAR; it is ignored"))
          continue
        }
        if content.property == .start {
          isStray = true
          tell(
            .refused, line.number, "missing-begin",
            UserText(
              "DTSTART is outside of an event: the BEGIN is missing, and the event is left out"))
          return .stray
        }
        if isStray { continue }
        component.lines.append(content)
        if !line.flaws.isEmpty {
          var flaws = LineFlaws()
          flaws.note(line, in: component, name: content.name)
          flaws.tell(uid: "", &problems)
        }
        return .property
      }
    }

    func tell(
      _ severity: ParseDiagnostic.Severity, _ line: Int, _ word: String, _ text: UserText,
      column: Int = 1
    ) {
      problems.add(
        ParseDiagnostic(
          line: line, column: column, uid: "", word: word, text: text, severity: severity))
    }

    /// Reports that END:VCALENDAR is missing.
    func lackEnd(_ line: Int) {
      cutOff.insert(calendarNumber)
      tell(.tolerated, line, "unexpected-end", UserText("END:VCALENDAR is missing"))
    }

    /// Reports a calendar without line breaks.
    func leaveOutCalendar(_ line: LineReader.Line) -> Item {
      tell(
        .refused, line.number, "no-line-ends",
        UserText(
          "{line}: {problem}", ["line": component.excerpt(line.range), "problem": noLineEnds]))
      return .calendarInOneLine
    }

    /// Reports text outside of calendars, once.
    func outside(_ line: Int, _ text: UserText) {
      if isOpen {
        tell(.tolerated, line, "bad-syntax", text)
      } else if !hasToldOutside {
        hasToldOutside = true
        tell(.tolerated, line, "text-outside", text)
      }
    }

    /// Reads up to the END of the component whose BEGIN is given.
    func read(
      _ begin: ContentLine, _ beginLine: LineReader.Line, _ component: inout Component
    ) -> Item {
      var flaws = LineFlaws()
      if !beginLine.flaws.isEmpty { flaws.note(beginLine, in: component, name: begin.name) }
      var nest = ComponentNest(component.string(component.trimmed(begin.value)).uppercased())
      component.removeAll()
      component.append(delimiter: .begin, nest.names[0], number: begin.number)
      // Why the component is left out, and at which of its properties.
      var fault: (line: Int, column: Int, word: String, property: String?, text: UserText)?
      var foldless: Foldless?
      var isJoining = false
      // The octets of the text's line in which the last line ends.
      var width = 0
      while !nest.isEmpty {
        let start = component.octets.count
        let place = reader.place
        guard let line = reader.next(into: &component.octets) else {
          fault = (
            fault?.line ?? begin.number, 1, "unexpected-end", nil,
            UserText("the text ends before END:{name}", ["name": nest.outer])
          )
          cutOff.insert(calendarNumber)
          cutOffLine = reader.lastNumber
          break
        }
        guard !line.flaws.contains(.tooLong) else {
          let name = component.lineName(from: start)
          component.octets.removeSubrange(start...)
          fault =
            fault
            ?? (line.number, limits.maximumLineOctets + 1, "line-too-long", name, tooLong)
          continue
        }
        guard let content = ContentLine(component.octets, line.range, number: line.number) else {
          // The rest of a value that was broken without a fold.
          guard fault == nil else {
            component.octets.removeSubrange(start...)
            continue
          }
          if !line.flaws.isEmpty { flaws.note(line, in: component, name: nil) }
          let property = component.nameToJoin(width)
          if foldless == nil { foldless = Foldless(line: line.number, property: property) }
          component.joinToLastLine(width, from: start)
          if property != nil { width = reader.lastWidth }
          isJoining = true
          if let joined = component.lines.last, joined.range.count > limits.maximumLineOctets {
            fault = (line.number, 1, "line-too-long", property, tooLong)
          }
          continue
        }
        if isJoining { component.readLastLineAgain() }
        isJoining = false
        if !line.flaws.isEmpty { flaws.note(line, in: component, name: content.name) }
        if content.property == .begin || content.property == .end {
          // A million nested components are only counted.
          if nest.isTooDeep, fault != nil, !component.isOutermost(content.value) {
            component.octets.removeSubrange(start...)
            nest.count(content.property)
            continue
          }
          let name = component.string(component.trimmed(content.value)).uppercased()
          let isCalendar = name == "VCALENDAR" || component.isCalendarInOneLine(content.range)
          component.octets.removeSubrange(start...)
          if isCalendar || content.property == .begin && Self.outermost.contains(name) {
            reader.goBack(to: place)
            fault = (line.number, 1, "mismatched-end", nil, UserText("its END is missing"))
            if isCalendar { cutOff.insert(calendarNumber) }
            break
          }
          if content.property == .begin {
            nest.begin(name, limit: limits.maximumNesting)
            if nest.isTooDeep {
              fault =
                fault
                ?? (
                  line.number, 1, "too-deep", nil,
                  UserText("more than {limit} levels", ["limit": limits.maximumNesting])
                )
            }
          } else if !nest.end(name) {
            fault =
              fault
              ?? (
                line.number, 1, "mismatched-end", nil,
                UserText("END:{name} ends nothing here", ["name": name.excerpt])
              )
            // The BEGIN is misspelt: its component ends here.
            if Self.outermost.contains(name), !Self.outermost.contains(nest.first) { break }
          }
          component.append(delimiter: content.property, name, number: line.number)
        } else {
          component.lines.append(content)
          width = reader.lastWidth
          component.endLine()
        }
        if component.lines.count > limits.maximumLines {
          fault =
            fault
            ?? (
              line.number, 1, "too-large", nil,
              UserText("more than {limit} lines", ["limit": limits.maximumLines])
            )
        }
        let isTooLong = component.octets.count > limits.maximumComponentOctets
        if isTooLong {
          fault =
            fault
            ?? (
              line.number, 1, "too-large", nil,
              UserText("more than {limit} bytes", ["limit": limits.maximumComponentOctets])
            )
        }
        // Only the first lines of a component that is left out are needed, for its UID.
        if fault != nil, isTooLong || component.lines.count > 100 {
          component.octets.removeSubrange(start...)
          component.lines.removeLast()
        }
      }
      let (uid, summary) = (component.uidText, component.summaryText)
      flaws.tell(uid: uid, summary: summary, &problems)
      if let foldless {
        problems.add(foldless.problem(of: nest.outer, uid: uid, summary: summary))
      }
      guard let fault else { return .component }
      problems.add(
        ParseDiagnostic(
          line: fault.line, column: fault.column, uid: uid, summary: summary, word: fault.word,
          text: UserText(
            "{line}: {problem}", ["line": fault.property ?? nest.outer, "problem": fault.text]),
          severity: .refused))
      return .broken
    }
  }

  private var tooLong: UserText {
    UserText("the line has more than {limit} bytes", ["limit": limits.maximumLineOctets])
  }
}

extension Component {
  /// Whether the name is VCALENDAR or that of a component directly in one.
  fileprivate func isOutermost(_ name: Range<Int>) -> Bool {
    let name = trimmed(name)
    // All of them begin with V.
    guard let first = name.first, octets[first].upperCased == UInt8(ascii: "V") else {
      return false
    }
    return isName(name, "VCALENDAR") || ComponentReader.outermost.contains { isName(name, $0) }
  }

  /// Adds a BEGIN or END line in the spelling of the RFC.
  mutating func append(delimiter: PropertyName, _ name: String, number: Int) {
    let start = octets.count
    octets.append(contentsOf: delimiter.text.utf8)
    octets.append(.colon)
    octets.append(contentsOf: name.utf8)
    if let line = ContentLine(octets, start..<octets.count, number: number) { lines.append(line) }
    endLine()
  }

  /// Returns the name of a line that is too long to be read.
  fileprivate func lineName(from start: Int) -> String {
    let name = octets[start...].prefix { octet in
      octet.isDigit || octet == 0x2D || octet == 0x5F
        || octet.upperCased >= 0x41 && octet.upperCased <= 0x5A
    }
    return name.isEmpty ? "a line" : excerpt(name.indices)
  }

  /// Adds the line break of the last line.
  mutating func endLine() {
    octets.append(0x0D)
    octets.append(0x0A)
  }
}
