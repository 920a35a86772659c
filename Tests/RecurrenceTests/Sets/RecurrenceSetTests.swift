import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct `A recurrence set` {
  private func set(
    _ start: String, _ rules: String..., zone: String = "Europe/Berlin",
    excluded: [RecurrenceMoment] = [], added: [RecurrenceMoment] = []
  ) throws -> RecurrenceSet {
    let isAllDay = !start.contains("T")
    return RecurrenceSet(
      start: isAllDay
        ? CivilDateTime(try CivilDate(text: start), .midnight) : try CivilDateTime(text: start),
      isAllDay: isAllDay, zone: isAllDay ? .utc : FixedZones.shared[zone],
      rules: try rules.map { try RecurrenceRule(text: $0) }, added: added, excluded: excluded)
  }

  @Test func `a daily rule keeps its local time across a spring gap`() throws {
    let set = try set("2026-03-28T09:00", "FREQ=DAILY;COUNT=3")
    #expect(
      set.instances(in: .always).map(\.instant.description)
        == ["2026-03-28T08:00:00Z", "2026-03-29T07:00:00Z", "2026-03-30T07:00:00Z"])
  }

  @Test func `ends where a hundred and fifty thousand instances in a row are excluded`() throws {
    // Walked to its end it would take hours.
    let nothing = RecurrenceSet(
      start: try CivilDateTime(text: "2026-11-21T09:00"), isAllDay: false, zone: .utc,
      rules: [try RecurrenceRule(text: "FREQ=SECONDLY")],
      exclusionRules: [
        try RecurrenceRule(
          text: "FREQ=SECONDLY;BYSECOND=\((0...59).map(String.init).joined(separator: ","))")
      ])
    #expect(nothing.first(atOrAfter: .earliest) == nil)
    // Days of 250 years, and a quarter of minutes, are no reason to give up.
    let late = RecurrenceSet(
      start: try CivilDateTime(text: "2026-11-21T09:00"), isAllDay: false, zone: .utc,
      rules: [try RecurrenceRule(text: "FREQ=DAILY")],
      exclusionRules: [try RecurrenceRule(text: "FREQ=DAILY;UNTIL=22761121T000000Z")])
    #expect(
      late.first(atOrAfter: .earliest)?.reading == (try CivilDateTime(text: "2276-11-21T09:00")))
    let spring = RecurrenceSet(
      start: try CivilDateTime(text: "2026-01-01T00:00"), isAllDay: false, zone: .utc,
      rules: [try RecurrenceRule(text: "FREQ=MINUTELY")],
      exclusionRules: [try RecurrenceRule(text: "FREQ=MINUTELY;BYMONTH=1,2,3")])
    #expect(
      spring.first(atOrAfter: .earliest)?.reading == (try CivilDateTime(text: "2026-04-01T00:00")))
  }

  @Test func `a window is not left to look for what an EXRULE takes away behind it`() throws {
    let set = RecurrenceSet(
      start: try CivilDateTime(text: "2026-01-01T00:00"), isAllDay: false, zone: .utc,
      rules: [try RecurrenceRule(text: "FREQ=SECONDLY")],
      exclusionRules: [try RecurrenceRule(text: "FREQ=MINUTELY;BYSECOND=0,1,2,3,4,5")])
    let from = try Timestamp(text: "2030-01-01T00:00:04Z")
    var seen: [String] = []
    set.forEachInstance(from: from, until: from.adding(seconds: 3)) {
      seen.append($0.instant.basicText)
      return true
    }
    #expect(seen == ["20300101T000006Z", "20300101T000007Z"])
  }

  @Test func `an EXRULE like the rule leaves what that does not match`() throws {
    let rule = try RecurrenceRule(text: "FREQ=SECONDLY;BYMINUTE=0")
    func instances(_ start: String) throws -> [String] {
      RecurrenceSet(
        start: try CivilDateTime(text: start), isAllDay: false, zone: .utc, rules: [rule],
        exclusionRules: [rule], added: [.local(try CivilDateTime(text: "2026-11-22T09:30"))]
      ).instances(in: .always, limit: 5).map(\.reading.description)
    }
    #expect(try instances("2026-11-21T09:00") == ["2026-11-22T09:30:00"])
    #expect(try instances("2026-11-21T09:15") == ["2026-11-21T09:15:00", "2026-11-22T09:30:00"])
  }

  @Test func `days that are excluded are passed by, however many instances they have`() throws {
    let set = RecurrenceSet(
      start: try CivilDateTime(text: "2026-11-21T00:00"), isAllDay: false,
      zone: FixedZones.shared["Europe/Berlin"], rules: [try RecurrenceRule(text: "FREQ=SECONDLY")],
      excluded: try ["2026-11-21", "2026-11-22", "2026-11-24"].map {
        .date(try CivilDate(text: $0))
      })
    #expect(
      set.first(atOrAfter: .earliest)?.reading == (try CivilDateTime(text: "2026-11-23T00:00")))
    let tuesday = FixedZones.shared["Europe/Berlin"].instant(
      of: try CivilDateTime(text: "2026-11-24T00:00"))
    #expect(
      set.first(atOrAfter: tuesday)?.reading == (try CivilDateTime(text: "2026-11-25T00:00")))
  }

  @Test func `an instance in a gap keeps the reading of its rule`() throws {
    let set = try set("2026-03-28T02:30", "FREQ=DAILY;COUNT=2")
    let moved = try #require(set.instances(in: .always).last)
    #expect(moved.reading.description == "2026-03-29T02:30:00")
    #expect(moved.instant.description == "2026-03-29T01:30:00Z")
  }

  /// 02:30 becomes 03:30 and would stand before 03:00.
  @Test func `instances in a gap come in the order of their instants`() throws {
    let set = try set("2026-03-29T01:30", "FREQ=MINUTELY;INTERVAL=30;COUNT=6")
    #expect(
      set.instances(in: .always).map(\.instant.description)
        == [
          "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z",
          "2026-03-29T02:00:00Z",
        ])
  }

  /// The clock of Santiago skips from 00:00 to 01:00: 00:15 is 01:15, and the 01:00:00 that
  /// the rule has after 00:59:59 is before it.
  @Test func `nothing comes before a start in a gap`() throws {
    let seconds = try set(
      "1991-10-13T00:15", "FREQ=SECONDLY;BYDAY=SA,SU;UNTIL=19911013T041505Z",
      zone: "America/Santiago")
    #expect(
      seconds.instances(in: .always).map(\.instant.basicText) == (0...5).map { "19911013T04150\($0)Z" })
    let daily = try set(
      "1991-10-13T00:15", "FREQ=DAILY;BYHOUR=0,1;BYMINUTE=0,15", zone: "America/Santiago")
    #expect(
      daily.instances(in: .always, limit: 2).map(\.instant.basicText)
        == ["19911013T041500Z", "19911014T030000Z"])
  }

  @Test func `a set without rules has its start`() throws {
    #expect(try set("2026-03-29").instances(in: .always).count == 1)
  }

  @Test func `UNTIL before the start yields nothing`() throws {
    let set = try set("2026-03-29T09:00", "FREQ=DAILY;UNTIL=20260328T090000Z")
    #expect(set.instances(in: .always).isEmpty)
    #expect(set.lastInstance() == nil)
    #expect(set.isBounded)
  }

  @Test func `a set with COUNT or UNTIL knows its last instance`() throws {
    let counted = try set("2026-03-29T09:00", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=13")
    #expect(counted.lastInstance()?.reading.description == "2027-03-26T09:00:00")
    let dated = try set("2026-03-29T09:00", "FREQ=YEARLY;UNTIL=20310101")
    #expect(dated.lastInstance()?.reading.description == "2030-03-29T09:00:00")
    #expect(
      try set("2026-03-29T09:00").lastInstance()?.reading.description == "2026-03-29T09:00:00")
  }

  @Test func `a set that goes on for ever has no last instance`() throws {
    let set = try set("2026-03-29T09:00", "FREQ=DAILY")
    #expect(!set.isBounded)
    #expect(set.lastInstance() == nil)
    #expect(set.last(before: .latest)?.reading.description == "9999-12-31T09:00:00")
  }

  @Test func `a large COUNT of a plain rule is no walk`() throws {
    let set = try set("2026-01-01T00:00:00", "FREQ=SECONDLY;COUNT=100000000000", zone: "UTC")
    #expect(set.lastInstance()?.reading.description == "5194-11-16T09:46:39")
  }

  @Test func `an excluded date among times takes all of that day`() throws {
    let date = try CivilDate(text: "2026-01-02")
    let set = try set(
      "2026-01-01T09:00", "FREQ=DAILY;BYHOUR=9,17;COUNT=6", excluded: [.date(date)])
    #expect(set.instances(in: .always).map(\.reading.date.day) == [1, 1, 3, 3])
  }

  @Test func `moments are compared as instants`() throws {
    let local = RecurrenceMoment.local(try CivilDateTime(text: "2026-01-02T09:00"))
    let instant = RecurrenceMoment.instant(try Timestamp(text: "2026-01-02T08:00:00Z"))
    for moment in [local, instant] {
      let less = try set("2026-01-01T09:00", "FREQ=DAILY;COUNT=3", excluded: [moment])
      #expect(less.instances(in: .always).map(\.reading.date.day) == [1, 3])
      let same = try set("2026-01-01T09:00", "FREQ=DAILY;COUNT=3", added: [moment])
      #expect(same.instances(in: .always).count == 3)
    }
  }

  @Test func `an interval too long for any calendar gives the start alone`() throws {
    for frequency in RecurrenceRule.Frequency.allCases {
      let text = "FREQ=\(frequency.name);INTERVAL=999999999999999999"
      #expect(try set("2026-01-01T09:00", text).instances(in: .always, limit: 9).count == 1)
      #expect(try set("2026-01-01T09:00", text + ";BYMONTH=1").instances(in: .always).count == 1)
    }
  }

  /// One leap day on a Monday in 28 years; 30 February never comes.
  /// Each day has 86,400 readings that all stand for it; a walk through them
  /// would take minutes.
  @Test func `a rule by the second whose start is a day has each day once`() throws {
    let set = try set("2026-11-21", "FREQ=SECONDLY;BYMONTH=2,11")
    let instances = set.instances(in: .always, limit: 5_000)
    #expect(instances.count == 5_000)
    #expect(instances.prefix(11).last?.reading.date.description == "2027-02-01")
    #expect(zip(instances, instances.dropFirst()).allSatisfy { $0.instant < $1.instant })
  }

  @Test func `a BYSETPOS beyond what a period can hold leaves the start alone`() throws {
    let rules = [
      "FREQ=WEEKLY;BYMONTH=1;BYSETPOS=2",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;BYMONTH=1;BYSETPOS=-3",
      "FREQ=MONTHLY;BYSETPOS=32", "FREQ=YEARLY;BYMONTH=2;BYSETPOS=366",
    ]
    for rule in rules {
      let set = try set("2026-01-05T09:00", rule)
      #expect(set.instances(in: .always).map(\.reading.description) == ["2026-01-05T09:00:00"])
    }
  }

  @Test func `weeks that BYMONTH excludes are passed by, and none besides`() throws {
    // A week belongs to the month of each of its days.
    let set = try set("2026-01-12T09:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;BYMONTH=3;BYSETPOS=1")
    #expect(
      set.instances(in: .always, limit: 5).map(\.reading.date.description)
        == ["2026-01-12", "2026-03-01", "2026-03-09", "2026-03-23", "2027-03-08"])
  }

  @Test func `a rule that matches rarely or never ends`() throws {
    let rare = try set("2024-02-29", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO")
    #expect(
      rare.instances(in: .always, limit: 3).map(\.reading.date.description)
        == ["2024-02-29", "2044-02-29", "2072-02-29"])
    for frequency in RecurrenceRule.Frequency.allCases {
      let never = try set(
        "2026-01-01T09:00", "FREQ=\(frequency.name);INTERVAL=2;BYMONTH=2;BYMONTHDAY=30")
      #expect(never.instances(in: .always).count == 1)
    }
  }
}
