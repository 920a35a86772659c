import CivilTime

/// The VTIMEZONEs of a text. Most files name zones that are installed, and those of the
/// others stand before the events: the rest of the text is searched only where one does not.
final class FileZones {
  private let text: [UInt8]
  private let limits: ReadLimits
  /// The canonical text of each VTIMEZONE by its TZID, as far as they are known.
  private var components: [String: Known] = [:]
  private struct Known {
    let text: String
    /// The lines of the file at which its content lines begin.
    let lines: [Int32]
  }

  private var hasSearched = false
  private(set) var used: [CustomZone] = []
  private(set) var problems: [ParseDiagnostic] = []

  init(_ text: [UInt8], limits: ReadLimits) {
    self.text = text
    self.limits = limits
  }

  func rules(_ id: String) -> ZoneRules? { used.first { $0.id == id }?.rules }

  /// Takes note of a VTIMEZONE that the reader has passed; of several the first counts.
  func note(_ component: Component) {
    if !hasSearched { note(component, from: component.lines[0].number) }
  }

  /// - Parameter first: The line of the file at which it begins.
  private func note(_ component: Component, from first: Int) {
    guard let line = component.first(.zoneID) else { return }
    let id = component.string(component.trimmed(line.value))
    guard components[id] == nil else { return }
    let shift = first - component.lines[0].number
    components[id] = Known(
      text: component.canonicalText,
      lines: component.lines.map { Int32(clamping: $0.number + shift) })
  }

  /// Reads the rules of a TZID; false if the text has none that can be read.
  func use(_ id: String) -> Bool {
    if components[id] == nil, !hasSearched { search() }
    guard let component = components[id] else { return false }
    do throws(CalendarTextError) {
      let rules = try readZone(component.text)
      used.append(CustomZone(id: rules.name, component: component.text, rules: rules))
      return true
    } catch {
      problems.append(
        ParseDiagnostic(
          line: line(of: error, in: component), column: error.column, uid: "",
          word: "bad-zone", text: "VTIMEZONE \"\(id)\": \(error.text)", severity: .tolerated))
      return false
    }
  }

  /// The line of the file for one of the text that is kept, which is folded otherwise.
  private func line(of error: CalendarTextError, in zone: Known) -> Int {
    var (component, ignored) = (Component(), Problems(limit: 0))
    var reader = ComponentReader(Array(zone.text.utf8), limits: limits)
    _ = reader.next(&component, &ignored)
    let place = component.lines.firstIndex { $0.number == error.line } ?? 0
    return Int(zone.lines[min(place, zone.lines.count - 1)])
  }

  /// Looks through the whole text, line by line and no closer: a long one is to keep nobody
  /// waiting.
  private func search() {
    hasSearched = true
    let mark: StaticString = "BEGIN:VTIMEZONE"
    var (start, number) = (0, 1)
    var component = Component()
    // Whatever is wrong with the text is told by the main pass.
    var ignored = Problems(limit: 0)
    while start < text.count {
      if begins(mark, at: start) {
        var reader = ComponentReader(text, from: start, limits: limits)
        if reader.next(&component, &ignored) == .component { note(component, from: number) }
      }
      while start < text.count, text[start] != 0x0A, text[start] != 0x0D { start += 1 }
      guard start < text.count else { return }
      start += text[start] == 0x0D && start + 1 < text.count && text[start + 1] == 0x0A ? 2 : 1
      number += 1
    }
  }

  private func begins(_ mark: StaticString, at start: Int) -> Bool {
    guard start + mark.utf8CodeUnitCount <= text.count else { return false }
    for place in 0..<mark.utf8CodeUnitCount
    where text[start + place].upperCased != mark.utf8Start[place] {
      return false
    }
    return true
  }
}
