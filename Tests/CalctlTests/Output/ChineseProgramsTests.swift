import JSON
import TestSupport
import Testing

/// What depends on the form of a message of the agent, which is another in Chinese.
@Suite struct `The programs in Chinese` {
  private let programs: TranslatedPrograms
  private let session: Session

  init() throws {
    programs = try TranslatedPrograms("zh_CN", of: ["calctl", "datebookd", "datebook-sync"])
    session = try Session(
      variables: ["LC_ALL": "C.UTF-8", "LANGUAGE": "zh_CN"], programs: programs.path)
  }

  @Test func `a mistake in a time is explained`() throws {
    #expect(
      try session.run("add", "Tea", "--start", "9:60").errors
        == "calctl: --start：“9:60”：9:60 不是时间：分钟为 00 到 59；请尝试“9:30”\n")
  }

  @Test func `a refusal names the argument of the command`() throws {
    let refusal = try session.run("restore", "nowhere").errors
    #expect(refusal.hasPrefix("calctl: ID：回收站中没有日程“nowhere”"), "\(refusal)")
  }

  @Test func `the first calendar has a Chinese name`() throws {
    #expect(try session.json("calendars")[0]?["name"]?.stringValue == "个人")
    #expect(try session.output("calendars").hasPrefix("personal "))
  }

  @Test func `brackets and colons of lists are wide`() throws {
    _ = try session.add("喝茶", "2030-01-08 09:30", "--location", "客厅")
    #expect(try session.output("agenda", "2030-01-08").contains("喝茶  （客厅）"))
    let refusal = try session.run("sources", "add", "vdir", session.home.file("none")).errors
    #expect(refusal.hasPrefix("calctl: \(session.home.file("none"))："), "\(refusal)")
  }
}
