import CivilTime
import Messages
import TestSupport
import Testing

@testable import Phrases

@Suite struct `Lines in Chinese` {
  /// Wednesday 11 March 2026, 10:00.
  private static let setting = PhraseSetting(
    now: CivilDateTime(
      CivilDate(year: 2026, month: 3, day: 11) ?? .epoch,
      TimeOfDay(hour: 10, minute: 0) ?? .midnight))

  @Test func `each line of the table is read as it says`() throws {
    let table = try #require(readFile(testsDirectory + "/PhrasesTests/Corpus/chinese.txt"))
    var count = 0
    for line in String(decoding: table, as: UTF8.self).split(separator: "\n")
    where !line.hasPrefix("#") {
      let columns = line.split(separator: "\t")
      try #require(columns.count == 2, "\(line)")
      count += 1
      #expect(Self.outcome(of: columns[0]) == columns[1], "\(columns[0])")
    }
    #expect(count > 300)
  }

  /// What the table says of a line.
  private static func outcome(of line: Substring) -> String {
    do throws(PhraseRefusal) {
      let reading = try readPhrase(line, in: .chinese, setting)
      var text = "\(reading.inShort) | \(reading.title)"
      if !reading.place.isEmpty { text += " @\(reading.place)" }
      if !reading.calendar.isEmpty { text += " #\(reading.calendar)" }
      for reminder in reading.reminders { text += " !\(reminder)" }
      return text
    } catch {
      guard !error.readings.isEmpty else { return "refused" }
      return "either " + error.readings.map(\.inShort).sorted().joined(separator: " or ")
    }
  }

  @Test(arguments: [
    ("明天下午3点", "2026-03-12 15:00"), ("下周五", "2026-03-20"), ("半小时后", "PT30M"),
    ("２０２６年３月２０日", "2026-03-20"), ("晚上八点到九点半", "2026-03-11 20:00 – 2026-03-11 21:30"),
  ])
  func `a time alone needs no title`(line: String, expected: String) throws {
    #expect(try readPhrase(line, in: .chinese, Self.setting, isEvent: false).inShort == expected)
  }

  @Test func `a time alone has no other words`() {
    #expect(throws: PhraseRefusal.self) {
      try readPhrase("明天下午3点开会", in: .chinese, Self.setting, isEvent: false)
    }
  }

  @Test func `a refusal shows the words that are not understood`() throws {
    let line = "明天3点以后交报告"
    let refusal = try #require(throws: PhraseRefusal.self) {
      try readPhrase(line, in: .chinese, Self.setting)
    }
    let fault = try #require(refusal.fault)
    #expect(String(decoding: Array(line.utf8)[fault], as: UTF8.self) == "3点以后")
  }

  @Test(arguments: [
    ("三点前到公司 明天", "\"三点前\" is a deadline, and no start"),
    ("中秋聚餐", "the day of \"中秋\" is not known; write its date"),
    ("2月30日体检", "there is no day \"2月30日\": February has 29 days"),
    ("宝宝100天 12月20日", "\"100天\" is a duration, and no time"),
    (
      "每个工作日9点站会，除节假日",
      "\"除节假日\": exceptions are not read; add the series without them, then remove those days with calctl "
        + "rm \"TITLE@DATE\"; or put the title in quotation marks"
    ),
  ])
  func `a refusal says what is wrong`(line: String, reason: String) {
    let refusal = #expect(throws: PhraseRefusal.self) {
      try readPhrase(line, in: .chinese, Self.setting)
    }
    #expect(refusal?.reason.english == reason)
  }

  @Test(arguments: [Weekday.monday, .sunday, .saturday])
  func `weeks begin on Monday in every locale`(first: Weekday) throws {
    // Saturday 21 November 2026, 10:00.
    let setting = PhraseSetting(
      now: try CivilDateTime(text: "2026-11-21T10:00:00"), customs: TimeCustoms(firstWeekday: first)
    )
    for (line, expected) in [
      ("下周日聚餐", "2026-11-29"), ("这周日聚餐", "2026-11-22"), ("周末爬山", "2026-11-21 – 2026-11-22"),
      ("下周末爬山", "2026-11-28 – 2026-11-29"), ("下周的周日爬山", "2026-11-29"),
    ] {
      #expect(try readPhrase(line, in: .chinese, setting).inShort == expected, "\(line)")
    }
  }

  @Test(arguments: [
    ("纽约时间明天上午9点开会", "America/New_York"), ("明天伦敦时间下午3点面试", "Europe/London"),
    ("明天9:00東京時間開會", "Asia/Tokyo"), ("北京时间下周一20:00看球", "Asia/Shanghai"),
  ])
  func `a place names a zone`(line: String, zone: String) throws {
    #expect(try readPhrase(line, in: .chinese, Self.setting).zone?.name == zone)
  }

  @Test(arguments: ["明天下午3点开会 不提醒", "明天下午3点开会 不用提醒"])
  func `a line can ask for no reminder`(line: String) throws {
    #expect(try readPhrase(line, in: .chinese, Self.setting).isSilent)
  }
}
