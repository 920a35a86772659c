import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Phrases
import Platform
import Recurrence

/// The methods QuickAdd and QuickParse: an event from one line of text.
///
/// The text becomes a row like the argument of Add, and gets the same checks.
extension EventsObject {
  func quickParse(_ call: CallArguments) throws(CallError) -> [Value] {
    let quick = try understood(call.text(0), calendar: "")
    let id = quick.event.text(.calendar)
    let calendar = try agenda.reader().calendars.first {
      id.isEmpty ? $0.isDefault : $0.id.text == id
    }
    // Everything that Add would refuse is refused here, too.
    let (composed, warnings) = try compose(EventDraft(quick.event), in: calendar)
    var details = Row()
    details.setWarnings(
      quick.warnings
        + warnings.ofAdding(EventSeries(calendar: CalendarID(id), master: composed)))
    let spans = quick.reading.parts.map { "\($0.kind.rawValue) \($0.start) \($0.end)" }
    return [quick.event.value, .strings(spans), details.value]
  }

  func quickAdd(_ call: CallArguments) throws(CallError) -> [Value] {
    let quick = try understood(call.text(0), calendar: call.text(1))
    return try addAndShow(
      EventDraft(quick.event), calendar: quick.event.text(.calendar), quick.warnings)
  }

  /// Reads a text into a row like the argument of Add.
  ///
  /// - Parameter name: the id of a calendar; "" leaves it to the text or the default.
  private func understood(
    _ text: String, calendar name: String
  ) throws(CallError) -> QuickEvent {
    try checkLimit("text", text.utf8.count, .bytes, most: PhraseReader.maximumOctets)
    if let position = text.utf8.enumerated().first(where: { $1 < 0x20 && $1 != 9 || $1 == 0x7f }) {
      throw CallError(
        .invalidArguments, about: "text",
        localized(
          "control character {code} at byte {offset} is not allowed",
          ["code": Int(position.element), "offset": position.offset]))
    }
    var phrases = context.phrases
    var reading = try read(text, phrases)
    let calendar = try calendar(reading.calendar, given: name)
    if let zone = try self.zone(ofCalendar: calendar), reading.zone == nil {
      phrases = phrases.at(zone: zone)
      reading = try read(text, phrases)
    }
    var quick = try QuickEvent(reading, phrases.context, zones: context.zones)
    if let calendar { quick.event.set(.calendar, calendar) }
    return quick
  }

  private func read(_ text: String, _ phrases: PhraseReader) throws(CallError) -> PhraseReading {
    do throws(PhraseRefusal) {
      return try phrases.event(text)
    } catch {
      throw CallError(.parseFailed, about: "text", localized(error.text))
    }
  }

  /// Returns the zone of a calendar's new events; nil for the agent's zone.
  ///
  /// - Parameter id: nil for the default calendar.
  private func zone(ofCalendar id: String?) throws(CallError) -> ZoneRules? {
    let calendars = try agenda.reader().calendars
    let calendar = calendars.first {
      id.map(CalendarID.init) == $0.id || (id == nil && $0.isDefault)
    }
    return try calendar?.timeZone.map { name throws(CallError) in
      try context.zones.rules(named: name, key: "time-zone")
    }
  }

  /// Returns the id of the calendar that a text names; nil for the default one.
  private func calendar(_ word: String, given name: String) throws(CallError) -> String? {
    guard !word.isEmpty else { return name.isEmpty ? nil : name }
    let calendars = try agenda.reader().calendars
    let id = try CalendarChoice(calendars.map { ($0.id.text, $0.name) }).id(word)
    guard name.isEmpty || name == id else {
      throw CallError(
        .invalidArguments, about: "calendar",
        localized(
          "the call says \"{given}\", but the text says \"#{word}\", which is \"{calendar}\"",
          ["given": name, "word": word, "calendar": id]))
    }
    return id
  }
}

/// Finds the calendar that a word such as "#wo" in a quick text means.
struct CalendarChoice {
  private let calendars: [(id: String, name: String)]

  init(_ calendars: [(id: String, name: String)]) {
    self.calendars = calendars
  }

  /// Returns the calendar with an ID or name, or else the only one with that prefix.
  ///
  /// Case does not matter; a hyphen also matches a space.
  ///
  /// - Throws: ``CallError`` of the kind `notFound` if none or several match.
  func id(_ word: String) throws(CallError) -> String {
    let wanted = CalendarChoice.folded(word)
    if let exact = calendars.first(where: { $0.id == word }) { return exact.id }
    let equal = calendars.filter { matches($0) { $0 == wanted } }
    let found = equal.isEmpty ? calendars.filter { matches($0) { $0.hasPrefix(wanted) } } : equal
    if found.count == 1 { return found[0].id }
    let known = localizedList(
      (found.isEmpty ? calendars : found).prefix(10).map { "#\($0.id)" })
    throw CallError(
      .notFound, about: "text",
      found.isEmpty
        ? localized(
          "there is no calendar \"#{word}\"; the calendars are {calendars}",
          ["word": word, "calendars": known])
        : localized(
          "\"#{word}\" is ambiguous; it matches {calendars}",
          ["word": word, "calendars": known]))
  }

  private func matches(_ calendar: (id: String, name: String), _ test: (String) -> Bool) -> Bool {
    test(CalendarChoice.folded(calendar.id)) || test(CalendarChoice.folded(calendar.name))
  }

  private static func folded(_ text: String) -> String {
    String(text.lowercased().map { $0 == " " ? "-" : $0 })
  }
}
