import Testing

@testable import ICalendar

@Suite struct `The parent of a component` {
  @Test(arguments: [
    ("RELATED-TO:trip", "trip"), ("related-to:trip", "trip"),
    ("Related-To;RELTYPE=parent:trip", "trip"),
    ("RELATED-TO;RELTYPE=CHILD:a\r\nRelated-to:trip", "trip"),
    ("RELATED-TO;RELTYPE=SIBLING:trip", ""), ("DESCRIPTION:RELATED-TO:trip", ""),
    ("X-RELATED-TO:trip", ""), ("SUMMARY:Trip\r\n RELATED-TO:trip", ""),
    ("BEGIN:VALARM\r\nRELATED-TO:trip\r\nEND:VALARM", ""),
  ])
  func `is that of its first RELATED-TO that names one, in any case`(lines: String, parent: String)
  {
    let text = "BEGIN:VTODO\r\nUID:a\r\n\(lines)\r\nEND:VTODO\r\n"
    #expect(parentUID(inComponent: text) == parent)
  }
}
