import Widgets

/// The sections `[export "NAME"]` of datebook.conf.
extension Configuration {
  /// Takes the head of a section: one of that name may go on.
  mutating func beginExport(_ section: String, line: Int) {
    guard let name = WidgetExport.name(ofSection: section),
      !exports.contains(where: { $0.name == name })
    else { return }
    exports.append(WidgetExport(name: name, line: line))
  }

  /// Returns why a setting is not understood; nil when it was taken.
  mutating func setExport(_ section: String, _ key: String, _ value: String) -> String? {
    guard let name = WidgetExport.name(ofSection: section),
      let place = exports.firstIndex(where: { $0.name == name })
    else { return "there is no section [\(section)]" }
    return exports[place].set(key, value)
  }

  /// Gives those their hours that have the working hours, once these are known.
  mutating func settleExportHours() {
    for place in exports.indices where exports[place].hasWorkingHours {
      exports[place].counted.hours = workingHours
    }
  }

  /// Takes those away that have no file of their own, and returns what is wrong with them.
  mutating func dropUselessExports() -> [Fault] {
    var faults: [Fault] = []
    var kept: [WidgetExport] = []
    for export in exports {
      if export.path.isEmpty {
        faults.append(
          Fault(line: export.line, reason: "[export \"\(export.name)\"] has no path to write to"))
      } else if let other = kept.first(where: { $0.path == export.path }) {
        faults.append(
          Fault(
            line: export.line,
            reason: "[export \"\(export.name)\"] has the path of [export \"\(other.name)\"]"))
      } else {
        kept.append(export)
      }
    }
    exports = kept
    return faults
  }
}
