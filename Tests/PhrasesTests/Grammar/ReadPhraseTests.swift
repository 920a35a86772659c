import CivilTime
import Messages
import Testing

@testable import Phrases

@Suite struct `Lines read by a grammar` {
  /// Wednesday 11 March 2026, 10:00.
  private static let setting = PhraseSetting(
    now: CivilDateTime(
      CivilDate(year: 2026, month: 3, day: 11) ?? .epoch,
      TimeOfDay(hour: 10, minute: 0) ?? .midnight))

  private func read(
    _ text: String, _ setting: PhraseSetting = setting, _ language: PhraseLanguage = .english
  ) throws -> PhraseReading {
    try readPhrase(text, in: language, setting)
  }

  private func refusal(_ text: String, _ setting: PhraseSetting = setting) -> PhraseRefusal? {
    #expect(throws: PhraseRefusal.self, "\(text)") { try read(text, setting) }
  }

  @Test func `each token is accounted for`() throws {
    let line = "lunch with Ana friday 12:30-13:15 at Da Mario #work !15m"
    let reading = try read(line)
    #expect(reading.inShort == "2026-03-13 12:30 – 2026-03-13 13:15")
    #expect(reading.title == "lunch with Ana")
    #expect(reading.place == "Da Mario")
    #expect(reading.calendar == "work")
    #expect(reading.reminders == [CalendarDuration(seconds: 900)])
    #expect(
      reading.parts.map(\.kind) == [.title, .when, .when, .place, .calendar, .reminder])
  }

  @Test(arguments: [
    ("meeting next friday", "2026-03-13", "2026-03-20"),
    ("meeting wednesday", "2026-03-11", "2026-03-18"),
    ("meeting on 12/11", "2026-11-12", "2026-12-11"),
    ("meeting tomorrow at 3:30", "2026-03-12 03:30", "2026-03-12 15:30"),
    ("meeting tomorrow at 7", "2026-03-12 07:00", "2026-03-12 19:00"),
    (
      "gym every second tuesday", "2026-03-17 (FREQ=WEEKLY;INTERVAL=2;BYDAY=TU)",
      "2026-04-14 (FREQ=MONTHLY;BYDAY=2TU)"
    ),
  ])
  func `what has two readings is refused with both`(
    line: String, first: String, second: String
  ) {
    #expect(Set(refusal(line)?.readings.map(\.inShort) ?? []) == [first, second])
  }

  @Test func `the order of the locale settles a date in numbers`() throws {
    var setting = Self.setting
    setting.customs.dateOrder = .monthDay
    #expect(try read("meeting on 12/11", setting).inShort == "2026-12-11")
    setting.customs.dateOrder = .dayMonth
    #expect(try read("meeting on 12/11", setting).inShort == "2026-11-12")
  }

  @Test(arguments: [
    ("pickup at 3:30 every thursday", ["03:30", "15:30"]),
    ("meeting friday 4:30-5:30", ["2026-03-13 04:30-05:30", "2026-03-13 16:30-17:30"]),
    ("pickup at 03:30 every thursday", []), ("flight friday 4:30", []), ("gym friday 6:30", []),
  ])
  func `few mean the night by 3:30 on the 24-hour clock`(line: String, forms: [String]) throws {
    var setting = Self.setting
    setting.customs.usesTwentyFourHours = true
    guard !forms.isEmpty else {
      _ = try read(line, setting)
      return
    }
    #expect(refusal(line, setting)?.suggestions == forms)
  }

  @Test(arguments: [
    ("meeting friday 7-8", ["2026-03-13 07:00-08:00", "2026-03-13 19:00-20:00"]),
    ("training 3 days from monday", ["2026-03-16 – 2026-03-18", "2026-03-19"]),
    ("dentist before 3pm", ["by 3pm"]), ("gym every second tuesday", []),
    ("dentist 2026-W50", ["monday week 50 2026"]),
  ])
  func `a refusal has forms that keep what was clear`(line: String, forms: [String]) {
    #expect(refusal(line)?.suggestions == forms)
  }

  @Test(arguments: [
    ("release v2.4 on dec 15", "“release v2.4” on dec 15"),
    ("pay invoice 4711 friday", "“pay invoice 4711” friday"),
    ("friday 3 tickets", "friday “3 tickets”"), ("2 tickets friday", "“2 tickets” friday"),
    ("dentist tomorrow 13pm", ""), ("call at 930 tomorrow", ""), ("rent monthly 15", ""),
    ("shift tomorrow 1900-2100", ""), ("dentist 9:75 tomorrow", ""), ("lunch 5", ""),
    ("\"a 1\" and invoice 4711 friday", ""),
  ])
  func `a number that may be of the title is shown in quotation marks`(
    line: String, quoted: String
  ) throws {
    let refused = try #require(refusal(line))
    #expect(refused.quoted == quoted)
    if !quoted.isEmpty {
      #expect(refused.text.english.contains("; put the title in quotation marks: \(quoted)"))
      #expect(try read(quoted).title.contains("“") == false)
    }
  }

  @Test(arguments: [
    "standup every weekday 9:00 except holidays", "standup every weekday 9:00 except wednesday",
    "standup every weekday 9:00 (except 24 dec)", "standup every weekday 9:00 but not in august",
    "run every day but christmas 7:00",
  ])
  func `exceptions of a series are refused with what to do`(line: String) throws {
    let refused = try #require(refusal(line))
    #expect(refused.reason.english.contains("exceptions are not read"))
    #expect(refused.suggestions.isEmpty)
  }

  @Test(arguments: [
    ("meeting 3pm !soon", "!soon"), ("call at 930 tomorrow", "930"),
    ("meeting friday 9:00-9:00", "9:00-9:00"),
    ("dentist tomorrow after lunch", "after"), ("dentist friday or saturday", "or"),
    ("meeting friday except sunday", "except"), ("meeting tomorrow at 13pm", "at 13"),
    ("dinner wendesday 7pm", "wendesday"), ("2 tickets friday", "2"),
  ])
  func `what looks like a time never ends in the title`(line: String, fault: String) {
    let octets = Array(line.utf8)
    let range = refusal(line)?.fault
    #expect(range.map { String(decoding: octets[$0], as: UTF8.self) } == fault)
  }

  @Test(arguments: [
    ("dinner friday 7", "2026-03-13 19:00"),
    ("lunch with 3 friends tomorrow at 1", "2026-03-12 13:00"),
    ("meeting friday 11-1:30pm", "2026-03-13 11:00 – 2026-03-13 13:30"),
    ("meeting at 3", "2026-03-11 15:00"),
    ("night shift friday 22:00-6:00", "2026-03-13 22:00 – 2026-03-14 06:00"),
  ])
  func `one rule settles a bare hour`(line: String, expected: String) throws {
    #expect(try read(line).inShort == expected)
  }

  @Test func `the first occurrence of a rule is never in the past`() throws {
    #expect(
      try read("standup every day at 9:00").inShort == "2026-03-12 09:00 (FREQ=DAILY)")
  }

  @Test func `a rule for the 31st names the months that it skips`() throws {
    let notes = try read("rent every 31st").notes.map(\.english)
    #expect(
      notes == [
        "it skips the months without a 31st: February, April, June, September, November"
      ])
  }

  @Test func `a line that is only a time has no title`() throws {
    let reading = try readPhrase("friday 9:30", in: .english, Self.setting, isEvent: false)
    #expect(reading.inShort == "2026-03-13 09:30")
    #expect(throws: PhraseRefusal.self) {
      try readPhrase("dentist friday", in: .english, Self.setting, isEvent: false)
    }
  }

  @Test(arguments: [
    ("明天下午三点半开会", "2026-03-12 15:30"), ("下周五１５：００开会", "2026-03-20 15:00"),
    ("3月5日晚上8点开会", "2027-03-05 20:00"),
  ])
  func `the same machinery reads Chinese`(line: String, expected: String) throws {
    let reading = try read(line, Self.setting, .chinese)
    #expect(reading.inShort == expected)
    #expect(reading.title == "开会")
  }
}
