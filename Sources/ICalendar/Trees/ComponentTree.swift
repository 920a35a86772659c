import Messages

/// A component with its properties and the components in it, to be compared and rewritten.
///
/// It is any component, as files have it, and also a whole VCALENDAR. Nothing is interpreted, so
/// that nothing is lost. Two are equal if they say the same in any order.
package struct ComponentTree: Sendable {
  /// The name in upper case: "VEVENT".
  package let name: String
  package var lines: [PropertyLine]
  package var children: [ComponentTree]

  package init(name: String, lines: [PropertyLine] = [], children: [ComponentTree] = []) {
    self.name = name
    self.lines = lines
    self.children = children
  }

  /// The first line with a name, which is in upper case.
  package func first(_ name: String) -> PropertyLine? { lines.first { $0.name == name } }

  /// What the component says, in one spelling and order.
  ///
  /// - Parameter names: The properties that do not count, in it and in the components in it.
  package func meaning(without names: Set<String> = []) -> String {
    let own = lines.filter { !names.contains($0.name) }.flatMap(\.split).map(\.meaning).sorted()
    let inner = children.map { $0.meaning(without: names) }.sorted()
    return (["BEGIN:" + name] + own + inner + ["END:" + name]).joined(separator: "\n")
  }

  /// The component as a file has it.
  package var text: String {
    var output: [UInt8] = []
    append(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  private func append(to output: inout [UInt8]) {
    appendFolded("BEGIN:" + name, to: &output)
    for line in lines { appendFolded(line.text, to: &output) }
    for child in children { child.append(to: &output) }
    appendFolded("END:" + name, to: &output)
  }
}

extension ComponentTree: Hashable {
  package static func == (left: ComponentTree, right: ComponentTree) -> Bool {
    left.meaning() == right.meaning()
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(meaning()) }
}

extension ComponentTree {
  /// Reads a calendar whole.
  ///
  /// What ``CalendarReader`` only reports is an error here: nothing may be missing of what is
  /// written back. Several VCALENDARs are read as one.
  ///
  /// - Throws: ``CalendarTextError`` for the first component that cannot be read, for a text that
  ///   breaks off ("unexpected-end"), is too long ("too-large") or is no calendar
  ///   ("not-icalendar").
  package init(calendar text: String, limits: ReadLimits = ReadLimits()) throws(CalendarTextError) {
    let octets = Array(text.utf8)
    try limits.check(octets)
    self.init(name: "VCALENDAR")
    var component = Component()
    var problems = Problems(limit: 1)
    var reader = ComponentReader(octets, limits: limits)
    while let item = reader.next(&component, &problems) {
      switch item {
      case .property:
        lines += component.lines.map { PropertyLine($0, in: component) }
      case .component:
        var position = 0
        children.append(ComponentTree(component, at: &position))
      case .broken, .stray, .calendarInOneLine: break
      }
    }
    if let refusal = problems.list.first(where: { $0.severity == .refused }) {
      throw CalendarTextError(
        line: refusal.line, column: refusal.column, word: refusal.word, text: refusal.message)
    }
    guard reader.foundCalendar else { throw noCalendar(octets) }
    if let line = reader.cutOffLine {
      throw CalendarTextError(
        line: line, column: 1, word: "unexpected-end", text: UserText("END:VCALENDAR is missing"))
    }
  }

  /// - Parameter position: The BEGIN of the component; afterwards what follows its END.
  private init(_ component: Component, at position: inout Int) {
    let begin = component.lines[position]
    self.init(name: component.string(component.trimmed(begin.value)).uppercased())
    position += 1
    while position < component.lines.count {
      let line = component.lines[position]
      if line.property == .begin {
        children.append(ComponentTree(component, at: &position))
        continue
      }
      position += 1
      if line.property == .end { return }
      lines.append(PropertyLine(line, in: component))
    }
  }
}
