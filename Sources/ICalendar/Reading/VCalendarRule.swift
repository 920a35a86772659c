import CivilTime
import Messages
import Recurrence

/// Converts the recurrence rules of vCalendar 1.0 to RFC 5545:
///
///     D2 #5                        FREQ=DAILY;INTERVAL=2;COUNT=5
///     W1 MO WE 20261231T000000Z    FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T000000Z
///     MP1 1+ MO 1- FR #0           FREQ=MONTHLY;BYDAY=1MO,-1FR
///     MD1 1 15 1- #4               FREQ=MONTHLY;BYMONTHDAY=1,15,-1;COUNT=4
///     YM1 6 7 #3                   FREQ=YEARLY;BYMONTH=6,7;COUNT=3
///     YD1 1 100                    FREQ=YEARLY;BYYEARDAY=1,100;COUNT=2
///
/// "#0" means no end; without a number and a date it is "#2". If both are given, the date is used.
/// Not supported are rules within rules ("MP6 1+ MO #5 D1 #5"), marks ("MO$"), and times of day
/// except in a daily rule.
///
/// Reading: The specification says that "#4" is four days, weeks, months or years; phones and
/// Outlook meant four occurrences, and so do we.
///
/// Source: versit vCalendar 1.0, "Recurrence Rule Grammar".
enum VCalendarRule {
  private enum Form: String {
    case daily = "D"
    case weekly = "W"
    case monthlyByPosition = "MP"
    case monthlyByDay = "MD"
    case yearlyByMonth = "YM"
    case yearlyByDay = "YD"
    case minutes = "M"

    var frequency: String {
      switch self {
      case .daily: "DAILY"
      case .weekly: "WEEKLY"
      case .monthlyByPosition, .monthlyByDay: "MONTHLY"
      case .yearlyByMonth, .yearlyByDay: "YEARLY"
      case .minutes: "MINUTELY"
      }
    }
  }

  /// More than any real rule has.
  private static let maximumOctets = 4096

  /// Whether a text begins like one of these rules.
  static func isOne(_ text: String) -> Bool {
    // In most rules, those of RFC 5545, the first word has an "=".
    let first = text.utf8.prefix(16).prefix { $0 != 0x20 && $0 != 0x09 }
    guard !first.contains(UInt8(ascii: "=")), let word = words(String(text.prefix(16))).first
    else { return false }
    return head(word.text) != nil
  }

  /// Returns the rule in the form of RFC 5545.
  ///
  /// - Parameter start: The day of DTSTART, for positions without a list.
  /// - Throws: ``RecurrenceError`` for a rule that is invalid or not supported.
  static func translated(_ text: String, start: CivilDate) throws(RecurrenceError) -> String {
    guard text.utf8.count <= maximumOctets else {
      throw fault(
        0,
        UserText(
          "a rule of vCalendar 1.0 of {count} bytes, the limit is {limit}",
          ["count": text.utf8.count, "limit": maximumOctets]))
    }
    let words = words(text)
    guard let first = words.first, let (form, interval) = head(first.text) else {
      throw fault(
        0, UserText("it does not begin like a rule of vCalendar 1.0, such as D1 or MP2"))
    }
    var list = List(form)
    var count: Int?
    var until: String?
    for word in words.dropFirst() {
      let body = word.text.utf8.dropFirst()
      if word.text.utf8.first == UInt8(ascii: "#") {
        guard count == nil, (1...9).contains(body.count), let number = Int(word.text.dropFirst())
        else {
          throw fault(
            word.position,
            UserText("\"{word}\" is not a number of times like #5", ["word": word.text]))
        }
        count = number
      } else if word.text.utf8.count >= 8, word.text.utf8.prefix(8).allSatisfy(\.isDigit) {
        until = word.text
      } else {
        guard count == nil, until == nil, head(word.text) == nil else {
          throw fault(
            word.position,
            UserText("\"{word}\": a rule within a rule is not read", ["word": word.text]))
        }
        try list.add(word)
      }
    }
    if list.isEmpty, form == .monthlyByPosition {
      list.parts = ["\((start.day - 1) / 7 + 1)\(start.weekday.code)"]
    }
    var rule = "FREQ=\(form.frequency)"
    if interval > 1 { rule += ";INTERVAL=\(interval)" }
    rule += try list.text()
    if let until {
      rule += ";UNTIL=\(until)"
    } else if count != 0 {
      rule += ";COUNT=\(count ?? 2)"
    }
    return rule
  }

  fileprivate typealias Word = (text: String, position: Int)

  private static func words(_ text: String) -> [Word] {
    let octets = Array(text.utf8)
    return octets.split { $0 == 0x20 || $0 == 0x09 }.map {
      (String(decoding: $0, as: UTF8.self).uppercased(), $0.startIndex)
    }
  }

  /// Reads a word like "MP2"; nil for anything else.
  private static func head(_ word: String) -> (Form, interval: Int)? {
    let letters = word.prefix { !$0.utf8.allSatisfy(\.isDigit) }
    let digits = word.utf8.dropFirst(letters.utf8.count)
    guard let form = Form(rawValue: String(letters)), (1...4).contains(digits.count),
      digits.allSatisfy(\.isDigit), let interval = Int(Substring(digits)), interval > 0
    else { return nil }
    return (form, interval)
  }

  fileprivate static func fault(_ position: Int, _ reason: UserText) -> RecurrenceError {
    RecurrenceError(kind: .badSyntax, part: "", position: position, reason: reason)
  }

  /// The words between the interval and the end of a rule.
  private struct List {
    private let form: Form
    var parts: [String] = []
    /// The positions that apply to the next weekdays: "1+ 3+ MO TU".
    private var positions: [Int] = []
    private var hasWeekday = false
    /// The times of day of a daily rule.
    private var times: [(hour: Int, minute: Int)] = []

    init(_ form: Form) {
      self.form = form
    }

    var isEmpty: Bool { parts.isEmpty && times.isEmpty && positions.isEmpty }

    mutating func add(_ word: Word) throws(RecurrenceError) {
      switch form {
      case .daily:
        guard word.text.utf8.count == 4, let number = Int(word.text), number / 100 < 24,
          number % 100 < 60
        else {
          throw fault(
            word.position,
            UserText("\"{word}\" is not a time of day like 0930", ["word": word.text]))
        }
        times.append((number / 100, number % 100))
      case .weekly: parts.append(try weekday(word).code)
      case .monthlyByPosition:
        if let position = number(word.text) {
          guard (1...5).contains(abs(position)) else {
            throw fault(
              word.position,
              UserText("\"{word}\" is not a position from 1+ to 5-", ["word": word.text]))
          }
          if hasWeekday { positions = [] }
          hasWeekday = false
          if !positions.contains(position) { positions.append(position) }
        } else {
          let day = try weekday(word)
          hasWeekday = true
          guard !positions.isEmpty else {
            throw fault(
              word.position,
              UserText("\"{word}\" has no position such as 1+ before it", ["word": word.text]))
          }
          parts += positions.map { "\($0)\(day.code)" }
        }
      case .monthlyByDay: parts.append(String(try number(word, 31, isSigned: true)))
      case .yearlyByMonth: parts.append(String(try number(word, 12, isSigned: false)))
      case .yearlyByDay: parts.append(String(try number(word, 366, isSigned: false)))
      case .minutes:
        throw fault(
          word.position, UserText("\"{word}\": minutes have no list", ["word": word.text]))
      }
    }

    /// Returns the list as a part of an RFC 5545 rule, with a semicolon before it; "" for none.
    func text() throws(RecurrenceError) -> String {
      if let first = times.first {
        guard times.allSatisfy({ $0.minute == first.minute }) else {
          throw fault(0, UserText("times of day with different minutes are not read"))
        }
        let hours = times.map { String($0.hour) }.joined(separator: ",")
        return ";BYHOUR=\(hours);BYMINUTE=\(first.minute)"
      }
      guard parts.isEmpty else {
        let name =
          switch form {
          case .monthlyByDay: "BYMONTHDAY"
          case .yearlyByMonth: "BYMONTH"
          case .yearlyByDay: "BYYEARDAY"
          case .daily, .weekly, .monthlyByPosition, .minutes: "BYDAY"
          }
        return ";\(name)=\(parts.joined(separator: ","))"
      }
      guard positions.isEmpty else {
        throw fault(0, UserText("a position has no weekday after it"))
      }
      return ""
    }

    private func weekday(_ word: Word) throws(RecurrenceError) -> Weekday {
      guard let day = Weekday(code: word.text) else {
        throw fault(
          word.position, UserText("\"{word}\" is not a day from MO to SU", ["word": word.text]))
      }
      return day
    }

    private func number(
      _ word: Word, _ most: Int, isSigned: Bool
    ) throws(RecurrenceError) -> Int {
      guard let number = number(word.text), (1...most).contains(abs(number)),
        isSigned || number > 0
      else {
        throw fault(
          word.position,
          UserText(
            "\"{word}\" is not a number from 1 to {most}", ["word": word.text, "most": most]))
      }
      return number
    }

    /// Reads "3", "3+", "3-", "-3" or "LD", the last day.
    private func number(_ word: String) -> Int? {
      if word == "LD" { return -1 }
      guard (1...5).contains(word.utf8.count) else { return nil }
      if word.hasSuffix("+") { return Int(word.dropLast()) }
      if word.hasSuffix("-") { return Int(word.dropLast()).map { -$0 } }
      return Int(word)
    }

    private func fault(_ position: Int, _ reason: UserText) -> RecurrenceError {
      VCalendarRule.fault(position, reason)
    }
  }
}
