import CalendarModel
import TestSupport
import Testing
import Widgets

@Suite struct `A template` {
  private func text(
    _ template: String, at now: String = "2026-11-21T09:33", width: Int = 60
  ) throws -> String {
    var agenda = Agenda()
    try agenda.add("Standup", "2026-11-21T09:30", "2026-11-21T09:45") { $0.location = "Room 4" }
    try agenda.add("Call", "2026-11-21T09:31", "2026-11-21T09:45", calendar: "home")
    try agenda.add("Review", "2026-11-22T09:00", "2026-11-22T10:00")
    try agenda.add("Holiday", from: "2026-11-23", to: "2026-11-24")
    let settings = BarSettings(maximumColumns: width, template: try BarTemplate(template))
    return try agenda.bar(at: now, settings: settings).text
  }

  @Test(arguments: [
    ("{summary} {countdown}[ +{count}]", "Call 12 min left +1"),
    ("{start}–{end} {summary}", "09:31–09:45 Call"),
    ("{summary}[ @ {location}]", "Call"),
    ("{summary} @ {location}", "Call @"),
    ("[{summary} @ {location}]{class}", "running"),
    ("{calendar}: {percentage} %", "Home: 14 %"),
    ("{{{summary}}} [[{count}]]", "{Call} [1]"),
    ("[just text]", "just text"),
    ("a\n\u{1B}[[31mb\u{202E}", "a [31mb"),
    ("no fields", "no fields"),
  ])
  func `fields are filled in`(_ template: String, _ expected: String) throws {
    #expect(try text(template) == expected)
  }

  @Test func `every field has a value somewhere`() throws {
    for field in BarTemplate.Field.allCases {
      let texts = try ["2026-11-21T09:30", "2026-11-21T09:33"].map {
        try text("{\(field.rawValue)}", at: $0)
      }
      #expect(texts.contains { !$0.isEmpty }, "\(field)")
    }
  }

  @Test func `an all-day event has no times`() throws {
    #expect(
      try text("[{start}–{end} ]{summary} {countdown}", at: "2026-11-23T08:00")
        == "Holiday all day")
  }

  @Test func `the short text is of the template, too`() throws {
    var agenda = Agenda()
    try agenda.add("Review of the quarter", "2026-11-21T10:00", "2026-11-21T11:00")
    for (template, short) in [
      ("{start}", "10:00"), ("{start} {summary}", "10:00 Review of the…"),
    ] {
      let settings = BarSettings(template: try BarTemplate(template))
      #expect(try agenda.bar(at: "2026-11-21T09:50", settings: settings).short == short)
    }
  }

  @Test func `an empty day is empty`() throws {
    let settings = BarSettings(template: try BarTemplate("Next: {summary}"))
    #expect(try Agenda().bar(at: "2026-11-21T09:30", settings: settings).text == "")
  }

  @Test(arguments: [(60, "Review (tomorrow 09:00)"), (20, "Re… (tomorrow 09:00)"), (5, "Revi…")])
  func `a narrow bar cuts the title`(_ width: Int, _ expected: String) throws {
    #expect(try text("{summary} ({start})", at: "2026-11-21T10:00", width: width) == expected)
  }

  @Test(arguments: hostileTitles)
  func `a title cannot be a template`(_ title: String) throws {
    var agenda = Agenda()
    try agenda.add(title + "{count}[{location}", "2026-11-21T09:30", "2026-11-21T09:45")
    let settings = BarSettings(maximumColumns: 1000, template: try BarTemplate("{summary}"))
    let bar = try agenda.bar(at: "2026-11-21T09:20", settings: settings)
    #expect(bar.text == displayLine(bar.event?.summary ?? ""))
  }

  @Test(arguments: [
    ("{sumary}", BarTemplateError.unknownField("sumary")), ("{}", .unknownField("")),
    ("{Summary}", .unknownField("Summary")), ("{summary", .unclosed("{")),
    ("a [b", .unclosed("[")), ("a ] b", .stray("]")), ("a } b", .stray("}")),
    ("[a [{count}] b]", .stray("[")), (String(repeating: "x", count: 1001), .tooLong),
  ])
  func `what is no template is refused`(_ template: String, _ error: BarTemplateError) {
    #expect(throws: error) { try BarTemplate(template) }
  }

  @Test func `an unknown field is answered with those that there are`() {
    #expect(
      BarTemplateError.unknownField("x").description
        == "unknown field {x}; use one of {summary}, {countdown}, {start}, {end}, {location}, "
        + "{calendar}, {class}, {count}, {percentage}")
  }

  @Test func `what it was read from stays`() throws {
    #expect(try BarTemplate(BarTemplate.standard.source) == BarTemplate.standard)
  }
}
