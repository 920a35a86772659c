/// Gives different names to zones with the same TZID and different rules: "… (2)", "… (3)".
///
/// Rules are the same if their VTIMEZONEs are, apart from the TZID.
package struct ZoneNaming: Sendable {
  /// The definition of each name.
  private var taken: [String: String] = [:]
  /// The names made of each TZID, so that many zones of one TZID are found quickly.
  private var runs: [String: Run] = [:]
  private struct Run {
    var next = 1
    /// The names by definition.
    var names: [String: String] = [:]
  }

  /// - Parameter present: VTIMEZONEs that have a name already.
  package init(present: [(id: String, component: String)] = []) {
    for (id, component) in present where taken[id] == nil { taken[id] = zoneDefinition(component) }
  }

  /// Returns the name of a zone, and whether the name is new.
  package mutating func name(of zone: CustomZone) -> (name: String, isNew: Bool) {
    let definition = zone.definition
    if let known = runs[zone.id]?.names[definition] { return (known, false) }
    var run = runs.removeValue(forKey: zone.id) ?? Run()
    defer { runs[zone.id] = run }
    while true {
      let name = run.next == 1 ? zone.id : "\(zone.id) (\(run.next))"
      run.next += 1
      let other = taken[name]
      if other == nil { taken[name] = definition }
      if run.names[other ?? definition] == nil { run.names[other ?? definition] = name }
      if other == nil || other == definition { return (name, other == nil) }
    }
  }
}

/// Returns a VTIMEZONE without its TZID, in canonical text; the text itself if it is none.
func zoneDefinition(_ text: String) -> String {
  var (component, ignored) = (Component(), Problems(limit: 0))
  var reader = ComponentReader(Array(text.utf8), limits: .ofKeptText)
  guard reader.next(&component, &ignored) == .component, let line = component.first(.zoneID),
    let place = component.lines.firstIndex(where: { $0.range == line.range })
  else { return text }
  component.lines.remove(at: place)
  return component.canonicalText
}
