import Platform
import Widgets

/// The sections `[export "NAME"]` of datebook.conf.
extension Configuration {
  /// Begins a section; a second section of the same name continues the first.
  mutating func beginExport(_ section: String, line: Int) {
    guard let name = WidgetExport.name(ofSection: section),
      !exports.contains(where: { $0.name == name })
    else { return }
    exports.append(WidgetExport(name: name, line: line))
  }

  /// Returns the problem of a setting; nil when it was taken.
  mutating func setExport(_ section: String, _ key: String, _ value: String) -> String? {
    guard let name = WidgetExport.name(ofSection: section),
      let place = exports.firstIndex(where: { $0.name == name })
    else { return localized("unknown section [{section}]", ["section": section]) }
    return exports[place].set(key, value)
  }

  /// Sets the hours of the exports that use the working hours, once these are known.
  mutating func settleExportHours() {
    for place in exports.indices where exports[place].hasWorkingHours {
      exports[place].counted.hours = workingHours
    }
  }

  /// Removes the exports without a file of their own, and returns their problems.
  mutating func dropUselessExports() -> [Fault] {
    var faults: [Fault] = []
    var kept: [WidgetExport] = []
    for export in exports {
      if export.path.isEmpty {
        faults.append(
          Fault(
            line: export.line,
            reason: localized(
              "[export \"{name}\"] has no path; add one", ["name": export.name])))
      } else if let other = kept.first(where: { $0.path == export.path }) {
        faults.append(
          Fault(
            line: export.line,
            reason: localized(
              "[export \"{name}\"] has the same path as [export \"{other}\"]",
              ["name": export.name, "other": other.name])))
      } else {
        kept.append(export)
      }
    }
    exports = kept
    return faults
  }
}
