import CalendarModel
import CivilTime
import Messages
import TestSupport
import Testing

@testable import Widgets

/// In ``Language/pseudo`` no letter of a text is ASCII, unless the text was not looked up in the
/// catalogue. Titles, places and names are numbers here.
@Suite struct `Widgets in a generated language` {
  /// Returns the fault of a text; nil for a good one.
  private static func fault(of text: String, isWhole: Bool = true) -> String? {
    if text.contains(where: { $0.isASCII && $0.isLetter }) { return "English: \(text)" }
    if text.contains(where: { $0 == "{" || $0 == "}" }) { return "a placeholder: \(text)" }
    var depth = 0
    for character in text {
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
    }
    return isWhole && depth != 0 ? "a part of a pattern: \(text)" : nil
  }

  /// Two days with something of each kind.
  private static func agenda() throws -> Agenda {
    var agenda = Agenda()
    agenda.calendars = [
      CalendarInfo(id: CalendarID("work"), name: "1", color: EventColor.palette[0], order: 0),
      CalendarInfo(id: CalendarID("home"), name: "2", color: EventColor.palette[1], order: 1),
    ]
    try agenda.add("10", "2026-11-21T09:30", "2026-11-21T09:45") { $0.location = "20" }
    try agenda.add("11", "2026-11-21T09:30", "2026-11-21T18:00")
    try agenda.add("12", "2026-11-21T22:00", "2026-11-22T02:00")
    try agenda.add("", "2026-11-23T09:00", "2026-11-23T10:00") { $0.status = .tentative }
    try agenda.add("13", "2027-01-04T09:00", "2027-01-04T10:00") { $0.attendees = declined }
    try agenda.add("14", from: "2026-11-21", to: "2026-11-26") { $0.attendees = declined }
    try agenda.add("15", from: "2026-11-22", to: "2026-11-23")
    for number in 30..<55 { try agenda.add("\(number)", from: "2026-11-24", to: "2026-11-25") }
    agenda.reminders = try agenda.occurrences(
      in: TimeSpan(
        start: try agenda.instant("2026-11-21T09:00"), end: try agenda.instant("2026-11-21T10:00"))
    ).map { reminder(of: $0, minutesBefore: 5) }
    return agenda
  }

  private static let instants = [
    "2026-11-18T09:00", "2026-11-20T09:00", "2026-11-21T07:00", "2026-11-21T09:20",
    "2026-11-21T09:33", "2026-11-21T12:00", "2026-11-21T22:30", "2026-11-22T02:00",
    "2026-11-24T08:00", "2027-01-02T08:00", "2027-01-10T08:00",
  ]

  @Test(arguments: instants)
  func `a bar has no English in it and nothing unfilled`(now: String) throws {
    let agenda = try Self.agenda()
    let wide = try agenda.bar(
      at: now, times: TimeText(.pseudo), settings: BarSettings(maximumColumns: 1000, count: 5))
    for text in [wide.text, wide.tooltip.text, wide.event?.countdown ?? "", wide.joinLabel] {
      #expect(Self.fault(of: text) == nil)
    }
    #expect(wide.tooltip.text.contains("["))
    #expect(Self.fault(of: wide.short, isWhole: false) == nil)
  }

  @Test func `a narrow bar cuts texts, and fills them before that`() throws {
    let agenda = try Self.agenda()
    let template = try BarTemplate("{summary} {countdown} {start} {end}")
    for now in Self.instants {
      for width in [1, 2, 5, 10, 20, 40] {
        for template in [nil, template] {
          let bar = try agenda.bar(
            at: now, times: TimeText(.pseudo),
            settings: BarSettings(maximumColumns: width, template: template))
          #expect(bar.text.count <= width)
          #expect(Self.fault(of: bar.text, isWhole: false) == nil)
        }
      }
    }
  }

  @Test func `a bar has no English while the agent is away or events are hidden`() throws {
    let stale = BarText.stale(in: .pseudo)
    let now = try Self.agenda().instant("2026-11-21T09:33")
    let busy = BarText(
      snapshot: try Self.agenda().snapshot(at: now, privacy: .busy), now: now,
      zone: try Self.agenda().zone, times: TimeText(.pseudo), settings: BarSettings(privacy: .busy))
    for text in [stale.text, stale.tooltip.text, busy.text, busy.tooltip.text] {
      #expect(text.contains("[") && Self.fault(of: text) == nil)
    }
    let menu = BarFormat.xbar.record(
      try Self.agenda().bar(at: "2026-11-21T09:33", times: TimeText(.pseudo)))
    #expect(Self.fault(of: menu) == nil)
  }

  /// What people see or hear of a document: its text and the attributes with text.
  private static func texts(of document: String) -> [String] {
    var texts: [String] = []
    var rest = document[...]
    if let style = rest.firstRange(of: "<style>"), let end = rest.firstRange(of: "</style>") {
      rest.removeSubrange(style.lowerBound..<end.upperBound)
    }
    while let start = rest.firstIndex(of: "<") {
      texts.append(String(rest[..<start]))
      let end = rest[start...].firstIndex(of: ">") ?? rest.index(before: rest.endIndex)
      let tag = rest[start...end]
      for name in [" title=\"", " abbr=\""] {
        guard let place = tag.firstRange(of: name) else { continue }
        texts.append(String(tag[place.upperBound...].prefix { $0 != "\"" }))
      }
      rest = rest[end...].dropFirst()
    }
    return texts.filter { $0.contains { !$0.isWhitespace } }
  }

  @Test(arguments: MonthMode.allCases)
  func `a picture of the month has no English in it and nothing unfilled`(mode: MonthMode) throws {
    let picture = try `A month as a picture`.picture(
      Self.agenda(), mode: mode, MonthPicture.Settings(showsWeeks: true), times: TimeText(.pseudo))
    let (html, svg) = (Self.texts(of: picture.html), Self.texts(of: picture.svg))
    #expect(picture.html.contains("<html lang=\"qps-ploc\">"))
    for text in html + svg {
      // Titles of bars are cut on the sheet.
      #expect(Self.fault(of: text, isWhole: !text.hasSuffix("…")) == nil)
    }
    #expect(html.count { $0.contains("[") } > 20 && svg.count { $0.contains("[") } > 7)
  }

  @Test func `reminders have no English in their times`() throws {
    let words = ReminderText(TimeText(.pseudo))
    for text in ["PT0S", "PT15M", "-PT5M", "P2DT3H", "P7D", "PT1H30M30S"] {
      let before = try CalendarDuration(text: text)
      for isFromEnd in [false, true] {
        #expect(Self.fault(of: words.text(before: before, isFromEnd: isFromEnd)) == nil)
      }
    }
    for seconds: Int64 in [32_400, -32_400, -186_401, 86_400, 180_000] {
      #expect(Self.fault(of: words.allDayText(secondsAfterMidnight: seconds)) == nil)
    }
  }

  @Test func `the faults of templates and snapshots have no English in them`() {
    for error: BarTemplateError in [.tooLong, .unclosed("["), .stray("]")] {
      let text = Language.pseudo.string(error.text)
      #expect(!text.contains { $0.isASCII && $0.isLetter }, "\(text)")
    }
    for error: SnapshotError in [
      .unsupportedSchema(found: 2), .unsupportedSchema(found: nil), .missing(path: "1"),
      .malformed(path: "", expected: UserText("an object")),
      .malformed(
        path: "1", expected: UserText("one of {values}", ["values": UserText.list(["2", "3"])])),
    ] {
      #expect(Self.fault(of: Language.pseudo.string(error.text)) == nil)
    }
  }
}
