import Testing

@testable import ICalendar

@Suite struct `Renaming a component` {
  @Test func `UID and RELATED-TO are others, what is in an alarm and the rest stay`() {
    let text = """
      BEGIN:VEVENT\r
      UID;X-A=b:old\r
      RELATED-TO;RELTYPE=PARENT:mother\r
      RELATED-TO:stranger\r
      SUMMARY:old\r
      BEGIN:VALARM\r
      UID:old\r
      RELATED-TO:mother\r
      END:VALARM\r
      END:VEVENT\r

      """
    #expect(
      renamedComponent(text, uid: "a,b", renamed: ["old": "a,b", "mother": "new"])
        == text.replacing("UID;X-A=b:old", with: "UID;X-A=b:a\\,b")
        .replacing("PARENT:mother", with: "PARENT:new"))
  }
}
