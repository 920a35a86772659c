import Testing

@testable import Sync

@Suite struct `A merge of overrides and alarms` {
  private static let rule = "RRULE:FREQ=DAILY"

  private func override(_ day: Int, _ title: String, _ more: String...) -> [String] {
    ["RECURRENCE-ID:202611\(day)T090000Z", "DTSTART:202611\(day)T100000Z", "SUMMARY:\(title)"]
      + more
  }

  private func series(_ more: String..., overrides: [[String]]) -> String {
    calendar(["DTSTART:20261127T090000Z", Self.rule, "SUMMARY:a"] + more, overrides: overrides)
  }

  @Test func `has the overrides of both sides`() throws {
    let merged = try merge(
      series(overrides: [override(28, "x")]),
      series(overrides: [override(28, "y"), override(29, "l")]),
      series(overrides: [override(28, "x", "URL:z"), override(30, "r")]))
    #expect(merged.conflicts == [])
    #expect(
      try merged.says(
        series(overrides: [override(28, "y", "URL:z"), override(30, "r"), override(29, "l")])))
  }

  @Test func `keeps an override that one side removed while the other edited it`() throws {
    let base = series(overrides: [override(28, "x"), override(29, "x")])
    let edited = series(overrides: [override(28, "y"), override(29, "x")])
    let removed = series("EXDATE:20261128T090000Z,20261129T090000Z", overrides: [])
    let expected = series("EXDATE:20261129T090000Z", overrides: [override(28, "y")])
    #expect(try merge(base, edited, removed).says(expected))
    #expect(try merge(base, removed, edited).says(expected))
  }

  @Test func `removes an override that the other side changed only with the whole series`() throws {
    func version(_ place: String, _ title: String, _ trigger: String) -> String {
      series(
        "LOCATION:\(place)", alarm("TRIGGER:\(trigger)"),
        overrides: [override(28, title, "LOCATION:\(place)", alarm("TRIGGER:\(trigger)"))])
    }
    let base = version("Room 1", "x", "-PT5M")
    let removed = series(
      "LOCATION:Room 1", alarm("TRIGGER:-PT5M"), "EXDATE:20261128T090000Z",
      overrides: [])
    let edited = version("Room 2", "x", "-PT9M")
    let expected = series(
      "LOCATION:Room 2", alarm("TRIGGER:-PT9M"), "EXDATE:20261128T090000Z", overrides: [])
    #expect(try merge(base, edited, removed).says(expected))
    #expect(try merge(base, removed, edited).says(expected))
    // With an edit of its own it stays.
    let renamed = version("Room 2", "y", "-PT9M")
    #expect(try merge(base, renamed, removed).says(renamed))
    #expect(try merge(base, removed, renamed).says(renamed))
  }

  @Test func `keeps a new override of an occurrence that the other side excluded`() throws {
    let merged = try merge(
      series(overrides: []), series(overrides: [override(28, "y")]),
      series("EXDATE:20261128T090000Z", overrides: []))
    #expect(try merged.says(series(overrides: [override(28, "y")])))
  }

  @Test func `keeps an override that one side itself excludes as it is`() throws {
    let odd = series("EXDATE:20261128T090000Z", overrides: [override(28, "y")])
    let merged = try merge(
      odd, odd, series("EXDATE:20261128T090000Z", overrides: [override(28, "z")]))
    #expect(try merged.says(series("EXDATE:20261128T090000Z", overrides: [override(28, "z")])))
  }

  @Test func `removes an override of which the other side changed only the version`() throws {
    let base = series(overrides: [override(28, "x", "SEQUENCE:1")])
    let stamped = series(overrides: [
      override(28, "x", "SEQUENCE:2", "LAST-MODIFIED:20261101T000000Z")
    ])
    #expect(try merge(base, series(overrides: []), stamped).says(series(overrides: [])))
  }

  @Test func `has the alarms of both sides`() throws {
    let five = alarm("TRIGGER:-PT5M")
    let merged = try merge(
      event("a", five), event("a", five, alarm("TRIGGER:-PT10M")), event("a", alarm("TRIGGER:-P1D"))
    )
    #expect(merged.conflicts == [])
    #expect(try merged.says(event("a", alarm("TRIGGER:-PT10M"), alarm("TRIGGER:-P1D"))))
  }

  @Test func `has the later dismissal of an alarm`() throws {
    func dismissed(_ time: String) -> String {
      event("a", alarm("UID:7", "TRIGGER:-PT5M", "ACKNOWLEDGED:\(time)"))
    }
    let (early, late) = (dismissed("20261127T085600Z"), dismissed("20261127T085700Z"))
    let base = event("a", alarm("UID:7", "TRIGGER:-PT5M"))
    for merged in [try merge(base, early, late), try merge(base, late, early)] {
      #expect(merged.conflicts == [])
      #expect(try merged.says(late))
    }
  }

  @Test func `removes an alarm that the other side dismissed`() throws {
    let base = event("a", alarm("TRIGGER:-PT5M"))
    let dismissed = event("a", alarm("TRIGGER:-PT5M", "ACKNOWLEDGED:20261127T085600Z"))
    #expect(try merge(base, event("a"), dismissed).says(event("a")))
  }

  @Test func `knows an alarm that one side has given a UID`() throws {
    let merged = try merge(
      event("a", alarm("TRIGGER:-PT5M")), event("a", alarm("TRIGGER:-PT5M", "DESCRIPTION:x")),
      event("a", alarm("TRIGGER:-PT5M", "UID:7")))
    #expect(merged.conflicts == [])
    #expect(try merged.says(event("a", alarm("TRIGGER:-PT5M", "UID:7", "DESCRIPTION:x"))))
  }

  @Test func `reports an alarm changed on both sides as such`() throws {
    let merged = try merge(
      event("a", alarm("UID:7", "TRIGGER:-PT5M")), event("a", alarm("UID:7", "TRIGGER:-PT6M")),
      event("a", alarm("UID:7", "TRIGGER:-PT7M")))
    #expect(merged.conflicts == ["VALARM"])
    #expect(try merged.says(event("a", alarm("UID:7", "TRIGGER:-PT7M"))))
  }

  @Test func `reports a property once that was changed in several overrides`() throws {
    let merged = try merge(
      series(overrides: [override(28, "x"), override(29, "x")]),
      series(overrides: [override(28, "l"), override(29, "l")]),
      series(overrides: [override(28, "r"), override(29, "r")]))
    #expect(merged.conflicts == ["SUMMARY"])
  }

  @Test func `keeps two alarms that are the same`() throws {
    let twice = event("a", alarm("TRIGGER:-PT5M"), alarm("TRIGGER:-PT5M"))
    #expect(
      try merge(twice, twice, event("b", alarm("TRIGGER:-PT5M"), alarm("TRIGGER:-PT5M")))
        .says(event("b", alarm("TRIGGER:-PT5M"), alarm("TRIGGER:-PT5M"))))
  }
}
