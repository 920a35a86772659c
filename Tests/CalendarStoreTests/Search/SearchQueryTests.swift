import CalendarModel
import TestSupport
import Testing

@testable import CalendarStore

private typealias Term = SearchQuery.Term

/// A text and what is looked for.
private struct Case: Sendable, CustomStringConvertible {
  let text: String
  let terms: [SearchQuery.Term]
  var calendars: [String] = []

  var description: String { text }
}

@Suite struct `Queries as people type them` {
  private static let cases = [
    Case(text: "dentist", terms: [Term("dentist")]),
    Case(text: "  two\twords\n", terms: [Term("two"), Term("words")]),
    Case(text: "\"board meeting\"", terms: [Term("board meeting", isPrefix: false)]),
    Case(text: "\"board mee", terms: [Term("board mee")]),
    Case(text: "a\"b c\"d", terms: [Term("a"), Term("b c", isPrefix: false), Term("d")]),
    Case(text: "location:berlin", terms: [Term("berlin", field: .location)]),
    Case(
      text: "Summary:\"all hands\"", terms: [Term("all hands", field: .summary, isPrefix: false)]),
    Case(
      text: "attendee:ana category:work",
      terms: [
        Term("ana", field: .attendee), Term("work", field: .category),
      ]),
    Case(text: "calendar:home tea", terms: [Term("tea")], calendars: ["home"]),
    Case(text: "calendar:\"my home\" tea", terms: [Term("tea")], calendars: ["my home"]),
    // A field that is being typed asks for nothing yet.
    Case(text: "tea location:", terms: [Term("tea")]),
    Case(text: "tea calendar:", terms: [Term("tea")]),
    // What is no field is a word.
    Case(text: "10:30 https://a.example", terms: [Term("10:30"), Term("https://a.example")]),
    Case(text: "where:berlin", terms: [Term("where:berlin")]),
    // Signs alone mean nothing.
    Case(text: "R & D - (*)", terms: [Term("R"), Term("D")]),
    Case(
      text: "a AND b OR NOT NEAR(c, 2) *",
      terms: [
        Term("a"), Term("AND"), Term("b"), Term("OR"), Term("NOT"), Term("NEAR(c,"), Term("2)"),
      ]),
    Case(text: "a\0b\u{7f}c", terms: [Term("a"), Term("b"), Term("c")]),
    Case(text: "会議　東京", terms: [Term("会議"), Term("東京")]),
  ]

  @Test(arguments: cases)
  fileprivate func `a text is read`(_ one: Case) throws {
    let query = try SearchQuery(one.text)
    #expect(query.terms == one.terms)
    #expect(query.calendars == one.calendars)
  }

  @Test func `each term is a string for FTS5, whatever is in it`() throws {
    #expect(try SearchQuery("den").expression == #"("den" OR "den" *)"#)
    #expect(
      try SearchQuery(#"location:"a b" c"#).expression
        == #"{location} : "a b" AND ("c" OR "c" *)"#)
    #expect(try SearchQuery("会議").expression == #"(" 会  議 " OR " 会  議 " *)"#)
    #expect(
      try SearchQuery("attendee:x category:y").expression
        == #"{attendees} : ("x" OR "x" *) AND {categories} : ("y" OR "y" *)"#)
    #expect(SearchText.spaced("plain ä é") == "plain ä é")
  }

  @Test(arguments: [
    ("cafe", true), ("CAFÉ p", true), ("cafe\u{301}", true), ("strasse", false), ("plans", false),
    ("c1", true), ("C1", true), ("c", true), ("af", false),
  ])
  func `a calendar is named by its id, or the beginning of its name`(
    word: String, admits: Bool
  ) throws {
    let query = try SearchQuery("tea calendar:\"\(word)\"")
    let calendar = CalendarInfo(
      id: CalendarID("c1"), name: "Café plans", color: EventColor.palette[0])
    #expect(query.admits(calendar: calendar) == admits)
  }

  @Test(arguments: [
    ("Straße", "strasse"), ("STRASSE", "straße"), ("Ёлка", "елка"), ("ΟΔΟΣ", "οδός"),
    ("Łódź", "lodz"), ("Ầ", "a"), ("東京", "東"), ("İzmir", "izmir"), ("Ǽ", "ae"),
  ])
  func `the name of a calendar is compared as words are`(name: String, word: String) throws {
    let calendar = CalendarInfo(id: CalendarID("x"), name: name, color: EventColor.palette[0])
    #expect(try SearchQuery("tea calendar:\(word)").admits(calendar: calendar))
  }

  @Test(arguments: ["\u{301}", "\u{5b0}", "\u{64e}"])
  func `marks alone are no word`(text: String) {
    #expect(throws: SearchQueryError.noWords(text)) { try SearchQuery(text) }
  }

  @Test(arguments: ["", "  ", "\"", "\"\"", "* - ( ) :", "calendar:work", "location:", "🎉", "\0"])
  func `a text without a word is refused`(text: String) {
    #expect(throws: SearchQueryError.noWords(text)) { try SearchQuery(text) }
  }

  @Test func `a text that is too long is refused, with the limit`() throws {
    let long = String(repeating: "x", count: SearchQuery.maximumOctets)
    #expect(try SearchQuery(long).terms.count == 1)
    #expect(throws: SearchQueryError.tooLong(octets: 4097)) { try SearchQuery(long + "x") }
    let huge = String(repeating: "a ", count: 2 << 20)
    #expect(throws: SearchQueryError.tooLong(octets: 4 << 20)) { try SearchQuery(huge) }
    #expect(SearchQueryError.tooLong(octets: 4097).description.contains("4096"))
  }

  @Test func `more than 64 words are refused`() throws {
    let words = (0..<64).map { "w\($0)" }.joined(separator: " ")
    #expect(try SearchQuery(words).terms.count == 64)
    #expect(throws: SearchQueryError.tooManyTerms(count: 65)) { try SearchQuery(words + " x") }
    #expect(throws: SearchQueryError.tooManyTerms(count: 65)) {
      try SearchQuery(words + " calendar:x")
    }
    #expect(SearchQueryError.tooManyTerms(count: 65).description.contains("64"))
  }
}
