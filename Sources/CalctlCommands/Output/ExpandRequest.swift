import CivilTime
import JSON
import Messages
import Platform
import Recurrence

/// A recurrence set to expand, and how many occurrences to print.
struct ExpandRequest {
  /// A fault in a request, for programs and for people.
  struct Fault: UserError, Equatable {
    /// A ``RecurrenceError/Kind``, or "bad-date", "unknown-zone", "bad-request" or "limit".
    let kind: String
    let text: UserText
    /// The position in the rule, in octets of UTF-8 from 0.
    var position: Int?

    /// The message in the user's language.
    var message: String { localized(text) }

    init(kind: String, text: UserText, position: Int? = nil) {
      self.kind = kind
      self.text = text
      self.position = position
    }

    /// Makes a fault whose message is already in the user's language.
    init(kind: String, message: String) {
      self.init(kind: kind, text: UserText(verbatim: message))
    }
  }

  enum Extent: Equatable {
    case first(Int)
    /// Local times in the zone of DTSTART; the second is excluded.
    case window(CivilDateTime, CivilDateTime)
  }

  /// The number of occurrences without --limit.
  static let defaultLimit = 10
  /// The most occurrences in one answer.
  static let maximumLimit = 1_000_000

  let rules: [RecurrenceRule]
  private let start: Start
  private let exclusionRules: [RecurrenceRule]
  private let added: [RecurrenceMoment]
  private let excluded: [RecurrenceMoment]
  private let extent: Extent

  /// DTSTART: a day, a local time with or without a zone, or an instant.
  struct Start {
    let reading: CivilDateTime
    let isAllDay: Bool
    let isUTC: Bool
    let isFloating: Bool
    let zone: ZoneRules

    /// - Parameter zone: The IANA name of the zone; "" for none.
    init(_ text: String, zone name: String, isAllDay: Bool, zones: any Zones) throws(Fault) {
      do throws(CivilTimeError) {
        isUTC = text.hasSuffix("Z") || text.hasSuffix("z")
        if isUTC {
          let instant = try Timestamp(text: text)
          reading = ZoneRules.utc.reading(at: instant)
          self.isAllDay = false
        } else if !text.contains("T"), !text.contains("t"), !text.contains(" ") {
          reading = CivilDateTime(try CivilDate(text: text), .midnight)
          self.isAllDay = true
        } else {
          let given = try CivilDateTime(text: text)
          reading = isAllDay ? CivilDateTime(given.date, .midnight) : given
          self.isAllDay = isAllDay
        }
      } catch {
        throw Fault(badTime: text, "dtstart", error)
      }
      isFloating = name.isEmpty && !isUTC
      do throws(CivilTimeError) {
        zone = name.isEmpty || self.isAllDay || isUTC ? .utc : try zones.rules(named: name)
      } catch {
        throw Fault(
          kind: "unknown-zone", text: UserText("tzid: {error}", ["error": error.text]))
      }
    }

    /// Returns an occurrence in the form of DTSTART; one in a gap of the clock is after the gap.
    func text(of instance: RecurrenceInstance) -> String {
      let reading = zone.reading(at: instance.instant)
      if isAllDay { return reading.date.basicText }
      return reading.basicText + (isUTC ? "Z" : "")
    }
  }

  init(
    start: Start, rules: [String], exclusionRules: [String] = [], added: [String],
    excluded: [String], extent: Extent
  ) throws(Fault) {
    self.start = start
    self.rules = try ExpandRequest.rules(rules)
    self.exclusionRules = try ExpandRequest.rules(exclusionRules)
    self.added = try ExpandRequest.moments(added, "rdate")
    self.excluded = try ExpandRequest.moments(excluded, "exdate")
    self.extent = extent
    if case .window(let from, let to) = extent, from > to {
      throw Fault(
        kind: "bad-request",
        text: UserText(
          "the window ends ({end}) before it begins ({start})",
          ["end": to.description, "start": from.description]))
    }
    if case .first(let limit) = extent, limit < 1 || limit > ExpandRequest.maximumLimit {
      throw Fault(
        kind: "limit",
        text: UserText(
          "limit: {value} must be a number from 1 to {most}",
          ["value": limit, "most": ExpandRequest.maximumLimit]))
    }
  }

  /// Returns the occurrences in order, in the form of DTSTART.
  ///
  /// - Throws: ``Fault`` of the kind "limit" if a window has too many.
  func occurrences() throws(Fault) -> [String] {
    let set = RecurrenceSet(
      start: start.reading, isAllDay: start.isAllDay, zone: start.zone, rules: rules,
      exclusionRules: exclusionRules, added: added, excluded: excluded,
      isFloating: start.isFloating)
    var found: [String] = []
    switch extent {
    case .first(let limit):
      set.forEachInstance(from: .earliest) { instance in
        found.append(start.text(of: instance))
        return found.count < limit
      }
    case .window(let from, let to):
      // A day's margin, since the clock may be set back at an end of the window.
      let day: Int64 = 86_400
      let begin = max(start.zone.instant(of: from).adding(seconds: -day), .earliest)
      let end = start.zone.instant(of: to).adding(seconds: day)
      set.forEachInstance(from: begin, until: end) { instance in
        guard instance.instant < end, found.count <= ExpandRequest.maximumLimit else {
          return false
        }
        let reading = start.zone.reading(at: instance.instant)
        if from <= reading, reading < to { found.append(start.text(of: instance)) }
        return true
      }
      guard found.count <= ExpandRequest.maximumLimit else {
        throw Fault(
          kind: "limit",
          text: UserText(
            "more than {most} occurrences", ["most": ExpandRequest.maximumLimit]))
      }
    }
    return found
  }

  /// Returns what a strict parser would refuse in the texts of the rules.
  func remarks(on texts: [String]) -> [RecurrenceRemark] {
    let form: RecurrenceRule.StartForm =
      start.isAllDay ? .date : start.isFloating ? .floating : .zoned
    return zip(rules, texts).flatMap { rule, text in rule.remarks(on: text, start: form) }
  }

  /// The rules that match only the start.
  var rulesWithoutMatch: [RecurrenceRule] {
    rules.filter { rule in
      var endless = rule
      (endless.count, endless.until) = (nil, nil)
      let set = RecurrenceSet(
        start: start.reading, isAllDay: start.isAllDay, zone: start.zone, rules: [endless],
        isFloating: start.isFloating)
      return set.instances(in: .always, limit: 2).count < 2
    }
  }

  private static func rules(_ texts: [String]) throws(Fault) -> [RecurrenceRule] {
    var rules: [RecurrenceRule] = []
    for text in texts {
      do throws(RecurrenceError) {
        rules.append(try RecurrenceRule(text: text))
      } catch {
        throw Fault(
          kind: error.kind.rawValue, text: error.text, position: error.position)
      }
    }
    return rules
  }

  /// Reads values of RDATE or EXDATE, separated by commas; only the start of a PERIOD counts.
  private static func moments(
    _ texts: [String], _ name: String
  ) throws(Fault) -> [RecurrenceMoment] {
    var moments: [RecurrenceMoment] = []
    for value in texts.flatMap({ $0.split(separator: ",") }) {
      let text = value.drop { $0 == " " }.prefix { $0 != "/" && $0 != " " }
      do throws(CivilTimeError) {
        if text.hasSuffix("Z") || text.hasSuffix("z") {
          moments.append(.instant(try Timestamp(text: text)))
        } else if text.contains("T") || text.contains("t") {
          moments.append(.local(try CivilDateTime(text: text)))
        } else {
          moments.append(.date(try CivilDate(text: text)))
        }
      } catch {
        throw Fault(badTime: String(value), name, error)
      }
    }
    return moments
  }
}

extension ExpandRequest.Fault {
  /// Makes the fault for an invalid time, with the whole text.
  fileprivate init(badTime text: String, _ name: String, _ error: CivilTimeError) {
    let message =
      if case .malformed = error {
        UserText(
          """
          {option}: "{value}" is neither a date like 20261121 nor a time like 20261121T090000 or \
          20261121T080000Z
          """, ["option": name, "value": text])
      } else {
        UserText(
          "{option}: \"{value}\": {error}", ["option": name, "value": text, "error": error.text])
      }
    self.init(kind: "bad-date", text: message)
  }
}

extension ExpandRequest {
  /// Reads one case of `--batch`.
  ///
  /// It is an object with dtstart, tzid, allday, rrule, exrule, rdate, exdate, and limit or window.
  ///
  /// - Throws: ``Fault`` for a value of the wrong type, or that cannot be read.
  init(case value: JSONValue, zones: any Zones) throws(Fault) {
    guard value.objectValue != nil else {
      throw Fault(kind: "bad-request", text: UserText("the line is not a JSON object"))
    }
    func refusal(_ text: UserText) -> Fault { Fault(kind: "bad-request", text: text) }
    func given(_ key: String) -> JSONValue? { value[key] == .null ? nil : value[key] }
    func text(_ key: String) throws(Fault) -> String {
      guard let member = given(key) else { return "" }
      guard let text = member.stringValue else {
        throw refusal(UserText("{key} must be a text", ["key": key]))
      }
      return text
    }
    func texts(_ key: String) throws(Fault) -> [String] {
      guard let member = given(key) else { return [] }
      if let text = member.stringValue { return [text] }
      let texts = member.arrayValue?.compactMap(\.stringValue)
      guard let texts, texts.count == member.arrayValue?.count else {
        throw refusal(UserText("{key} must be a text or a list of texts", ["key": key]))
      }
      return texts
    }
    let startText = try text("dtstart")
    if startText.isEmpty { throw refusal(UserText("dtstart is missing")) }
    if let allDay = given("allday"), allDay.boolValue == nil {
      throw refusal(UserText("allday must be true or false"))
    }
    let start = try Start(
      startText, zone: try text("tzid"), isAllDay: given("allday")?.boolValue ?? false,
      zones: zones)
    var extent = Extent.first(ExpandRequest.defaultLimit)
    if let member = given("limit") {
      guard let limit = member.integerValue else {
        throw refusal(UserText("limit must be a whole number"))
      }
      extent = .first(Int(limit))
    } else if given("window") != nil {
      let window = try texts("window")
      guard window.count == 2 else {
        throw refusal(UserText("window must be a list of two times"))
      }
      extent = .window(
        try ExpandRequest.reading(window[0], "window"),
        try ExpandRequest.reading(window[1], "window"))
    }
    try self.init(
      start: start, rules: try texts("rrule"), exclusionRules: try texts("exrule"),
      added: try texts("rdate"), excluded: try texts("exdate"), extent: extent)
  }

  /// Reads an end of a window; a day means its midnight.
  ///
  /// - Throws: ``Fault`` of the kind "bad-date".
  static func reading(_ text: String, _ name: String) throws(Fault) -> CivilDateTime {
    do throws(CivilTimeError) {
      let bare = text.hasSuffix("Z") ? String(text.dropLast()) : text
      if bare.contains("T") || bare.contains("t") || bare.contains(" ") {
        return try CivilDateTime(text: bare)
      }
      return CivilDateTime(try CivilDate(text: bare), .midnight)
    } catch {
      throw Fault(badTime: text, name, error)
    }
  }
}
