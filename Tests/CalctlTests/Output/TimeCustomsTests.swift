import JSON
import TestSupport
import Testing

/// Dates and times by the territory of the locale, which need not be installed.
@Suite struct `What calctl prints by the locale` {
  private func session(
    _ variables: [String: String?], _ settings: String = "",
    programs: String = Session.usualPrograms
  ) throws -> Session {
    let session = try Session(variables: variables, programs: programs)
    try session.home.write(
      "[reminders]\ndefault = none\n[calendar]\n\(settings)\n", to: "config/datebook/datebook.conf")
    _ = try session.add("Standup", "2030-01-08 09:30", "--end", "15m")
    _ = try session.add("Review", "2030-01-08 22:30", "--end", "90m")
    return session
  }

  @Test func `in the United States it has 12 hours, and the month is first`() throws {
    let session = try session(["LC_ALL": "C.UTF-8", "LC_TIME": nil])
    let other = try self.session(["LC_ALL": nil, "LC_TIME": "en_US.UTF-8"])
    #expect(
      try session.output("agenda", "2030-01-08", "--days", "1") == """
        Tue 8 Jan 2030
          09:30 – 09:45  Standup
          22:30 – 24:00  Review

        """)
    #expect(
      try other.output("agenda", "2030-01-08", "--days", "1") == """
        Tue, Jan 8, 2030
          9:30 am – 9:45 am    Standup
          10:30 pm – 12:00 am  Review

        """)
    #expect(
      try other.output("quick", "--dry-run", "Tea 2030-01-09 15:00")
        .contains("Wed, Jan 9, 2030, 3:00 pm"))
    for words in [["agenda", "2030-01-08"], ["next"]] {
      // JSON stays as it is.
      #expect(try other.json(words)[0]?["start-text"] == "2030-01-08T09:30:00+01:00")
    }
  }

  @Test func `the setting of the clock comes before the locale`() throws {
    let session = try session(["LC_ALL": "en_US.UTF-8"], "clock = 24")
    #expect(
      try session.output("agenda", "2030-01-08", "--days", "1") == """
        Tue, Jan 8, 2030
          09:30 – 09:45  Standup
          22:30 – 24:00  Review

        """)
    let other = try self.session(["LC_ALL": "C.UTF-8"], "clock = 12")
    #expect(try other.output("show", "Review").contains("Tue 8 Jan 2030, 10:30 pm – 12:00 am"))
  }

  @Test func `the agent answers by the locale of its session`() throws {
    let session = try session(["LC_ALL": "en_US.UTF-8"])
    #expect(
      try session.run("add", "Shift", "--start", "2027-03-28 02:30").errors
        .contains("the clock skips 2:30 am on Sun, Mar 28, 2027: the event begins at 3:30 am"))
  }

  @Test func `Chinese has its own order, and columns of wide characters`() throws {
    let programs = try TranslatedPrograms("zh_CN", of: ["calctl", "datebookd"])
    for (locale, settings, times) in [
      ("zh_CN.UTF-8", "", ["09:30 – 09:45  Standup", "22:30 – 24:00  Review"]),
      (
        "C.UTF-8", "language = zh_CN\nclock = 12",
        ["上午9:30 – 上午9:45    Standup", "下午10:30 – 上午12:00  Review"]
      ),
    ] {
      let session = try session(
        ["LC_ALL": locale, "LANGUAGE": nil], settings, programs: programs.path)
      let agenda = try session.output("agenda", "2030-01-08", "--days", "1")
      #expect(agenda == "2030年1月8日 周二\n  \(times[0])\n  \(times[1])\n", "\(locale)")
      let status = try session.output("status")
      #expect(status.contains("就绪"), "\(locale): \(status)")
    }
  }
}
