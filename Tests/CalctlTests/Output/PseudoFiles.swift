import TestSupport

/// The files that are imported in the generated language.
enum PseudoFiles {
  /// Events, to-dos and a journal entry that have much to be said of, with titles without small
  /// letters. One event has a start that is no time, and one a rule that is none.
  static let calendar = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:X
    X-WR-CALNAME:N1
    BEGIN:VEVENT
    UID:a1@x
    DTSTAMP:20300101T000000Z
    DTSTART;TZID=Mars/Base:20300110T100000
    DURATION:PT1H
    SUMMARY:I1
    STATUS:TENTATIVE
    CLASS:PRIVATE
    CATEGORIES:C1,C2
    ORGANIZER;CN=O1:mailto:o@x.invalid
    ATTENDEE;CN=A1;PARTSTAT=DECLINED:mailto:a@x.invalid
    ATTENDEE;CN=A2;PARTSTAT=ACCEPTED:mailto:b@x.invalid
    ATTENDEE;CN=A3;PARTSTAT=TENTATIVE:mailto:c@x.invalid
    ATTENDEE;CN=A4;PARTSTAT=DELEGATED:mailto:d@x.invalid
    BEGIN:VALARM
    ACTION:AUDIO
    TRIGGER;VALUE=DATE-TIME:20300109T100000Z
    REPEAT:3
    DURATION:PT5M
    END:VALARM
    END:VEVENT
    BEGIN:VEVENT
    UID:a2@x
    DTSTART;VALUE=DATE:20300111
    RRULE:FREQ=DAILY
    EXDATE;VALUE=DATE:20300212
    SUMMARY:I2
    STATUS:CANCELLED
    END:VEVENT
    BEGIN:VEVENT
    UID:a3@x
    DTSTART:20300111T250000
    SUMMARY:I3
    END:VEVENT
    BEGIN:VEVENT
    DTSTART:20300112T050000
    RRULE:FREQ=HOURLY;INTERVAL=0
    SUMMARY:I4
    END:VEVENT
    BEGIN:VTODO
    UID:t1@x
    SUMMARY:Q1
    DTSTART:20250101T090000
    DUE:20250101T100000
    PRIORITY:1
    RRULE:FREQ=WEEKLY
    END:VTODO
    BEGIN:VTODO
    UID:t2@x
    SUMMARY:Q2
    STATUS:COMPLETED
    COMPLETED:20250101T100000Z
    END:VTODO
    BEGIN:VTODO
    UID:t3@x
    SUMMARY:Q3
    STATUS:IN-PROCESS
    PERCENT-COMPLETE:40
    END:VTODO
    BEGIN:VJOURNAL
    UID:j1@x
    SUMMARY:J1
    DTSTART;VALUE=DATE:20300101
    DESCRIPTION:J2
    END:VJOURNAL
    END:VCALENDAR
    """

  /// A table whose second event has no start.
  static let table = """
    Subject,Start Date,Start Time,End Date,End Time
    V1,01/20/2030,10:00 AM,01/20/2030,11:00 AM
    V2,,,,

    """

  /// Writes them to a folder: a.ics, a.csv, bad.txt, and a folder of vdirsyncer.
  static func write(to home: TemporaryDirectory) throws {
    try home.write(calendar.replacing("\n", with: "\r\n") + "\r\n", to: "a.ics")
    try home.write(table, to: "a.csv")
    try home.write("B1\n", to: "bad.txt")
    try home.makeDirectory("folder")
    try home.makeDirectory("folder/F1")
    try home.write("B1\n", to: "folder/F1/bad.ics")
  }
}
