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
    do throws(PhraseError) {
      return try readSpan(from: from, to: to, phraseContext)
    } catch {
      let isFrom = (try? readMoment(from, phraseContext)) == nil
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
      let end = try moment(to, "to", isEnd: true).instant(in: localZone)
      return TimeSpan(start: always.start, end: max(end, always.start))
    }
  }

  /// Reads a time.
  ///
  /// - Parameters:
  ///   - name: the name of the argument, for the error.
  ///   - isEnd: whether it is the end of a range.
  /// - Throws: ``CallError`` of the kind `invalidTime`.
  func moment(
    _ text: String, _ name: String, isEnd: Bool = false
  ) throws(CallError) -> Phrases.Moment {
    do throws(PhraseError) {
      return try readMoment(text, phraseContext, isEnd: isEnd)
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
