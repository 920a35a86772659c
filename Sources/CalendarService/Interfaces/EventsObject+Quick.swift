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
    let (event, phrase, zone) = try understood(call.text(0), calendar: "")
    // Everything that Add would refuse is refused here, too.
    let composed = try compose(EventDraft(event))
    let id = event.text(.calendar)
    let calendar = try agenda.reader().calendars.first {
      id.isEmpty ? $0.isDefault : $0.id.text == id
    }
    let warnings = EventWarnings(
      now: context.clock.now, zones: context.zoneContext,
      defaults: calendar.map(DefaultAlarms.init) ?? .none)
    var details = Row()
    details.setWarnings(
      phrase.warnings(of: call.text(0), in: zone)
        + warnings.ofAdding(EventSeries(calendar: CalendarID(id), master: composed)))
    let spans = phrase.spans.map { "\($0.meaning.rawValue) \($0.start) \($0.end)" }
    return [
      event.value, .uint32(UInt32(clamping: phrase.confidence)), .strings(spans), details.value,
    ]
  }

  func quickAdd(_ call: CallArguments) throws(CallError) -> [Value] {
    let (event, phrase, zone) = try understood(call.text(0), calendar: call.text(1))
    return try addAndShow(
      EventDraft(event), calendar: event.text(.calendar),
      phrase.warnings(of: call.text(0), in: zone))
  }

  /// Reads a text into a row like the argument of Add.
  ///
  /// - Parameter name: the id of a calendar; "" leaves it to the text or the default.
  /// - Returns: the row, the phrase, and the zone in which it was read.
  private func understood(
    _ text: String, calendar name: String
  ) throws(CallError) -> (event: Row, phrase: QuickPhrase, zone: ZoneRules) {
    try checkLimit("text", text.utf8.count, .bytes, most: QuickPhrase.maximumOctets)
    if let position = text.utf8.enumerated().first(where: { $1 < 0x20 && $1 != 9 || $1 == 0x7f }) {
      throw CallError(
        .invalidArguments, about: "text",
        localized(
          "control character {code} at byte {offset} is not allowed",
          ["code": Int(position.element), "offset": position.offset]))
    }
    var phrase = try read(text, context.phraseContext)
    let calendar = try calendar(phrase.calendar, given: name)
    var zone = context.localZone
    if let other = try self.zone(ofCalendar: calendar) {
      zone = other
      phrase = try read(text, PhraseContext(now: context.clock.now, zone: other))
    }
    var event = Row(phrase, in: zone)
    // The local zone may have no name that Add accepts.
    if !event.text(.start).isDay, (try? context.zones.rules(named: zone.name)) != nil {
      event.set(.timeZone, zone.name)
    }
    if let calendar { event.set(.calendar, calendar) }
    return (event, phrase, zone)
  }

  private func read(_ text: String, _ context: PhraseContext) throws(CallError) -> QuickPhrase {
    do throws(PhraseError) {
      return try readQuickPhrase(text, context)
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

extension QuickPhrase {
  /// Returns the warnings for the text: words not understood, and a start that the clock skips.
  fileprivate func warnings(of text: String, in zone: ZoneRules) -> [String] {
    let octets = Array(text.utf8)
    var warnings = spans.filter { $0.meaning == .unread }.map {
      EventWarnings.ofUnread(String(decoding: octets[$0.start..<$0.end], as: UTF8.self))
    }
    // The start of a series stays as written, so Add has the warning.
    if case .local(let reading) = start, rule == nil {
      warnings += EventWarnings.ofSkipped(reading, in: zone)
    }
    return warnings
  }
}

extension String {
  /// Whether it is a date without a time.
  fileprivate var isDay: Bool { !contains("T") }
}

extension Row {
  /// Makes a row with the keys of Add from a quick text.
  fileprivate init(_ phrase: QuickPhrase, in zone: ZoneRules) {
    self.init()
    set(.summary, phrase.summary)
    // A series keeps its time even if the clock skips it on the first day.
    let repeats = phrase.rule != nil
    set(.start, phrase.start.text(in: zone, asWritten: repeats))
    switch phrase.end {
    case .moment(let moment)?: set(.end, moment.text(in: zone, asWritten: repeats))
    case .length(let length)?: set(.end, length.description)
    case nil: break
    }
    setUnlessEmpty(.location, phrase.location)
    if let rule = phrase.rule { set(.rrule, rule.text) }
    let reminders =
      phrase.reminders.map(\.description) + phrase.remindersToEnd.map { "end:\($0)" }
      + phrase.reminderTimes.map(\.text) + (phrase.isSilent ? ["none"] : [])
    if !reminders.isEmpty { set(.reminders, reminders) }
  }
}

extension Phrases.Moment {
  /// Returns it as the clock of a zone shows it, in a form that Add reads.
  ///
  /// - Parameter asWritten: whether a time that the clock skips stays as it is.
  fileprivate func text(in zone: ZoneRules, asWritten: Bool) -> String {
    let instant: Timestamp
    switch self {
    case .date(let date): return date.description
    case .local(let reading) where asWritten: return reading.description
    case .local(let reading): instant = zone.instant(of: reading)
    case .instant(let given): instant = given
    }
    let shown = zone.reading(at: instant)
    // The second of two equal local times needs its offset.
    let isSecond = zone.instant(of: shown) != instant
    return shown.description + (isSecond ? zone.offset(at: instant).description : "")
  }
}
