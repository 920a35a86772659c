import ICalendar
import Testing

@Suite struct `A calendar with one component` {
  @Test func `texts are escaped and folded, and empty ones left out`() {
    var event = ComponentText("VEVENT")
    event.add("UID", "a")
    event.add("DTSTART;VALUE=DATE:20261120")
    event.add("SUMMARY", "One; two, three\n" + String(repeating: "x", count: 60))
    event.add("DESCRIPTION", "")
    event.add("CATEGORIES", ["A, B", "", "C"])
    event.add("URL:http://x/\r\nSTATUS:CANCELLED")
    #expect(
      event.text
        == """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//Datebook//Datebook 1//EN
        BEGIN:VEVENT
        UID:a
        DTSTART;VALUE=DATE:20261120
        SUMMARY:One\\; two\\, three\\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
         xxxxxxxxxxxx
        CATEGORIES:A\\, B,C
        URL:http://x/STATUS:CANCELLED
        END:VEVENT
        END:VCALENDAR

        """.replacing("\n", with: "\r\n"))
  }
}
