import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct `An edit of one occurrence and those after it` {
  /// A series, where it is split, and what its right half looks like.
  struct Split: CustomTestStringConvertible {
    let name: String
    let start: String
    var end = "PT1H"
    let rules: [String]
    var added: [String] = []
    let id: String
    let newStart: String
    let newRules: [String]
    var testDescription: String { name }
  }

  static let splits = [
    Split(
      name: "COUNT", start: "20260601T090000Z", rules: ["FREQ=DAILY;COUNT=10"],
      id: "20260604T090000Z", newStart: "20260604T090000Z", newRules: ["FREQ=DAILY;COUNT=7"]),
    Split(
      name: "COUNT with a start that the rule does not match", start: "20260601T090000Z",
      rules: ["FREQ=WEEKLY;COUNT=4;BYDAY=TU,TH"], id: "20260604T090000Z",
      newStart: "20260604T090000Z", newRules: ["FREQ=WEEKLY;COUNT=2;BYDAY=TU,TH"]),
    Split(
      name: "COUNT of a great many", start: "20260601T090000Z",
      rules: ["FREQ=SECONDLY;COUNT=200001"], id: "20260603T000000Z",
      newStart: "20260603T000000Z", newRules: ["FREQ=SECONDLY;UNTIL=20260603T163320Z"]),
    Split(
      name: "every other week", start: "20260602T090000Z",
      rules: ["FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH"], id: "20260604T090000Z",
      newStart: "20260604T090000Z", newRules: ["FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH"]),
    Split(
      name: "a date between the steps of a rule", start: "20260601T090000Z",
      rules: ["FREQ=DAILY;INTERVAL=2"], added: ["20260604T090000Z"], id: "20260604T090000Z",
      newStart: "20260605T090000Z", newRules: ["FREQ=DAILY;INTERVAL=2"]),
    Split(
      name: "days", start: "20260601", end: "", rules: ["FREQ=DAILY;UNTIL=20260610"],
      id: "20260604", newStart: "20260604", newRules: ["FREQ=DAILY;UNTIL=20260610"]),
    Split(
      name: "readings", start: "20260601T090000", rules: ["FREQ=DAILY"], id: "20260604T090000",
      newStart: "20260604T090000", newRules: ["FREQ=DAILY"]),
    Split(
      name: "a change of the clock between", start: "20260327T090000 Europe/Berlin",
      end: "20260327T100000 Europe/Berlin", rules: ["FREQ=DAILY;COUNT=5"], id: "20260330T070000Z",
      newStart: "20260330T090000 Europe/Berlin", newRules: ["FREQ=DAILY;COUNT=2"]),
    Split(
      name: "in a gap", start: "20260327T023000 Europe/Berlin",
      end: "20260327T033000 Europe/Berlin", rules: ["FREQ=DAILY;COUNT=5"], id: "20260329T013000Z",
      newStart: "20260329T023000 Europe/Berlin", newRules: ["FREQ=DAILY;COUNT=3"]),
    Split(
      name: "a night that is shorter", start: "20260327T230000 Europe/Berlin",
      end: "20260328T050000 Europe/Berlin", rules: ["FREQ=DAILY;COUNT=5"], id: "20260328T220000Z",
      newStart: "20260328T230000 Europe/Berlin", newRules: ["FREQ=DAILY;COUNT=4"]),
    Split(
      name: "dates alone", start: "20260601T090000Z", rules: [],
      added: ["20260603T110000Z", "20260605T090000Z"], id: "20260603T110000Z",
      newStart: "20260603T110000Z", newRules: []),
    Split(
      name: "two rules of which one ended", start: "20260601T090000Z",
      rules: ["FREQ=DAILY;COUNT=3", "FREQ=WEEKLY;COUNT=4"], id: "20260615T090000Z",
      newStart: "20260615T090000Z", newRules: ["FREQ=WEEKLY;COUNT=2"]),
    Split(
      name: "two rules that take their days from the start", start: "20260602T090000Z",
      rules: ["FREQ=WEEKLY", "FREQ=YEARLY"], id: "20260609T090000Z",
      newStart: "20260609T090000Z",
      newRules: ["FREQ=WEEKLY", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=2"]),
    Split(
      name: "a day that the month does not have", start: "20260131", end: "",
      rules: ["RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD"], id: "20260228",
      newStart: "20260228",
      newRules: ["FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD;BYMONTHDAY=31"]),
  ]

  @Test(arguments: splits) func `the halves have what the whole had`(_ split: Split) throws {
    var master = try Event(split.start, split.end)
    master.recurrence.rules = try split.rules.map { try RecurrenceRule(text: $0) }
    master.recurrence.added = try split.added.map { AddedDate(start: try EventTime($0)) }
    let whole = EventSeries(master)
    let edit = try whole.edited(.thisAndFuture, at: split.id) { $0.location = "Sal's" }
    let right = try #require(edit.split)
    #expect(right.master?.start == (try EventTime(split.newStart)))
    #expect(right.master?.recurrence.rules.map(\.text) == split.newRules)
    let left = try #require(edit.series).drawn(limit: 200)
    #expect(try Array((left + right.drawn(limit: 200)).prefix(200)) == whole.drawn(limit: 200))
  }

  @Test func `dates, exceptions and overrides go with their half`() throws {
    var master = try Event(
      "20260601T090000Z", "PT1H", rule: "FREQ=DAILY;COUNT=9",
      except: ["20260602T090000Z", "20260607T090000Z"])
    master.recurrence.added = [
      AddedDate(start: try EventTime("20260602T180000Z")),
      AddedDate(start: try EventTime("20260608T180000Z")),
    ]
    master.attendees = [Attendee(address: "mailto:ana@example.org", participation: "accepted")]
    master.component = "X-ROOM:7"
    master.sequence = 4
    let whole = EventSeries(
      master,
      overrides: [
        try Event("20260603T100000Z", instead: "20260603T090000Z"),
        try Event("20260606T100000Z", instead: "20260606T090000Z"),
      ])
    let edit = try whole.edited(.thisAndFuture, at: "20260605T090000Z") { $0.summary = "Tea" }
    let (left, right) = (try #require(edit.series), try #require(edit.split))
    #expect(left.uid == EventUID("event"))
    #expect(left.master?.sequence == 5)
    #expect(left.master?.lastModified == editTime)
    #expect(left.overrides == [whole.overrides[0]])
    #expect(right.components.map(\.uid) == [EventUID("right"), EventUID("right")])
    #expect(right.master?.sequence == 0)
    #expect(right.master?.created == editTime)
    #expect(right.master?.attendees == master.attendees)
    #expect(right.master?.component == "X-ROOM:7")
    #expect(right.master?.recurrence.excluded == [try EventTime("20260607T090000Z")])
    #expect(right.master?.recurrence.added.count == 1)
    // It had the title of the series, and has the new one.
    #expect(right.overrides.map(\.summary) == ["Tea"])
    #expect(try left.starts() + right.starts() == whole.starts())
    #expect(edit.edited?.uid == EventUID("right"))
  }

  @Test func `a split on an override changes that too`() throws {
    var override = try Event("20260603T120000Z", "PT1H", instead: "20260603T090000Z")
    override.summary = "Dinner"
    let whole = EventSeries(
      try Event("20260601T090000Z", "PT1H", rule: "FREQ=DAILY;COUNT=4"), overrides: [override])
    let titled = try whole.edited(.thisAndFuture, at: "20260603T090000Z") { $0.summary = "Tea" }
    #expect(try titled.split?.titles() == ["20260603T120000Z Tea", "20260604T090000Z Tea"])
    // An hour later than where it was shown: so are those after it.
    let moved = try whole.edited(.thisAndFuture, at: "20260603T090000Z") {
      $0.start = try EventTime("20260603T130000Z")
    }
    #expect(try moved.series?.starts() == ["20260601T090000Z", "20260602T090000Z"])
    #expect(try moved.split?.titles() == ["20260603T130000Z Dinner", "20260604T100000Z Lunch"])
  }

  @Test func `from the first occurrence on it is an edit of all`() throws {
    let whole = EventSeries(try Event("20260601T090000Z", rule: "FREQ=DAILY;COUNT=3"))
    let edit = try whole.edited(.thisAndFuture, at: "20260601T090000Z") { $0.summary = "Tea" }
    #expect(edit.split == nil)
    #expect(edit.edited?.uid == EventUID("event"))
    #expect(edit.series?.master?.summary == "Tea")
  }

  @Test func `the right half can have another rule and another time`() throws {
    let whole = EventSeries(try Event("20260601T090000Z", "PT1H", rule: "FREQ=DAILY"))
    let edit = try whole.edited(.thisAndFuture, at: "20260603T090000Z") {
      $0.start = try EventTime("20260603T170000Z")
      $0.rules = [try RecurrenceRule(text: "FREQ=WEEKLY;COUNT=2")]
    }
    #expect(try edit.series?.starts() == ["20260601T090000Z", "20260602T090000Z"])
    #expect(try edit.split?.starts() == ["20260603T170000Z", "20260610T170000Z"])
  }

  @Test func `a range holds on both sides of a split`() throws {
    var range = try Event("20260602T110000Z", "PT1H", instead: "20260602T090000Z")
    range.appliesToFuture = true
    range.summary = "Late"
    let whole = EventSeries(
      try Event("20260601T090000Z", "PT1H", rule: "FREQ=DAILY;COUNT=5"),
      overrides: [range, try Event("20260604T120000Z", "PT1H", instead: "20260604T090000Z")])
    let edit = try whole.edited(.thisAndFuture, at: "20260604T090000Z") { $0.location = "Sal's" }
    #expect(try edit.series!.titles() + edit.split!.titles() == whole.titles())
  }

  @Test func `an alarm at a fixed moment goes with its half`() throws {
    var master = try Event("20260601T090000Z", rule: "FREQ=DAILY")
    let moments = try ["20260602T080000Z", "20260605T080000Z"].map { try Timestamp(text: $0) }
    master.alarms = moments.enumerated().map { Alarm(id: "\($0)", trigger: .absolute($1)) }
    let edit = try EventSeries(master).edited(.thisAndFuture, at: "20260604T090000Z") {
      $0.summary = "Tea"
    }
    #expect(edit.series?.master?.alarms.map(\.trigger) == [.absolute(moments[0])])
    #expect(edit.split?.master?.alarms.map(\.trigger) == [.absolute(moments[1])])
  }

  @Test func `rules that need the old start are refused`() throws {
    var master = try Event("20260601T090000Z", rule: "FREQ=DAILY;INTERVAL=2")
    master.recurrence.rules.append(try RecurrenceRule(text: "FREQ=DAILY;INTERVAL=3"))
    #expect(
      throws: ModelError.cannotSplit(uid: EventUID("event"), recurrenceID: "20260604T090000Z")
    ) {
      try EventSeries(master).edited(.thisAndFuture, at: "20260604T090000Z") { $0.summary = "Tea" }
    }
  }
}
