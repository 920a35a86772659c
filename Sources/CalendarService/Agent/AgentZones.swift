import CalendarBus
import CivilTime
import ICalendar
import Platform
import Phrases

/// The installed time zones, and those that came with imported events.
final class AgentZones: Zones {
  /// The zones of the system.
  let installed: any Zones
  /// The zones that came with imported events.
  private(set) var custom: [String: ZoneRules] = [:]

  init(installed: any Zones) {
    self.installed = installed
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    if let rules = custom[name] { return rules }
    return try installed.rules(named: name)
  }

  var names: [String] { installed.names + custom.keys.sorted() }

  func add(_ rules: ZoneRules, named name: String) {
    custom[name] = rules
  }

  /// Forgets a zone that came with events that were not stored.
  func remove(named name: String) {
    custom[name] = nil
  }

  /// Adds the zones of the store; one that cannot be read stays unknown.
  func load(_ stored: [(id: String, component: String)]) {
    for zone in stored {
      if let rules = try? readZone(zone.component) { custom[zone.id] = rules }
    }
  }
}

extension Zones {
  /// Returns a zone that a caller names.
  ///
  /// - Parameter key: the argument or key with the name, for the error.
  /// - Throws: ``CallError`` of the kind `invalidTime`, with the name that may be meant.
  func rules(named name: String, key: String) throws(CallError) -> ZoneRules {
    do throws(CivilTimeError) { return try rules(named: name) } catch {
      guard case .unknownZone = error else {
        throw CallError(.invalidTime, about: key, localized(error.text))
      }
      guard let near = nearestName(to: name) else {
        throw CallError(
          .invalidTime, about: key,
          localized(
            "no time zone \"{zone}\" is installed; use an IANA name such as Europe/Berlin",
            ["zone": name]))
      }
      throw CallError(
        .invalidTime, about: key,
        localized(
          "no time zone \"{zone}\" is installed; did you mean \"{near}\"?",
          ["zone": name, "near": near]))
    }
  }

  /// Returns the zone that a name may mean: one with that city, or with a similar name.
  private func nearestName(to name: String) -> String? {
    let word = name.lowercased()
    var byWord: [String: String] = [:]
    for known in names { byWord[known.lowercased()] = known }
    let words = byWord.keys.sorted()
    let city = "/" + word.split(separator: " ").joined(separator: "_")
    let found = words.first { $0.hasSuffix(city) } ?? nearest(word, among: words)
    return found.flatMap { byWord[$0] }
  }
}
