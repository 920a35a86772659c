import JSON

/// The types of values, as jCal calls them.
enum JCalType {
  /// Of a property that says no type and that nobody knows: its value stays as it
  /// stands in the text. Also what a value becomes that is not what it should be.
  ///
  /// Source: RFC 7265 section 5.
  static let unknown = "unknown"

  /// The type that a property has when its VALUE does not say another. CONFERENCE, IMAGE and REFRESH-INTERVAL have
  /// none: theirs must be said, and so it is written.
  ///
  /// Source: RFC 7986 sections 5.7, 5.10 and 5.11.
  static let byProperty: [String: String] = {
    var types: [String: String] = [:]
    for (type, names) in [
      (
        "text",
        """
        action calscale categories class color comment contact description location method name \
        prodid related-to request-status resources status summary transp tzid tzid-alias-of tzname \
        uid version x-apple-calendar-color x-datebook-color x-wr-calname
        """
      ),
      (
        "date-time",
        """
        acknowledged completed created dtend dtstamp dtstart due exdate last-modified rdate \
        recurrence-id tzuntil
        """
      ),
      ("duration", "duration trigger"),
      ("uri", "attach source tzurl url"),
      ("cal-address", "attendee calendar-address organizer"),
      ("utc-offset", "tzoffsetfrom tzoffsetto"),
      ("integer", "percent-complete priority repeat sequence"),
      ("float", "geo"), ("period", "freebusy"), ("recur", "exrule rrule"),
    ] {
      for name in names.split(separator: " ") { types[String(name)] = type }
    }
    return types
  }()

  /// The properties whose values are a list between commas.
  static let lists: Set<String> = ["categories", "exdate", "freebusy", "rdate", "resources"]

  /// The types whose values have no comma.
  static let withoutCommas: Set<String> = [
    "boolean", "date", "date-time", "duration", "float", "integer", "period", "time", "utc-offset",
  ]

  /// The parameters whose values are a list of words between commas.
  ///
  /// Source: RFC 7986 sections 6.1 and 6.3.
  static let listParameters: Set<String> = ["display", "feature"]
}

extension Component {
  /// Returns the values of a property, with the type that they have in the end: a
  /// value that cannot be what its type says is kept as unknown text.
  ///
  /// Source: RFC 7265 section 3.6.
  func jCalValues(
    _ range: Range<Int>, of name: String, as type: String
  ) -> (type: String, values: [JSONValue]) {
    // Of a property that nobody knows the type that it says tells whether a comma may stand in a value.
    let isList =
      JCalType.lists.contains(name)
      || JCalType.byProperty[name] == nil && JCalType.withoutCommas.contains(type)
    switch type {
    case "text" where name == "request-status":
      let parts = split(range, at: .semicolon).map { JSONValue.string(text($0)) }
      return (type, [parts.count == 1 ? parts[0] : .array(parts)])
    case "text":
      return (type, (isList ? list(range) : [range]).map { .string(text($0)) })
    case "float" where name == "geo":
      let numbers = split(range, at: .semicolon).compactMap { number(trimmed($0)) }
      if numbers.count == 2 { return (type, [.array(numbers.map(JSONValue.number))]) }
    case "date":
      // Of a DATE-TIME that calls itself a DATE the day counts.
      let parts = isList ? list(range) : [range]
      let values = parts.compactMap { part -> JSONValue? in
        let part = trimmed(part)
        return (jCalDate(part) ?? jCalDateTime(part).map { String($0.prefix(10)) })
          .map(JSONValue.string)
      }
      if values.count == parts.count { return (type, values) }
    case "date-time":
      // Programs write days without saying so.
      let parts = isList ? list(range) : [range]
      for type in [type, "date"] {
        let values = parts.compactMap { jCalValue($0, as: type) }
        if values.count == parts.count { return (type, values) }
      }
    default:
      let parts = isList ? list(range) : [range]
      let values = parts.compactMap { jCalValue($0, as: type) }
      if values.count == parts.count { return (type, values) }
    }
    return (JCalType.unknown, [.string(string(range))])
  }

  /// The parts between separators that are not escaped.
  func split(_ range: Range<Int>, at separator: UInt8) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var isEscaped = false
    for position in range {
      if !isEscaped, octets[position] == separator {
        parts.append(start..<position)
        start = position + 1
      }
      isEscaped = !isEscaped && octets[position] == .backslash
    }
    return parts + [start..<range.upperBound]
  }

  /// Returns one value; nil if it is not of this type.
  private func jCalValue(_ range: Range<Int>, as type: String) -> JSONValue? {
    let trimmed = trimmed(range)
    switch type {
    case "date": return jCalDate(trimmed).map(JSONValue.string)
    case "date-time": return jCalDateTime(trimmed).map(JSONValue.string)
    case "time": return jCalTime(trimmed).map(JSONValue.string)
    case "utc-offset": return jCalOffset(trimmed).map(JSONValue.string)
    case "period": return jCalPeriod(trimmed)
    case "recur": return jCalRule(trimmed)
    case "integer": return Int64(string(trimmed)).map(JSONValue.integer)
    case "float": return number(trimmed).map(JSONValue.number)
    case "boolean":
      return isName(trimmed, "TRUE") ? .bool(true) : isName(trimmed, "FALSE") ? .bool(false) : nil
    case "duration": return trimmed.isEmpty ? nil : .string(string(trimmed))
    // URIs, addresses, BINARY, and what nobody knows, stay as they stand.
    default: return .string(string(range))
    }
  }

  /// A FLOAT; nil for "nan" and "inf", which JSON does not have.
  private func number(_ range: Range<Int>) -> Double? {
    Double(string(range)).flatMap { $0.isFinite ? $0 : nil }
  }

  private func areDigits(_ range: Range<Int>) -> Bool {
    range.allSatisfy { octets[$0].isDigit }
  }

  /// "20261121" as "2026-11-21".
  private func jCalDate(_ range: Range<Int>) -> String? {
    guard range.count == 8, areDigits(range) else { return nil }
    let start = range.lowerBound
    return [start..<start + 4, start + 4..<start + 6, start + 6..<start + 8]
      .map(string).joined(separator: "-")
  }

  /// "093000" as "09:30:00", and a Z stays.
  private func jCalTime(_ range: Range<Int>) -> String? {
    let isUTC = range.last.map { octets[$0].upperCased } == UInt8(ascii: "Z")
    let start = range.lowerBound
    guard range.count == (isUTC ? 7 : 6), areDigits(start..<start + 6) else { return nil }
    return [start..<start + 2, start + 2..<start + 4, start + 4..<start + 6]
      .map(string).joined(separator: ":") + (isUTC ? "Z" : "")
  }

  private func jCalDateTime(_ range: Range<Int>) -> String? {
    guard range.count >= 15, octets[range.lowerBound + 8].upperCased == UInt8(ascii: "T"),
      let date = jCalDate(range.prefix(8)), let time = jCalTime(range.dropFirst(9))
    else { return nil }
    return date + "T" + time
  }

  /// "+0100" as "+01:00".
  private func jCalOffset(_ range: Range<Int>) -> String? {
    guard range.count == 5 || range.count == 7, let sign = range.first.map({ octets[$0] }),
      sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), areDigits(range.dropFirst())
    else { return nil }
    let pairs = stride(from: range.lowerBound + 1, to: range.upperBound, by: 2)
    return string(range.prefix(1)) + pairs.map { string($0..<$0 + 2) }.joined(separator: ":")
  }

  /// A start with an end or a length, as an array of two.
  private func jCalPeriod(_ range: Range<Int>) -> JSONValue? {
    let parts = split(range, at: .slash)
    guard parts.count == 2, let start = jCalDateTime(parts[0]) else { return nil }
    let end = jCalDateTime(parts[1]) ?? string(parts[1])
    return .array([.string(start), .string(end)])
  }

  /// The parts of a rule as the members of an object.
  private func jCalRule(_ range: Range<Int>) -> JSONValue? {
    var rule = JSONObject()
    for part in split(range, at: .semicolon) where !part.isEmpty {
      guard let equals = part.first(where: { octets[$0] == UInt8(ascii: "=") }) else { return nil }
      let name = string(trimmed(part.lowerBound..<equals)).lowercased()
      let value = trimmed(equals + 1..<part.upperBound)
      guard !name.isEmpty, rule[name] == nil else { return nil }
      if name == "until" {
        guard let until = jCalDateTime(value) ?? jCalDate(value) else { return nil }
        rule[name] = .string(until)
        continue
      }
      let values = split(value, at: .comma).map { item -> JSONValue in
        let text = string(item)
        // BYDAY and the like are words; "+1" is a number, and written as one.
        return Int64(text).map(JSONValue.integer) ?? .string(text)
      }
      rule[name] = values.count == 1 ? values[0] : .array(values)
    }
    return rule["freq"] == nil ? nil : .object(rule)
  }
}
