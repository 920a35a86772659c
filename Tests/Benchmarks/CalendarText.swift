import CivilTime
import Glibc

/// A calendar of so many events, as iCalendar text, the same for the same number and day: what people have in the years
/// before and after today, half of them each.
///
/// Of a hundred events sixty are single hours, fifteen are whole days, fifteen come weekly for a quarter of
/// a year, five come monthly for two years, and five come on weekdays for a month; one in four has an
/// alarm. "Meeting" is in a tenth of the titles, "xylophone" in three events.
struct CalendarText {
  private var state: UInt64 = 20_261_121
  private let count: Int
  private let today: CivilDate
  private let days: Int

  private static let words = [
    "Review", "Lunch", "Dentist", "Planning", "Call", "Budget", "Workshop", "Visit", "Training",
    "Interview", "Design", "Market", "Concert", "Report", "Garden", "Travel", "Board", "Team",
  ]

  init(count: Int, today: CivilDate, years: Int) {
    self.count = count
    self.today = today
    days = years * 360
  }

  /// Writes it to standard output.
  mutating func run() throws {
    print(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Datebook//Benchmarks//EN", terminator: "\r\n")
    for number in 0..<count {
      let lines = try event(number).joined(separator: "\r\n")
      print("BEGIN:VEVENT\r\n\(lines)\r\nEND:VEVENT", terminator: "\r\n")
    }
    print("END:VCALENDAR", terminator: "\r\n")
  }

  private mutating func event(_ number: Int) throws -> [String] {
    guard let day = today.adding(days: random(days) - days / 2) else {
      throw UsageError(description: "\(today) is too near to the end of time")
    }
    let date = day.description.filter { $0 != "-" }
    let hour = 7 + random(12)
    let word = CalendarText.words[random(CalendarText.words.count)]
    let title = number % 10 == 0 ? "Meeting" : CalendarText.words[random(CalendarText.words.count)]
    let rare = number % (count / 3 + 1) == 7 ? " xylophone" : ""
    var lines = [
      "UID:event-\(number)@benchmarks", "DTSTAMP:20260101T000000Z",
      "SUMMARY:\(title) \(word) \(number)\(rare)", "LOCATION:Room \(random(40))",
    ]
    let kind = random(100)
    if 60..<75 ~= kind {
      lines.append("DTSTART;VALUE=DATE:\(date)")
    } else {
      let minute = random(4) * 15
      lines.append("DTSTART;TZID=Europe/Berlin:\(date)T\(two(hour))\(two(minute))00")
      lines.append("DURATION:PT\(30 * (1 + random(4)))M")
    }
    switch kind {
    case 75..<90: lines.append("RRULE:FREQ=WEEKLY;COUNT=13")
    case 90..<95: lines.append("RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=24")
    case 95...: lines.append("RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=20")
    default: break
    }
    if number % 4 == 0 {
      lines += ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "END:VALARM"]
    }
    return lines
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// A number from 0 up to a bound, by a generator of multiplication and shifts.
  private mutating func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
  }
}
