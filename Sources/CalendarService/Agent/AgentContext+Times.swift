import CalendarBus
import CivilTime
import Phrases
import Platform

/// Reads times in calls, as people and scripts write them.
extension AgentContext {
  /// Reads the two ends of a range.
  ///
  /// - Throws: ``CallError`` of the kind `invalidTime`.
  func span(from: String, to: String) throws(CallError) -> TimeSpan {
    do throws(PhraseRefusal) {
      return try phrases.span(from: from, to: to)
    } catch {
      let isFrom = (try? phrases.moment(from, takesPast: true)) == nil
      throw CallError(.invalidTime, about: isFrom ? "from" : "to", localized(error.text))
    }
  }

  /// Reads a range whose ends may be left open with "".
  ///
  /// - Throws: ``CallError`` of the kind `invalidTime`.
  func openSpan(from: String, to: String) throws(CallError) -> TimeSpan {
    let always = TimeSpan.always
    switch (from.isEmpty, to.isEmpty) {
    case (true, true): return always
    case (false, false): return try span(from: from, to: to)
    case (false, true):
      let start = try moment(from, "from").instant(in: localZone)
      return TimeSpan(start: min(start, always.end), end: always.end)
    case (true, false):
      let end = try moment(to, "to").instant(in: localZone)
      return TimeSpan(start: always.start, end: max(end, always.start))
    }
  }

  /// Reads a time, which may be past.
  ///
  /// - Parameter name: the name of the argument, for the error.
  /// - Throws: ``CallError`` of the kind `invalidTime`.
  func moment(_ text: String, _ name: String) throws(CallError) -> Phrases.Moment {
    do throws(PhraseRefusal) {
      return try phrases.moment(text, takesPast: true)
    } catch {
      throw CallError(.invalidTime, about: name, localized(error.text))
    }
  }

  /// Reads the zone of the times in an answer; nil for "" means each event's own zone.
  ///
  /// - Throws: ``CallError`` of the kind `invalidTime`.
  func zone(_ name: String) throws(CallError) -> ZoneRules? {
    name.isEmpty ? nil : try zones.rules(named: name, key: "time-zone")
  }
}
